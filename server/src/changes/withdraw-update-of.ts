/**
 * A firm withdraws its own change of an account before it is decided. Matches of the change stay open, because the
 * firm has named the person as one of the account (decision 232). A change that states a political office is not
 * withdrawn (decision 301).
 */
import { stepsOfChange } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { settleChange } from '../firm-rules/settle-change.ts'
import { parseUuid } from '../ids.ts'
import { lockChangeRow, type StoredChange, stageOf } from '../store/changes.ts'

/** The change as withdrawn now or before. */
export async function withdrawUpdateOf(
  context: FirmContext,
  { accountNumber, changeId }: { readonly accountNumber: string; readonly changeId: string },
): Promise<StoredChange | Rejected> {
  const id = parseUuid(changeId)
  const locked = id === undefined ? undefined : await lockChangeRow(context.tx, id)
  const change = locked?.change
  if (change === undefined || change.account_number !== accountNumber) return new Rejected([notFound])
  if (!(await isOfTheFirm(change, context))) return new Rejected([ofOperations])
  const next = stepsOfChange.withdrawByFirm[stageOf(change)]
  if (next === 'stay') return change
  if (next === 'decided') return new Rejected([decided(change)])
  if (statesOffice(change)) return new Rejected([reviewed])
  return settleChange(context, change, next, { by: context.caller.clientId, reason: '' })
}

/** Whether the caller, or another credential of the caller's firm, requested the change. */
async function isOfTheFirm(change: StoredChange, { caller, parts }: FirmContext): Promise<boolean> {
  if (change.operation !== 'update-account') return false
  if (change.requested_by === caller.clientId) return true
  const { credentials } = await parts.identity.directory.current()
  const firmOf = (clientId: string) => credentials.get(clientId)?.firmId
  return firmOf(change.requested_by) === change.firm_id && firmOf(caller.clientId) === change.firm_id
}

/**
 * Whether a person decides on a political office that the change states. Who holds it does not change with what the
 * firm states (decision 276), and the firm knows from the response why the change waits.
 */
function statesOffice({ fields }: StoredChange): boolean {
  return fields.some(({ field, after }) => field === 'finding' && after.startsWith('PoliticalForeign: '))
}

const reviewed = reject(
  'ERR.2010',
  'changeId',
  'The change states a political office, on which operations decide. If it was stated by mistake, tell them: they reject the change.',
)
const notFound = reject('ERR.2013', 'changeId', 'The account has no change with this id.')
const ofOperations = reject(
  'ERR.1003',
  '',
  'Operations requested this change, and only they can withdraw it.',
)

/** The firm learns when it was decided, and not by whom. */
function decided({ state, decided_at }: StoredChange): Rejection {
  const reason =
    state === 'Approved'
      ? `The change was approved on ${decided_at} and has taken effect. Change the record again with update-account.`
      : `The change was rejected on ${decided_at} and has no effect. Its event change.rejected says why.`
  return reject('ERR.2010', 'changeId', reason)
}
