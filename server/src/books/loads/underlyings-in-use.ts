/**
 * Options that activity names and whose lines name their underlyings otherwise. A line may name the same security, or
 * what that security has become, but no other one.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import {
  keepUnderlyings,
  readUnderlyingsInUse,
  type UnderlyingInUse,
} from '../../store/books/prices/loaded-underlyings.ts'
import type { SecurityValues } from '../lines/shapes.ts'
import { type Draft, type Drafts, findDraft } from './security-drafts.ts'

export class UnderlyingsInUse {
  readonly #drafts: Drafts
  readonly #known: ReadonlyMap<bigint, UnderlyingInUse>

  private constructor(drafts: Drafts, known: ReadonlyMap<bigint, UnderlyingInUse>) {
    this.#drafts = drafts
    this.#known = known
  }

  /** Usually no line names another underlying, and nothing is read. */
  static async of(tx: Tx, drafts: Drafts, lines: readonly SecurityValues[]): Promise<UnderlyingsInUse> {
    const options = new Set<bigint>()
    const names = new Set<string>()
    for (const values of lines) {
      const { underlying } = values
      const row = underlying === undefined ? undefined : findDraft(drafts, values, [])?.row
      if (!row?.in_use || row.put_call === null || row.underlying === null || row.underlying === underlying)
        continue
      options.add(row.sec_no)
      names.add(underlying as string)
    }
    if (options.size === 0) return new UnderlyingsInUse(drafts, new Map())
    await drafts.learn(
      tx,
      [...names].map((name) => ({ symbol: name, cusip: name, isin: name, sedol: name })),
    )
    return new UnderlyingsInUse(drafts, await readUnderlyingsInUse(tx, [...options]))
  }

  /** Whether the line is examined after the others of its batch, which may load the security that it names. */
  concerns(values: SecurityValues): boolean {
    if (this.#known.size === 0) return false
    const row = findDraft(this.#drafts, values, [])?.row
    return row !== undefined && this.#known.has(row.sec_no)
  }

  refuse({ row }: Draft, { underlying }: Pick<Draft['facts'], 'underlying'>): Rejection[] {
    const known = row && this.#known.get(row.sec_no)
    if (known === undefined || underlying === row?.underlying) return []
    const named = this.#named(underlying)
    if (named !== undefined && known.way.has(String(named))) return []
    const reason =
      'underlying cannot change to another security once activity names the option. If it names the same security, load that security first.'
    return [reject('ERR.1021', 'underlying', reason)]
  }

  /** Keeps the accepted options that name what their underlying has become. */
  keep(tx: Tx): void {
    const kept = this.#drafts.all.flatMap(({ row, facts, changed }) => {
      const known = changed && row ? this.#known.get(row.sec_no) : undefined
      if (row === undefined || known === undefined || facts.underlying === row.underlying) return []
      if (this.#named(facts.underlying) === known.underlyingNo) return []
      return [{ secNo: row.sec_no, name: String(facts.underlying), underlyingNo: known.underlyingNo }]
    })
    keepUnderlyings(tx, kept)
  }

  /** The number of the security that a text names. Undefined for a new one. */
  #named(name: Draft['facts']['underlying']): bigint | undefined {
    for (const identifier of ['symbol', 'cusip', 'isin', 'sedol'] as const) {
      const found = this.#drafts.find(identifier, String(name))
      if (found !== undefined) return found.row?.sec_no
    }
    return undefined
  }
}
