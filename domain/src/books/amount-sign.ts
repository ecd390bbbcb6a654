/**
 * One signed amount: the cash that a line moves is positive into the account and negative out of it, and its sign may not
 * contradict the kind of the line. What goes the other way is a cancel, or a kind of its own. Books 1.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { abs, type Decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { TransType } from './activity.ts'
import type { ActivityDraft } from './complete-activity.ts'
import type { Break } from './effects.ts'

/** Kinds that only bring money in, and kinds that only take it out, with what the opposite is called. */
const IN: { readonly [Kind in TransType]?: string } = {
  Deposit: 'DepositReturn',
  WithdrawalReturn: 'Withdrawal',
  FeeRefund: 'Fee',
  TaxRefund: 'Tax',
  TransferIn: 'TransferOut',
}
const OUT: { readonly [Kind in TransType]?: string } = {
  Withdrawal: 'WithdrawalReturn',
  DepositReturn: 'Deposit',
  Fee: 'FeeRefund',
  Tax: 'TaxRefund',
  TransferOut: 'TransferIn',
}

/** Kinds that move no cash but what comes in lieu of fractions. */
const IN_LIEU: ReadonlySet<TransType> = new Set([
  'Split',
  'StockDividend',
  'Spinoff',
  'NameChange',
  'Expiration',
])

/** Why the sign of the netAmount given contradicts the kind of the line, whatever its size; undefined when it does not. */
export function contradictsKind(draft: ActivityDraft): Rejection | undefined {
  const { transType, netAmount = ZERO, cashInLieu = ZERO } = draft
  if (netAmount === ZERO) return undefined
  if (IN_LIEU.has(transType)) {
    const reason = `${transType} moves no cash but cashInLieu; leave netAmount out.`
    return abs(netAmount) === abs(cashInLieu) ? undefined : reject('ERR.1015', 'netAmount', reason)
  }
  const opposite = IN[transType] ?? OUT[transType]
  if (opposite === undefined || netAmount > ZERO === (IN[transType] !== undefined)) return undefined
  return contradiction(
    IN[transType] !== undefined,
    transType,
    `What goes the other way is a cancel or a ${opposite}.`,
  )
}

/** A netAmount that must come in (or go out) and does not. */
export function contradiction(comesIn: boolean, what: string, hint = ''): Rejection {
  const way = comesIn ? 'brings money into the account' : 'takes money out of the account'
  const sign = comesIn ? 'negative' : 'positive'
  return reject('ERR.1015', 'netAmount', `${what} ${way}: netAmount must not be ${sign}. ${hint}`.trimEnd())
}

/** The rejection of an amount that is what is computed, with the wrong sign. */
export function wrongSign(computed: Decimal, what: string): Rejection {
  const reason = `${what} comes to ${renderDecimal(computed, 2)}: netAmount is positive into the account and negative out of it.`
  return reject('ERR.1015', 'netAmount', reason)
}

/** Why a line cannot be taken whose amount contradicts the position that it turned out to be of; undefined when there is none. */
export function contradictsPosition(breaks: readonly Break[]): Rejection | undefined {
  const found = breaks.find(({ kind }) => kind === 'AmountDisagrees')
  return found && reject('ERR.1015', 'netAmount', found.reason)
}
