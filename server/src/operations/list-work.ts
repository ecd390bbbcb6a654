/**
 * list-work: one inbox of everything that waits for a decision of operations, the oldest first unless another order is
 * requested.
 */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { exactNumber } from '../books/positions/render-amounts.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { reviewLateBefore } from '../onboarding/expected-by.ts'
import { type CursorField, either, oneOf, time, uuid, words } from '../paging/cursor-fields.ts'
import { type Order, positionsOf, readOrder } from '../paging/order.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readTaken } from '../store/work.ts'
import {
  countWork,
  findWork,
  valueIn,
  type WorkFilter,
  type WorkOrder,
  type WorkRow,
} from '../store/work-list.ts'
import { queueNames, type WorkQueue } from '../store/work-queues.ts'
import type { Handler } from './context.ts'

const hourMs = 3_600_000
const oldestFirst: Order<WorkOrder> = { sortBy: 'since', descending: false }

export const listWork: Handler<'list-work'> = async (request, { tx, now, caller }) => {
  const order = readOrder(request, oldestFirst)
  const { sortBy } = order
  const lead = sortBy === 'since' ? [] : [values[sortBy]]
  const places = positionsOf('list-work', order, oldestFirst, [time, words(limits.workIdLengthMax), ...lead])
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const asked = new Set(request.queues as readonly string[] | undefined)
  const size = request.size ?? limits.pageSizeDefault
  const { olderThanHours: hours } = request
  const who = request.assigned === 'Mine' ? caller.clientId : request.assignedTo
  const [since = '', workId = '', value = ''] = after ?? []
  const filter: WorkFilter = {
    queues: asked.size === 0 ? queueNames : queueNames.filter((queue) => asked.has(queue)),
    firmId,
    accountNumber: request.accountNumber,
    unassigned: request.assigned === 'Nobody',
    ...(who === undefined ? {} : { workIds: await readTaken(tx, who) }),
    lateBefore: request.late ? reviewLateBefore(now) : undefined,
    before: hours === undefined ? undefined : new Date(now.getTime() - hours * hourMs),
    now,
  }
  const place = after && { value, since, workId }
  const found = await findWork(tx, filter, { ...order, after: place, most: size + 1 })
  const { rows, next } = pageOfRows(found, size, places, (row) => [
    row.since,
    row.work_id,
    ...(sortBy === 'since' ? [] : [valueIn(row, sortBy)]),
  ])
  const total = request.counted && place === undefined ? await countWork(tx, filter) : null
  return { work: rows.map(renderWork), total, next }
}

const none = oneOf('')
const values: Readonly<Record<WorkOrder, CursorField<string>>> = {
  since: none,
  queue: oneOf(...queueNames),
  accountNumber: words(limits.accountNumberLength),
  firmName: either(uuid, none),
  assignedTo: words(limits.emailLengthMax),
}

function renderWork(row: WorkRow) {
  const { document = null, break: found, call } = row.facts ?? {}
  return {
    workId: row.work_id,
    queue: row.queue satisfies WorkQueue,
    firmId: row.firm_id ?? '',
    firmName: row.firm_name ?? '',
    accountNumber: row.account_number,
    accountName: row.account_name ?? '',
    itemId: row.item_id,
    subject: row.subject,
    detail: row.detail,
    since: row.since,
    dueBy: row.due_by,
    assignedTo: row.assigned_to ?? '',
    assignedOn: row.assigned_at,
    document,
    break: found
      ? { ...found, quantity: found.quantity === null ? null : exactNumber(found.quantity) }
      : null,
    call: call
      ? { ...call, outstanding: exactNumber(call.outstanding), amount: exactNumber(call.amount) }
      : null,
  }
}
