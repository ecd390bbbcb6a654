/**
 * The sign of the cash that a line moves: positive into the account, negative out of it. A sign that contradicts the
 * kind of the line is refused; a reversal is a cancel, or a kind of its own. Books 1.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { abs, type Decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { TransType } from './activity.ts'
import type { ActivityDraft } from './complete-activity.ts'
import type { Break } from './effects.ts'

/** Kinds that only bring money in and kinds that only take it out, with the name of the opposite kind. */
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

/** Kinds that move no cash except cash in lieu of fractions. */
const IN_LIEU: ReadonlySet<TransType> = new Set([
  'Split',
  'StockDividend',
  'Spinoff',
  'NameChange',
  'Expiration',
])

/** Explains why the sign of the given netAmount contradicts the kind of the line. Undefined when it does not. */
export function contradictsKind(draft: ActivityDraft): Rejection | undefined {
  const { transType, netAmount = ZERO, cashInLieu = ZERO } = draft
  if (netAmount === ZERO) return undefined
  if (IN_LIEU.has(transType)) {
    const reason = `${transType} moves no cash except cashInLieu; leave netAmount out.`
    return abs(netAmount) === cashInLieu ? undefined : reject('ERR.1015', 'netAmount', reason)
  }
  const opposite = IN[transType] ?? OUT[transType]
  if (opposite === undefined || netAmount > ZERO === (IN[transType] !== undefined)) return undefined
  return contradiction(
    IN[transType] !== undefined,
    transType,
    `For the opposite direction, send a cancel or a ${opposite}.`,
  )
}

/** A netAmount with the wrong sign for its kind. */
export function contradiction(comesIn: boolean, what: string, hint = ''): Rejection {
  const way = comesIn ? 'brings money into the account' : 'takes money out of the account'
  const sign = comesIn ? 'negative' : 'positive'
  return reject('ERR.1015', 'netAmount', `${what} ${way}: netAmount must not be ${sign}. ${hint}`.trimEnd())
}

/** The rejection of a netAmount that has the computed size and the wrong sign. */
export function wrongSign(computed: Decimal, what: string): Rejection {
  const reason = `${what} comes to ${renderDecimal(computed, 2)}: netAmount is positive into the account and negative out of it.`
  return reject('ERR.1015', 'netAmount', reason)
}

/**
 * Explains why the amount of a line contradicts the position that the line turned out to act on. Undefined when it does
 * not.
 */
export function contradictsPosition(breaks: readonly Break[]): Rejection | undefined {
  const found = breaks.find(({ kind }) => kind === 'AmountDisagrees')
  return found && reject('ERR.1015', 'netAmount', found.reason)
}
