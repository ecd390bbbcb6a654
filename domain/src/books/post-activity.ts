/** The entry that each line of activity posts, with its counterparties. Books 1, Double entry. */
import { type Decimal, ZERO } from '../decimal.ts'
import { type ActivityLine, dependsOnHolding, type TransType } from './activity.ts'
import type { Movement } from './effects.ts'
import { type Asset, type Entry, type Ledger, type Leg, makeEntry } from './entry.ts'

/**
 * The entry of a line. The movements of kinds that `dependsOnHolding` are not in the line: pass those of the fold; they
 * are ignored for other kinds. When a late line changes them, post `correctingEntry` of the old and the new entry. A
 * cancel has no entry of its own: it posts `reverseEntry` of the line that it cancels. If a trade `hasSettled` before
 * it is posted, the bank and the depository are the counterparties at once.
 */
export function postActivity(
  line: ActivityLine,
  movements: readonly Movement[] = [],
  hasSettled = false,
): Entry {
  if (line.cancels)
    throw new Error(`line ${line.externalId} is a cancel: reverse the entry of line ${line.tagNo}`)
  if (!dependsOnHolding(line.transType)) return makeEntry(line.externalId, legsOfLine(line, hasSettled))
  const legs = movements
    .filter((movement) => movement.lineId === line.externalId)
    .flatMap(({ securityKey, quantity, cash }) => [
      ...securityLegs(line, securityKey, quantity, hasSettled),
      ...cashLegs(line, cash, cash === ZERO ? [] : charges(line), hasSettled),
    ])
  return makeEntry(line.externalId, legs)
}

/** The counterparty of each kind of line. */
const COUNTERPARTY: Readonly<Record<TransType, Ledger>> = {
  Trade: 'street:clearing',
  Deposit: 'location:bank',
  DepositReturn: 'location:bank',
  Withdrawal: 'location:bank',
  WithdrawalReturn: 'location:bank',
  Journal: 'firm:journal',
  Dividend: 'street:issuer',
  Interest: 'firm:interest',
  Fee: 'firm:fees',
  FeeRefund: 'firm:fees',
  Tax: 'street:tax',
  TaxRefund: 'street:tax',
  CapitalGain: 'street:issuer',
  TransferIn: 'street:transfer',
  TransferOut: 'street:transfer',
  Split: 'street:issuer',
  StockDividend: 'street:issuer',
  Merger: 'street:issuer',
  Spinoff: 'street:issuer',
  ReturnOfCapital: 'street:issuer',
  Reinvest: 'street:issuer',
  Maturity: 'street:issuer',
  Redemption: 'street:issuer',
  Exercise: 'street:options',
  Assignment: 'street:options',
  Expiration: 'street:options',
  FactorChange: 'street:issuer',
  NameChange: 'street:issuer',
}

function whereSettled(asset: Asset): Ledger {
  return asset.kind === 'cash' ? 'location:bank' : 'location:depository'
}

function counterpartyOf(line: ActivityLine, asset: Asset, hasSettled: boolean): Ledger {
  // Interest on a security is paid by its issuer, all other interest by the firm.
  if (line.transType === 'Interest' && line.security !== undefined) return 'street:issuer'
  const ledger = COUNTERPARTY[line.transType]
  return hasSettled && ledger === 'street:clearing' ? whereSettled(asset) : ledger
}

function legsOfLine(line: ActivityLine, hasSettled: boolean): Leg[] {
  const movesShares =
    line.transType === 'Trade' ||
    line.transType === 'Reinvest' ||
    line.transType === 'TransferIn' ||
    line.transType === 'Journal'
  const shares = movesShares ? securityLegs(line, line.security?.key, line.quantity, hasSettled) : []
  const cash = line.netAmount ?? ZERO
  return [...shares, ...cashLegs(line, cash, movesShares ? charges(line) : [], hasSettled)]
}

function securityLegs(
  line: ActivityLine,
  securityKey: string | undefined,
  quantity: Decimal,
  hasSettled: boolean,
): Leg[] {
  if (securityKey === undefined) return []
  const asset = { kind: 'security', securityKey } as const
  const { acctType } = line
  return [
    { ledger: 'customer', acctType, asset, amount: quantity },
    { ledger: counterpartyOf(line, asset, hasSettled), acctType, asset, amount: -quantity },
  ]
}

/** The part of the cash that the firm keeps or passes to the regulator. */
function charges(line: ActivityLine): [Ledger, Decimal][] {
  return [
    ['firm:commission', line.commission],
    ['street:regulator', line.secFee],
  ]
}

function cashLegs(
  line: ActivityLine,
  cash: Decimal,
  charged: readonly [Ledger, Decimal][],
  hasSettled: boolean,
): Leg[] {
  const asset = { kind: 'cash', currency: line.currency } as const
  const { acctType } = line
  let counter = -cash
  const legs: Leg[] = [{ ledger: 'customer', acctType, asset, amount: cash }]
  for (const [ledger, amount] of charged) {
    legs.push({ ledger, acctType, asset, amount })
    counter -= amount
  }
  legs.push({ ledger: counterpartyOf(line, asset, hasSettled), acctType, asset, amount: counter })
  return legs
}
