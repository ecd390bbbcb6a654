/**
 * update-account: merges the blocks sent into the record, or changes nothing; the version it replaces is kept. Changes that need a second
 * person's approval are judged now and wait for it, all of the request together (Reading 3.9).
 */
import { approvalSubjectsOf, type FieldChange, renderShape2 } from '@clearing/domain'
import { reject } from '@clearing/protocol'
import { askForChange, changedFields, subjectsToApprove } from '../changes/ask-for-change.ts'
import { whyFixed } from '../changes/why-fixed.ts'
import { Answered, type Context, type Handler, Rejected } from '../context.ts'
import { answerFieldFollowUps, hasOpenFieldFollowUp } from '../onboarding/follow-ups.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import { accountNotFound } from './account-not-found.ts'
import { amendRecord } from './amend-record.ts'
import { recordReading } from './record-reading.ts'
import { rendering } from './rendering.ts'
import { refuseOutsideHours } from './update-hours.ts'

export const updateAccount: Handler<'update-account'> = async (request, context) => {
  const { refused, tx, keys } = context
  const closed = context.parts.updateHours ? refuseOutsideHours(context.now) : undefined
  if (closed) return closed
  if (request.accountNumber === undefined) return new Rejected(refused.rejections)
  const account = await lockAccountRow(tx, request.accountNumber, keys)
  if (!account) return accountNotFound()
  const fixed = (await awaitsField(account, context))
    ? undefined
    : await whyFixed(tx, account, 'accountNumber')
  if (fixed !== undefined) return new Rejected([fixed])
  if (request.expectedVersion !== undefined && request.expectedVersion !== account.version) {
    return new Rejected([
      reject(
        'ERR.2010',
        'expectedVersion',
        `The record has version ${account.version}; read it again before changing it.`,
      ),
    ])
  }
  let waiting: readonly FieldChange[] = []
  const waits = (changes: readonly FieldChange[]): boolean => {
    // An application is decided on as a whole: what changes in it needs no approval of its own.
    if (account.status !== 'Pending' && subjectsToApprove(context, approvalSubjectsOf(changes)).length > 0)
      waiting = changes
    return waiting.length > 0
  }
  const amended = await amendRecord(account, request, context, 'update-account', undefined, waits)
  if ('rejections' in amended) return new Rejected(amended.rejections)
  await answerFieldFollowUps(context, account, amended.changes)
  // The whole record is answered, not only what was sent.
  await recordReading(context, account, 'update-account')
  const data = renderShape2(amended.account.record, rendering(amended.account, context))
  if (waiting.length === 0) return data
  const { change_id: changeId } = askForChange(context, {
    operation: 'update-account',
    accountNumber: account.accountNumber,
    subjects: approvalSubjectsOf(waiting),
    request,
    fields: changedFields(waiting),
    version: account.version,
    reason: '',
  })
  const message = `The record is unchanged: change ${changeId} awaits a second person's approval.`
  return new Answered(data, { message })
}

/** An application that waits for a field that the firm must supply can be changed as an Open account can (Reading 3.9, 4.5). */
const awaitsField = async (account: Account, context: Context): Promise<boolean> =>
  account.status === 'Pending' && (await hasOpenFieldFollowUp(context.tx, account.accountNumber))
