/** The entitlement of an account that a line uses and that a restriction can suspend. Reading 3.2. */
import type { CodeOf } from '@clearing/protocol'
import { type Decimal, max, ZERO } from '../decimal.ts'
import type { AcctType, ActivityLine } from './activity.ts'

export type Entitlement = CodeOf<'entitlement'>

const none: ReadonlySet<string> = new Set()

/**
 * None for lines that happen without an act of the owner: dividends, fees, corporate actions, receipts. Whether a
 * journal leaves the account depends on the other journals of its day (`usedByJournals`). `borrowed`: the currencies in
 * which the lines raise the debit of the account.
 */
export function entitlementsUsed(line: ActivityLine, borrowed: ReadonlySet<string> = none): Entitlement[] {
  if (line.cancels) return []
  const { transType, buySell, acctType, security } = line
  const isShort = transType === 'Trade' && buySell === 'SSL' && acctType !== 1
  const onCredit: Entitlement[] =
    isShort || (borrowed.has(line.currency) && takesCash(line)) ? ['Margin'] : []
  switch (transType) {
    case 'Trade': {
      const opens = buySell === 'BUY' || buySell === 'SSL'
      const options: Entitlement[] = security?.option === undefined ? [] : ['Options']
      return [opens ? 'Buying' : 'Selling', ...options, ...onCredit]
    }
    case 'Exercise':
      return [...(buysShares(line) ? (['Buying'] as const) : []), 'Options', ...onCredit]
    case 'Withdrawal':
      return ['Withdrawals', ...onCredit]
    case 'TransferOut':
      return ['TransfersOut', ...onCredit]
    default:
      return onCredit
  }
}

/** Whether the line is an act of the owner that takes cash out of the margin account, and so can raise its debit. */
export function takesCash(line: ActivityLine): boolean {
  const { transType, buySell, acctType, security, netAmount } = line
  if (line.cancels || acctType === 1) return false
  switch (transType) {
    case 'Trade':
      return buySell === 'BUY'
    case 'Exercise':
      return buysShares(line)
    case 'Withdrawal':
      return true
    case 'TransferOut':
      return security === undefined
    case 'Journal':
      return netAmount !== undefined && netAmount < ZERO
    default:
      return false
  }
}

/** A call that is settled in cash buys nothing. Shares that are delivered in account type 3 cover a short sale. */
function buysShares({ security, toSecurity, acctType }: ActivityLine): boolean {
  return security?.option?.putCall === 'Call' && toSecurity !== undefined && acctType !== 3
}

/** Cash in one currency by account type, with money-market funds. */
export type OwnCash = Partial<Readonly<Record<AcctType, Decimal>>>

/** What the margin account owes: the proceeds of short sales in account type 3 are not the customer's own cash. */
export function debitOf({ 2: margin = ZERO, 3: short = ZERO }: OwnCash): Decimal {
  return max(ZERO, -(margin + (short < ZERO ? short : ZERO)))
}
