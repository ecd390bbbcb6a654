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
  const legs: Leg[] = []
  if (!dependsOnHolding(line.transType)) addLegsOfLine(legs, line, hasSettled)
  else {
    for (const { lineId, securityKey, quantity, cash } of movements) {
      if (lineId !== line.externalId) continue
      addSecurityLegs(legs, line, { securityKey, quantity }, hasSettled)
      addCashLegs(legs, line, { cash, isCharged: cash !== ZERO }, hasSettled)
    }
  }
  return makeEntry(line.externalId, legs)
}

/** Whether a line moves its `quantity` of its security, whatever is held. */
export function movesQuantity(transType: TransType): boolean {
  return ['Trade', 'Reinvest', 'TransferIn', 'Journal'].includes(transType)
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

function addLegsOfLine(legs: Leg[], line: ActivityLine, hasSettled: boolean): void {
  const movesShares = movesQuantity(line.transType)
  if (movesShares) {
    addSecurityLegs(legs, line, { securityKey: line.security?.key, quantity: line.quantity }, hasSettled)
  }
  addCashLegs(legs, line, { cash: line.netAmount ?? ZERO, isCharged: movesShares }, hasSettled)
}

function addSecurityLegs(
  legs: Leg[],
  line: ActivityLine,
  { securityKey, quantity }: Pick<Movement, 'securityKey' | 'quantity'>,
  hasSettled: boolean,
): void {
  if (securityKey === undefined) return
  const asset = { kind: 'security', securityKey } as const
  const { acctType } = line
  legs.push(
    { ledger: 'customer', acctType, asset, amount: quantity },
    { ledger: counterpartyOf(line, asset, hasSettled), acctType, asset, amount: -quantity },
  )
}

/** `isCharged`: the firm keeps the commission of the line, and passes the fee to the regulator. */
function addCashLegs(
  legs: Leg[],
  line: ActivityLine,
  { cash, isCharged }: { readonly cash: Decimal; readonly isCharged: boolean },
  hasSettled: boolean,
): void {
  const asset = { kind: 'cash', currency: line.currency } as const
  const { acctType, commission, secFee } = line
  let counter = -cash
  legs.push({ ledger: 'customer', acctType, asset, amount: cash })
  if (isCharged) {
    if (commission !== ZERO) legs.push({ ledger: 'firm:commission', acctType, asset, amount: commission })
    if (secFee !== ZERO) legs.push({ ledger: 'street:regulator', acctType, asset, amount: secFee })
    counter -= commission + secFee
  }
  legs.push({ ledger: counterpartyOf(line, asset, hasSettled), acctType, asset, amount: counter })
}
