/** What of an account a line makes use of, and a restriction may have suspended (Reading 3.2). */
import type { CodeOf } from '@clearing/protocol'
import type { ActivityLine } from './activity.ts'

export type Entitlement = CodeOf<'entitlement'>

/** None for what happens to an account without its owner's doing: dividends, fees, corporate actions, what comes in. */
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
