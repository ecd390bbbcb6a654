/**
 * The nights of earlier closes whose debit later lines have changed: lines that came late, cancels, and corrections of
 * other lines. Such nights are computed on the settled debit with these lines, at the rates of the close, and at the
 * prices and rates of exchange that it knew. What differs from the interest that closes have computed is added to the
 * accrued interest.
 */
import { type Decimal, max, ZERO } from '@clearing/domain/decimal'
import { addMarketDays, interestOfNights } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { HeldCash, HeldPosition } from '../../store/day-accounts.ts'
import { type MarginInterest, readComputedNights } from '../../store/margin-interest.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import { readClosesOf, readSettledMoves, type SettledMove } from '../../store/settled-moves.ts'
import type { PortionWork } from '../portion-work.ts'
import { FactsOfNight } from './facts-of-night.ts'
import { debitOf, type FactsOfDebit } from './margin-debit.ts'
import type { MarginTail } from './margin-tail.ts'
import type { MarketFacts } from './market-facts.ts'
import { nightRates } from './night-rates.ts'

/** Interest to add for nights of earlier closes, by account. Accounts that no close has seen have no such nights. */
export async function readLateNights(
  { tx, close, facts, marginRates }: Pick<PortionWork, 'tx' | 'close' | 'facts' | 'marginRates'>,
  tails: readonly MarginTail[],
): Promise<Map<string, MarginInterest[]>> {
  const wanted = tails
    .filter(({ kept, lines }) => kept !== undefined && mayChangeNights(lines, kept.closeDate))
    .map((tail) => tail.wanted)
  if (wanted.length === 0) return new Map()
  const moves = await readSettledMoves(tx, wanted, close.closeDate)
  const since = new Map<string, string>()
  for (const [accountNumber, ofAccount] of moves) {
    const first = ofAccount.find(({ late }) => late)
    if (first !== undefined) since.set(accountNumber, first.settleDate)
  }
  const closes = await readClosesOf(tx, since, close.closeDate)
  const computed = await readComputedNights(tx, since, close.closeDate)
  const factsOf = await readFactsOfNights(tx, closes, moves, facts)
  const nights = new Map<string, MarginInterest[]>()
  for (const [accountNumber, dates] of closes) {
    const changed: MarginInterest[] = []
    const settled = new SettledAccount(moves.get(accountNumber) ?? [])
    const before = new Map((computed.get(accountNumber) ?? []).map((one) => [one.ofDate, one]))
    for (const ofDate of dates) {
      settled.goTo(ofDate)
      const known = factsOf(ofDate)
      const debit = settled.debit(known)
      if (debit === settled.debitWithout(known)) continue
      const night = before.get(ofDate)
      const closed = { closeDate: ofDate, nextDate: addMarketDays(ofDate, 1) }
      const rates = night?.rates ?? nightRates(closed, marginRates)
      const interest = interestOfNights(debit, rates) - (night?.interest ?? ZERO)
      const debitBefore = night?.debit ?? ZERO
      if (interest !== ZERO)
        changed.push({ closeDate: close.closeDate, ofDate, debit, debitBefore, rates, interest })
    }
    if (changed.length > 0) nights.set(accountNumber, changed)
  }
  return nights
}

/** The facts of each night, read once for all accounts. */
async function readFactsOfNights(
  tx: Tx,
  closes: ReadonlyMap<string, readonly string[]>,
  moves: ReadonlyMap<string, readonly SettledMove[]>,
  now: MarketFacts,
): Promise<(ofDate: string) => FactsOfNight> {
  const nights = new Map<string, { secNos: Set<string>; currencies: Set<string>; facts: FactsOfNight }>()
  for (const [accountNumber, dates] of closes) {
    const settled = new SettledAccount(moves.get(accountNumber) ?? [])
    for (const ofDate of dates) {
      settled.goTo(ofDate)
      const known = nights.get(ofDate)
      const night = known ?? {
        secNos: new Set(),
        currencies: new Set(),
        facts: new FactsOfNight(ofDate, now),
      }
      if (known === undefined) nights.set(ofDate, night)
      for (const secNo of settled.borrowed()) night.secNos.add(secNo)
      for (const currency of settled.currencies()) night.currencies.add(currency)
    }
  }
  for (const { facts, secNos, currencies } of nights.values())
    await facts.learn(tx, [...secNos], [...currencies])
  return (ofDate) => {
    const night = nights.get(ofDate)
    if (night === undefined) throw new Error(`the facts of the night of ${ofDate} were not read`)
    return night.facts
  }
}

/**
 * Whether lines since a close may have changed the nights until then. Most accounts have no such line, and are read no
 * further.
 */
export function mayChangeNights(lines: readonly MarginLine[], lastClose: string): boolean {
  return lines.some(({ tradeDate, correction }) => tradeDate <= lastClose || correction !== undefined)
}

/** What has settled in an account until a day, with and without late lines. */
class SettledAccount {
  readonly #moves: readonly SettledMove[]
  #next = 0
  readonly #all = new Balances()
  readonly #withoutLate = new Balances()

  constructor(moves: readonly SettledMove[]) {
    this.#moves = moves
  }

  /** Goes on to the end of a later day. */
  goTo(day: string): void {
    for (;;) {
      const move = this.#moves[this.#next]
      if (move === undefined || move.settleDate > day) return
      this.#all.add(move)
      if (!move.late) this.#withoutLate.add(move)
      this.#next += 1
    }
  }

  /** The securities of short positions. */
  borrowed(): string[] {
    const short = [...this.#all.short(), ...this.#withoutLate.short()]
    return short.map(({ secNo }) => secNo)
  }

  currencies(): string[] {
    return [...this.#all.cash(), ...this.#withoutLate.cash()].map(({ currency }) => currency)
  }

  debit(facts: FactsOfDebit): Decimal {
    return max(ZERO, debitOf(this.#all.cash(), this.#all.short(), facts))
  }

  debitWithout(facts: FactsOfDebit): Decimal {
    return max(ZERO, debitOf(this.#withoutLate.cash(), this.#withoutLate.short(), facts))
  }
}

const isCurrency = /^[A-Z]{3}$/

class Balances {
  readonly #held = new Map<string, Pick<SettledMove, 'acctType' | 'asset' | 'amount'>>()

  add({ acctType, asset, amount }: SettledMove): void {
    const name = `${acctType} ${asset}`
    const before = this.#held.get(name)?.amount ?? ZERO
    this.#held.set(name, { acctType, asset, amount: before + amount })
  }

  cash(): HeldCash[] {
    return [...this.#held.values()]
      .filter(({ asset }) => isCurrency.test(asset))
      .map(({ acctType, asset, amount }) => ({ acctType, currency: asset, amount }))
  }

  short(): HeldPosition[] {
    return [...this.#held.values()]
      .filter(({ asset, amount }) => !isCurrency.test(asset) && amount < ZERO)
      .map(({ acctType, asset, amount }) => ({ acctType, secNo: asset, quantity: amount }))
  }
}
