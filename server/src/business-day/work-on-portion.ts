/** The work of each step of a close on a portion of accounts. */
import type { PortionWork } from '../books/portion-work.ts'
import { raiseMissing } from '../store/books/missing-lines.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import { settleLines } from '../store/settlements.ts'
import { accrue } from './accrue.ts'
import { callAccounts } from './call-accounts.ts'
import { callCashAccounts } from './call-cash-accounts.ts'
import { mark } from './mark.ts'
import { sealPortion } from './seal.ts'

export async function workOn(work: PortionWork): Promise<PortionCounts> {
  const { tx, close, range } = work
  const { step, closeDate } = close
  switch (step) {
    case 'Settle':
      await settleLines(tx, closeDate, range)
      await raiseMissing(tx, closeDate, range, work.now)
      return {}
    case 'Accrue':
      await accrue(work)
      return {}
    case 'Mark':
      return mark(work)
    case 'Calls':
      return addCounts(await callAccounts(work), await callCashAccounts(work))
    case 'Seal':
      return sealPortion(work)
    case 'Move':
    case 'Closed':
      throw new Error(`step ${step} has no portions`)
    default:
      return step satisfies never
  }
}

function addCounts(one: PortionCounts, other: PortionCounts): PortionCounts {
  return {
    callsIssued: (one.callsIssued ?? 0) + (other.callsIssued ?? 0),
    callsMet: (one.callsMet ?? 0) + (other.callsMet ?? 0),
  }
}
