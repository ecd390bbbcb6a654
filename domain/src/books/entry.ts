/**
 * Double entry: an Entry is a set of legs that balances per currency and per security, and there is no other way to
 * have one. The customer's side stands against street, firm and location accounts: the stock record. Books 1, Double entry.
 */
import { type Decimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'

/** The customer's account, and whom it stands against. */
export type Ledger =
  | 'customer'
  /** Counterparties of trades, until settlement. */
  | 'street:clearing'
  /** Issuers and their agents: income, corporate actions, maturities. */
  | 'street:issuer'
  /** The clearing house of options. */
  | 'street:options'
  /** Firms that accounts come from and go to. */
  | 'street:transfer'
  | 'street:tax'
  /** Regulatory fees collected. */
  | 'street:regulator'
  | 'firm:commission'
  | 'firm:fees'
  /** Interest charged and paid by the firm. */
  | 'firm:interest'
  /** Journals between account types and accounts, until both sides are in. */
  | 'firm:journal'
  | 'location:bank'
  | 'location:depository'

export type Asset =
  | { readonly kind: 'cash'; readonly currency: string }
  | { readonly kind: 'security'; readonly securityKey: string }

export interface Leg {
  readonly ledger: Ledger
  /** Account type of a customer's leg, and of the customer whom another leg stands against. */
  readonly acctType: AcctType
  readonly asset: Asset
  /** Signed: what the ledger gains. */
  readonly amount: Decimal
}

declare const balanced: unique symbol

/** A balanced entry. Only `makeEntry` makes one. */
export interface Entry {
  readonly lineId: string
  readonly legs: readonly Leg[]
  readonly [balanced]: true
}

/** Makes an entry of legs that balance per currency and per security; legs of nothing are left out. Throws when they don't balance. */
export function makeEntry(lineId: string, legs: readonly Leg[]): Entry {
  const moving = legs.filter((leg) => leg.amount !== ZERO)
  for (const [at, { asset }] of moving.entries()) {
    // An asset's legs are summed up at the first of them: there are few, and a map costs more than looking at each again.
    if (moving.findIndex((leg) => isSameAsset(leg.asset, asset)) < at) continue
    let total = ZERO
    for (let other = at; other < moving.length; other += 1) {
      const leg = moving[other] as Leg
      if (isSameAsset(leg.asset, asset)) total += leg.amount
    }
    if (total !== ZERO)
      throw new Error(`entry of line ${lineId} is out of balance by ${total} units of ${nameOfAsset(asset)}`)
  }
  return Object.freeze({ lineId, legs: Object.freeze(moving) }) as Entry
}

/** The entry that takes another back: what a cancel posts. */
export function reverseEntry(entry: Entry, cancelId: string): Entry {
  return makeEntry(
    cancelId,
    entry.legs.map((leg) => ({ ...leg, amount: -leg.amount })),
  )
}

/** The entry that turns what a line posted into what it posts now; without legs when they are the same. */
export function correctingEntry(before: Entry, after: Entry): Entry {
  const sums = new Map<string, Leg>()
  const add = (leg: Leg, amount: Decimal) => {
    const name = `${leg.ledger} ${leg.acctType} ${nameOfAsset(leg.asset)}`
    sums.set(name, { ...leg, amount: amount + (sums.get(name)?.amount ?? ZERO) })
  }
  for (const leg of before.legs) add(leg, -leg.amount)
  for (const leg of after.legs) add(leg, leg.amount)
  return makeEntry(after.lineId, [...sums.values()])
}

export interface LedgerBalance {
  readonly ledger: Ledger
  readonly acctType: AcctType
  readonly asset: Asset
  readonly amount: Decimal
}

/** Adds entries up per ledger, account type and asset; balances of zero are left out. */
export function foldEntries(entries: Iterable<Entry>): LedgerBalance[] {
  const sums = new Map<string, LedgerBalance>()
  for (const { legs } of entries) {
    for (const { ledger, acctType, asset, amount } of legs) {
      const name = `${ledger} ${acctType} ${nameOfAsset(asset)}`
      sums.set(name, { ledger, acctType, asset, amount: amount + (sums.get(name)?.amount ?? ZERO) })
    }
  }
  return [...sums.values()].filter((balance) => balance.amount !== ZERO)
}

function isSameAsset(a: Asset, b: Asset): boolean {
  if (a === b) return true
  if (a.kind === 'cash') return b.kind === 'cash' && a.currency === b.currency
  return b.kind === 'security' && a.securityKey === b.securityKey
}

function nameOfAsset(asset: Asset): string {
  return asset.kind === 'cash' ? `cash ${asset.currency}` : `security ${asset.securityKey}`
}
