/** The terms of announcements as the database has them. Amounts are texts, so that no digit is lost. */
import type { ActionOption, AnnouncedTerms } from '@clearing/domain/books'
import { decimal, renderDecimal } from '@clearing/domain/decimal'

export interface StoredOption {
  readonly option: string
  readonly type: ActionOption['type']
  readonly ratio?: readonly [received: string, held: string]
  readonly toSecNo?: string
  readonly cashPerShare?: string
  readonly costShare?: string
  readonly price?: string
  readonly cashInLieuPrice?: string
}

export function storedOption({ ratio, toSecurity, option, type, ...amounts }: ActionOption): StoredOption {
  const text = (value: bigint | undefined) => (value === undefined ? undefined : renderDecimal(value))
  return {
    option,
    type,
    ...(ratio && { ratio: [renderDecimal(ratio.received), renderDecimal(ratio.held)] }),
    ...(toSecurity !== undefined && { toSecNo: toSecurity }),
    ...Object.fromEntries(
      Object.entries(amounts)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, text(value)]),
    ),
  }
}

export function parseOption({ ratio, toSecNo, option, type, ...amounts }: StoredOption): ActionOption {
  return {
    option,
    type,
    ...(ratio && { ratio: { received: decimal(ratio[0]), held: decimal(ratio[1]) } }),
    ...(toSecNo !== undefined && { toSecurity: toSecNo }),
    ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, decimal(value)])),
  }
}

/** The terms of a version that an amendment replaced or made. */
export interface StoredTerms {
  readonly recordDate: string | null
  readonly exDate: string
  readonly payDate: string
  readonly deadline: string | null
  readonly defaultOption: string
  readonly options: readonly StoredOption[]
}

export function storedTerms(terms: AnnouncedTerms): StoredTerms {
  const { recordDate = null, exDate, payDate, deadline = null, defaultOption, options } = terms
  return { recordDate, exDate, payDate, deadline, defaultOption, options: options.map(storedOption) }
}

export function parseTerms({ recordDate, deadline, options, ...terms }: StoredTerms): AnnouncedTerms {
  return {
    ...terms,
    recordDate: recordDate ?? undefined,
    deadline: deadline ?? undefined,
    options: options.map(parseOption),
  }
}
