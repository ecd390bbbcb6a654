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
  /** A number, because the previous release reads every further term as one. */
  readonly taxable?: '1'
  readonly price?: string
  readonly cashInLieuPrice?: string
}

/** Equal terms have one text: the database returns them in an order of its own. */
export function storedOption(terms: ActionOption): StoredOption {
  const { ratio, toSecurity, option, type, taxable, ...amounts } = terms
  const text = (value: bigint | undefined) => (value === undefined ? undefined : renderDecimal(value))
  return {
    option,
    type,
    ...(ratio && { ratio: [renderDecimal(ratio.received), renderDecimal(ratio.held)] }),
    ...(toSecurity !== undefined && { toSecNo: toSecurity }),
    ...(taxable && { taxable: '1' }),
    ...Object.fromEntries(
      Object.entries(amounts)
        .filter(([, value]) => value !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => [name, text(value)]),
    ),
  }
}

export function parseOption(stored: StoredOption): ActionOption {
  const { ratio, toSecNo, option, type, taxable, ...amounts } = stored
  return {
    option,
    type,
    ...(ratio && { ratio: { received: decimal(ratio[0]), held: decimal(ratio[1]) } }),
    ...(toSecNo !== undefined && { toSecurity: toSecNo }),
    ...(taxable !== undefined && { taxable: true }),
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
