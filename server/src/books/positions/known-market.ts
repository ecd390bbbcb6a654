/**
 * Securities with their prices, and exchange rates, read once for many accounts. They are those of one snapshot of the
 * database, for as long as a proof shows that no fact of the market has changed since (decision 154).
 */
import type { Decimal } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import type { MarketSnapshot, MarketState } from '../../store/books/market-state.ts'
import { type PricedSecurityRow, readPricedSecurities } from '../../store/books/prices/priced-securities.ts'
import { readRatesOn } from '../../store/books/rates.ts'

/** Limits the memory to about 10 MB. */
const securitiesMax = 5_000

interface KnownSecurity {
  readonly row: PricedSecurityRow
  /** The row is that of every time from the first to, exclusively, the second. */
  readonly from: Date
  readonly until: Date | undefined
}

export interface KnownSecurities {
  /** The securities, and the underlyings of options among them. */
  readonly rows: readonly PricedSecurityRow[]
  /** The time at which the next known price of one of them begins to count. Undefined if there is none. */
  readonly until: Date | undefined
}

export class KnownMarket {
  /** Undefined for a market that is read in one transaction only. */
  readonly snapshot: MarketSnapshot | undefined
  readonly #known = new Map<string, KnownSecurity>()
  #rates: { readonly day: string; readonly byCurrency: ReadonlyMap<string, Decimal> } | undefined

  constructor(snapshot?: MarketSnapshot) {
    this.snapshot = snapshot
  }

  /** `tx` must see the market as it is in the snapshot. */
  async read(tx: Tx, secNos: readonly string[], now: Date): Promise<KnownSecurities> {
    const found = new Map<string, KnownSecurity>()
    const missing: string[] = []
    const underlyings = secNos.flatMap((secNo) => this.#underlyingOf(secNo) ?? [])
    for (const secNo of new Set([...secNos, ...underlyings])) {
      const known = this.#known.get(secNo)
      if (known !== undefined && covers(known, now)) found.set(secNo, known)
      else missing.push(secNo)
    }
    if (missing.length > 0) {
      const rows = await readPricedSecurities(tx, missing, now)
      this.#makeRoom(rows.length)
      for (const row of rows) found.set(String(row.sec_no), this.#remember(row, now))
    }
    const ends = [...found.values()].flatMap(({ until }) => until ?? [])
    return {
      rows: [...found.values()].map(({ row }) => row),
      until: ends.length === 0 ? undefined : new Date(Math.min(...ends.map(Number))),
    }
  }

  /** US dollars for one unit of each currency, by the latest rate until the day. As above for `tx`. */
  async ratesOn(tx: Tx, day: string): Promise<ReadonlyMap<string, Decimal>> {
    if (this.#rates?.day !== day) this.#rates = { day, byCurrency: await readRatesOn(tx, day, null) }
    return this.#rates.byCurrency
  }

  /** Forgets all, and never a part: an option is known only together with its underlying. */
  #makeRoom(count: number): void {
    if (this.#known.size + count <= securitiesMax) return
    this.#known.clear()
  }

  #remember(row: PricedSecurityRow, now: Date): KnownSecurity {
    const until = row.next_priced_at === null ? undefined : new Date(row.next_priced_at)
    const known = { row, from: now, until }
    this.#known.set(String(row.sec_no), known)
    return known
  }

  /** The underlying of a known option. It was read together with the option. */
  #underlyingOf(secNo: string): string | undefined {
    return this.#known.get(secNo)?.row.underlying_no ?? undefined
  }
}

function covers({ from, until }: KnownSecurity, now: Date): boolean {
  return from <= now && (until === undefined || now < until)
}

/** The last market whose facts were proved in a process. */
export class KnownMarkets {
  #last = new KnownMarket()

  get last(): KnownMarket {
    return this.#last
  }

  /** The market of a transaction: the given last one if its facts have not changed, otherwise a new one. */
  of(last: KnownMarket, { unchanged, ...snapshot }: MarketState): KnownMarket {
    if (unchanged) return last
    this.#last = new KnownMarket(snapshot)
    return this.#last
  }
}
