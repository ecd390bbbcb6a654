/** emit-event: writes an event of any type to the log, so that its consumers can be tried. It has no other effect. */
import { type EventType, isOfAccount, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { sampleEvents } from '../sandbox/sample-events.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import { writeEventOfFirm, writeEventOfFirms } from '../store/firm-events.ts'
import { clearingFirmId } from '../store/firms.ts'
import type { Handler } from './context.ts'

/** Types that the log never contains. */
const trial = 'webhook.test'

export const emitEvent: Handler<'emit-event'> = async ({ type, accountNumber, note = '' }, context) => {
  const { tx, firm, now, traceId } = context
  if (type === trial) {
    return new Rejected([reject('ERR.1015', 'type', 'Use test-webhook to send a test event.')])
  }
  const remarks = { emitted: true, ...(note === '' ? {} : { note }) }
  const sample = accountNumber === undefined ? {} : { accountNumber }
  const content = { ...sampleEvents[type], ...sample, ...remarks }
  const event = { type, at: now, traceId, content }
  if (!isOfAccount(type as EventType)) {
    if (accountNumber !== undefined) {
      return new Rejected([
        reject('ERR.1015', 'accountNumber', 'An event of this type must not name an account.'),
      ])
    }
    if (firm.firmId === clearingFirmId) writeEventOfFirms(tx, event)
    else writeEventOfFirm(tx, { ...event, firmId: firm.firmId })
  } else {
    if (accountNumber === undefined) {
      return new Rejected([
        reject('ERR.1000', 'accountNumber', 'An event of this type must name an account.'),
      ])
    }
    const account = await readAccountHead(tx, accountNumber)
    if (account === undefined) return accountNotFound(context.firm)
    writeEvent(tx, { ...event, firmId: account.firm_id, accountNumber })
  }
  const changes = { type, ...remarks }
  writeAudit(context, { action: 'emit-event', ...(accountNumber ? { accountNumber } : {}), changes })
  return { type, accountNumber: accountNumber ?? '', time: now.toISOString() }
}
