/** Securities while a batch of lines changes them, found by their identifiers. */
import { cusipOfIsin, isinOfCusip } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { findSecurities, type SecurityFact, type SecurityRow } from '../../store/books/securities.ts'
import type { SecurityValues } from '../lines/shapes.ts'

export const idNames = ['cusip', 'isin', 'sedol', 'symbol'] as const
type IdName = (typeof idNames)[number]

/** A security that is being written. A new security has no row. */
export interface Draft {
  readonly row: SecurityRow | undefined
  facts: Record<SecurityFact, string | number | boolean | null>
  changed: boolean
}

export class Drafts {
  readonly all: Draft[] = []
  readonly #byId = new Map<string, Draft>()
  /** Lines that follow give these securities other symbols. */
  #givingUp: ReadonlySet<Draft> = new Set()

  /** Reads the stored securities that have one of the identifiers. */
  async learn(tx: Tx, named: readonly Pick<SecurityValues, IdName>[]): Promise<void> {
    const given = idNames.flatMap((name) =>
      named.flatMap((values) => {
        const value = values[name]
        return value === undefined ? [] : [{ name, value }, ...alsoNamed(name, value)]
      }),
    )
    const of = (wanted: IdName) => given.flatMap(({ name, value }) => (name === wanted ? [value] : []))
    const by = { cusip: of('cusip'), isin: of('isin'), sedol: of('sedol'), symbol: of('symbol'), secNo: [] }
    const known = new Set(this.all.map(({ row }) => row?.sec_no))
    for (const row of await findSecurities(tx, by)) {
      if (!known.has(row.sec_no)) this.add({ row, facts: { ...row }, changed: false })
    }
  }

  add(draft: Draft): void {
    this.all.push(draft)
    this.index(draft)
  }

  index(draft: Draft): void {
    for (const name of idNames) {
      const value = draft.facts[name]
      if (value !== null) this.#byId.set(`${name} ${value}`, draft)
    }
  }

  /** Other securities can take the symbols of these, until each has its new one. */
  giveUp(drafts: ReadonlySet<Draft>): void {
    this.#givingUp = drafts
  }

  #isGivenUp(draft: Draft, name: IdName): boolean {
    return name === 'symbol' && this.#givingUp.has(draft) && draft.facts.symbol === draft.row?.symbol
  }

  find(name: IdName, value: string): Draft | undefined {
    const found = this.#byId.get(`${name} ${value}`)
    if (found !== undefined && found.facts[name] === value && !this.#isGivenUp(found, name)) return found
    return alsoNamed(name, value)
      .map((also) => this.#byId.get(`${also.name} ${also.value}`))
      .find((draft) => draft?.facts[name] === null)
  }
}

/**
 * A US or Canadian ISIN contains the CUSIP, so each of the two finds a security that is known only by the
 * other.
 */
function alsoNamed(name: IdName, value: string): { readonly name: IdName; readonly value: string }[] {
  if (name === 'isin') return [{ name: 'cusip' as const, value: cusipOfIsin(value) }].flatMap(withValue)
  if (name !== 'cusip') return []
  return (['US', 'CA'] as const)
    .map((country) => ({ name: 'isin' as const, value: isinOfCusip(value, country) }))
    .flatMap(withValue)
}

function withValue<Name>({ name, value }: { readonly name: Name; readonly value: string | null }) {
  return value === null ? [] : [{ name, value }]
}

/**
 * The security that the line describes. An identifier other than the symbol finds it alone. A symbol finds it
 * only if no other identifier contradicts.
 */
export function findDraft(
  drafts: Drafts,
  values: SecurityValues,
  rejections: Rejection[],
): Draft | undefined {
  let found: Draft | undefined
  for (const name of idNames) {
    const value = values[name]
    const draft = value === undefined ? undefined : drafts.find(name, value)
    if (draft === undefined) continue
    if (found !== undefined && found !== draft) {
      rejections.push(reject('ERR.1014', name, `Another security has this ${name}.`))
      continue
    }
    const contradicted = idNames.find((other) => {
      const its = draft.facts[other]
      return (
        other !== 'symbol' &&
        other !== name &&
        values[other] !== undefined &&
        its !== null &&
        its !== values[other]
      )
    })
    if (found === undefined && contradicted !== undefined) {
      rejections.push(
        reject('ERR.1014', name, `Another security has this ${name}: its ${contradicted} differs.`),
      )
      continue
    }
    found = draft
  }
  return found
}
