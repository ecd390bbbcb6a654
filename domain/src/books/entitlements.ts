/** The entitlement of an account that a line uses and that a restriction can suspend. Reading 3.2. */
import type { CodeOf } from '@clearing/protocol'
import type { ActivityLine } from './activity.ts'

export type Entitlement = CodeOf<'entitlement'>

/**
 * None for lines that happen without an act of the owner: dividends, fees, corporate actions, receipts. What a journal
 * uses depends on the other journals of its day (`usedByJournals`).
 */
export function entitlementsUsed(line: ActivityLine): Entitlement[] {
  if (line.cancels) return []
  switch (line.transType) {
    case 'Trade': {
      const opens = line.buySell === 'BUY' || line.buySell === 'SSL'
      const used: Entitlement[] = [opens ? 'Buying' : 'Selling']
      if (line.security?.option !== undefined) used.push('Options')
      if (opens && line.acctType !== 1) used.push('Margin')
      return used
    }
    case 'Exercise':
      return ['Options']
    case 'Withdrawal':
      return ['Withdrawals']
    case 'TransferOut':
      return ['TransfersOut']
    default:
      return []
  }
}
