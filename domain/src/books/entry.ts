/**
 * Double entry: an Entry is a set of legs that balances per currency and per security, and no other kind can exist. The
 * customer's side has street, firm and location accounts as its counterparty: the stock record. Books 1, Double entry.
 */
import { type Decimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'

/** The customer's account and its counterparties. */
export type Ledger =
  | 'customer'
  /** Counterparties of trades, until settlement. */
  | 'street:clearing'
  /** Issuers and their agents: income, corporate actions, maturities. */
  | 'street:issuer'
  /** The clearing house for options. */
  | 'street:options'
  /** Firms that accounts are transferred from and to. */
  | 'street:transfer'
  | 'street:tax'
  /** Regulatory fees collected. */
  | 'street:regulator'
  | 'firm:commission'
  | 'firm:fees'
  /** Interest charged and paid by the firm. */
  | 'firm:interest'
  /** Journals between account types and accounts, until both sides are booked. */
  | 'firm:journal'
  | 'location:bank'
  | 'location:depository'

export type Asset =
  | { readonly kind: 'cash'; readonly currency: string }
  | { readonly kind: 'security'; readonly securityKey: string }

export interface Leg {
  readonly ledger: Ledger
  /** Account type of a customer's leg, or of the customer whose counterparty this leg is. */
  readonly acctType: AcctType
  readonly asset: Asset
  /** Signed: the amount by which the ledger increases. */
  readonly amount: Decimal
}

declare const balanced: unique symbol

/** A balanced entry. Only `makeEntry` makes one. */
export interface Entry {
  readonly lineId: string
  readonly legs: readonly Leg[]
  readonly [balanced]: true
}

/**
 * Makes an entry of legs that balance per currency and per security, and omits legs of zero. Throws if they do not
 * balance.
 */
export function makeEntry(lineId: string, legs: readonly Leg[]): Entry {
  const moving = legs.filter((leg) => leg.amount !== ZERO)
  for (let at = 0; at < moving.length; at += 1) {
    const { asset } = moving[at] as Leg
    // The legs of an asset are summed at the first of them. There are few legs, and a map costs more than a second
    // scan.
    if (isAmong(moving, at, asset)) continue
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

/** Whether one of the first legs, up to `count`, moves the asset. */
function isAmong(legs: readonly Leg[], count: number, asset: Asset): boolean {
  for (let at = 0; at < count; at += 1) if (isSameAsset((legs[at] as Leg).asset, asset)) return true
  return false
}

/** The entry that reverses another, which a cancel posts. */
export function reverseEntry(entry: Entry, cancelId: string): Entry {
  return makeEntry(
    cancelId,
    entry.legs.map((leg) => ({ ...leg, amount: -leg.amount })),
  )
}

/** The entry that changes what a line posted before into what it posts now. Without legs when both are equal. */
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

/** Sums entries per ledger, account type and asset, and omits balances of zero. */
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
