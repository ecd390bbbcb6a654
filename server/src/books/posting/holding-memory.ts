/**
 * Holdings as a load last left them, so that the next batch need not read them again. A holding counts only while the
 * account's books have just the lines that they had then, which the locked row of the books tells.
 */
import type { KeptHolding } from '../../store/books/holdings.ts'
import type { AccountChange } from './account-change.ts'

/** Lots and holdings remembered; beyond, everything is forgotten. */
const sizeMax = 300_000

interface Remembered {
  lineCount: bigint
  /** By secNo; null where there is none. */
  readonly holdings: Map<string, KeptHolding | null>
}

export class HoldingMemory {
  readonly #accounts = new Map<string, Remembered>()
  #size = 0

  forget(): void {
    this.#accounts.clear()
    this.#size = 0
  }

  /** Whether the books of the account were open in some batch of this load, committed or not. */
  knows(accountNumber: string): boolean {
    return this.#accounts.has(accountNumber)
  }

  /** The holding; null when there is none; undefined when that is not known. */
  recall(accountNumber: string, lineCount: bigint, secNo: string): KeptHolding | null | undefined {
    const known = this.#accounts.get(accountNumber)
    return known?.lineCount === lineCount ? known.holdings.get(secNo) : undefined
  }

  /** What was read now. */
  keep(accountNumber: string, lineCount: bigint, secNo: string, holding: KeptHolding | null): void {
    let known = this.#accounts.get(accountNumber)
    if (known === undefined || known.lineCount !== lineCount) {
      known = { lineCount, holdings: new Map() }
      this.#accounts.set(accountNumber, known)
    }
    this.#put(known, secNo, holding)
  }

  /** What a batch leaves, if it commits: otherwise the count of lines tells that it did not. */
  keepChanges(changes: readonly AccountChange[]): void {
    if (this.#size > sizeMax) this.forget()
    for (const { books, lines, holdings } of changes) {
      const before = this.#accounts.get(books.accountNumber)
      const lineCount = books.lineCount + BigInt(lines.length)
      const known: Remembered = {
        lineCount,
        holdings: before?.lineCount === books.lineCount ? before.holdings : new Map(),
      }
      this.#accounts.set(books.accountNumber, known)
      for (const [secNo, { after, lastDate, lastAtDayEnd }] of holdings) {
        this.#put(known, secNo, { state: after, lastDate, lastAtDayEnd })
      }
    }
  }

  #put(known: Remembered, secNo: string, holding: KeptHolding | null): void {
    known.holdings.set(secNo, holding)
    this.#size += 1
    for (const lots of holding?.state.lots ?? []) this.#size += lots.length
  }
}
