/**
 * decide-work: applies one decision to several items. Each item is decided as by the operation of its queue.
 */
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { decideOnChange } from '../changes/decide.ts'
import { forEachItem } from '../changes/each-item.ts'
import { isDeathCertificate } from '../changes/owner-died.ts'
import type { WorkRow } from '../store/work-list.ts'
import type { WorkQueue } from '../store/work-queues.ts'
import type { Context, Handler } from './context.ts'
import { decideDocument } from './decide-document.ts'
import { decideMatch } from './decide-match.ts'
import { decideOnboarding } from './decide-onboarding.ts'

type Decision = Omit<Request<'decide-work'>, 'workIds'>
/**
 * Decides on one item. It must refuse before its first write: the transaction of the items that were decided commits
 * what a refused one has written. Therefore a conditional statement comes before every other.
 */
type Decide = (item: WorkRow, decision: Decision, context: Context) => Promise<unknown>

const decideChange: Decide = (item, { decision, reason = '' }, context) =>
  decideOnChange(context, { changeId: item.item_id, approved: decision === 'Approved', reason })

const deciders: Readonly<Partial<Record<WorkQueue, Decide>>> = {
  Application: (item, { decision, reason }, context) =>
    decideOnboarding({ accountNumber: item.account_number, decision, ...given({ reason }) }, context),
  Document: (item, { decision, reason, rejectionCode }, context) =>
    decideDocument(
      {
        accountNumber: item.account_number,
        documentId: item.item_id,
        decision,
        ...given({ reason, rejectionCode }),
      },
      context,
    ),
  Match: (item, { decision, reason = '' }, context) =>
    decideMatch(
      {
        accountNumber: item.account_number,
        matchId: item.item_id,
        decision: decision === 'Approved' ? 'Cleared' : 'Confirmed',
        reason,
      },
      context,
    ),
  Change: decideChange,
  Restriction: decideChange,
}

/** The items that exist. */
function given<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

const oneByOne = reject('ERR.1015', 'workIds', 'Matches are decided one by one, each with its own reason.')
const whoDied = reject(
  'ERR.1015',
  'workIds',
  'Open the death certificate to approve it: the approval states whether an owner died.',
)

/** Whether the approval of the item would restrict the account for the death of an owner. */
async function isOfDeath({ queue, account_number: accountNumber, item_id }: WorkRow, context: Context) {
  return queue === 'Document' && (await isDeathCertificate(context, { accountNumber, documentId: item_id }))
}

export const decideWork: Handler<'decide-work'> = async ({ workIds, ...decision }, context) => {
  if (decision.decision === 'Rejected' && !decision.reason)
    return new Rejected([reject('ERR.1000', 'reason', 'A rejection needs a reason.')])
  const matches = new Set(workIds.filter((id) => id.startsWith('Match.'))).size
  return forEachItem(context, workIds, async (item): Promise<Rejection | undefined> => {
    if (item.queue === 'Match' && matches > 1) return oneByOne
    if (decision.decision === 'Approved' && (await isOfDeath(item, context))) return whoDied
    const decide = deciders[item.queue]
    if (decide === undefined)
      return reject('ERR.1015', 'workIds', `Items of the queue ${item.queue} need no decision.`)
    const outcome = await decide(item, decision, context)
    return outcome instanceof Rejected ? outcome.rejections[0] : undefined
  })
}
