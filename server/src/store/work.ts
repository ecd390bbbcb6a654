/** The work inbox: the number of waiting items in the queues, and their claims. */
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { queueNames, queues, type WorkQueue, waitsInInbox } from './work-queues.ts'

export interface QueueCount {
  readonly queue: WorkQueue
  readonly count: bigint
  readonly unassigned: bigint
  readonly mine: bigint
  readonly oldest: string | null
  readonly day: bigint
  readonly three_days: bigint
  readonly week: bigint
  readonly older: bigint
}

/** The claimed items of a queue that still wait. */
function takenAndWaiting(queue: WorkQueue, waits: string): string {
  const { from, id, idType } = queues[queue]
  const within = `starts_with(taken.work_id, '${queue}.')`
  // Other texts are not parsed as an id of this queue.
  const key = `case when ${within} then substr(taken.work_id, ${queue.length + 2})::${idType} end`
  return `${within} and exists (select from ${from} where ${id} = ${key} and ${waits})`
}

/** A moment before `$1`. It is a subquery so that PostgreSQL computes it once, and not for each item. */
function ago(interval: string): string {
  return `(select $1::timestamptz - interval '${interval}')`
}

/** `$1` is the time and `$2` the caller. Prepared, because it takes longer to plan than to run. */
function countsOf(ofFirm: string): string {
  const counts = queueNames.map((queue) => {
    const { from, since, firm } = queues[queue]
    const waits = `${waitsInInbox(queues[queue])}${ofFirm === '' ? '' : ` and ${firm} = ${ofFirm}`}`
    const aged = (younger: string, older: string) =>
      `count(*) filter (where ${since} <= ${ago(younger)} and ${since} > ${ago(older)})`
    return `select '${queue}' as queue, waiting.*, waiting.count - taken.taken as unassigned, taken.mine from (
        select count(*) as count, min(${since}) as oldest, count(*) filter (where ${since} > ${ago('1 day')}) as day,
          ${aged('1 day', '3 days')} as three_days, ${aged('3 days', '7 days')} as week,
          count(*) filter (where ${since} <= ${ago('7 days')}) as older
        from ${from} where ${waits}
      ) as waiting, (
        select count(*) as taken, count(*) filter (where assigned_to = $2) as mine
        from clearing.work_assignment as taken where ${takenAndWaiting(queue, waits)}
      ) as taken`
  })
  return counts.join(' union all ')
}
const countAll = statement<QueueCount>('count-work', countsOf(''))
const countOfFirm = statement<QueueCount>('count-work-of-firm', countsOf('$3::uuid'))

/** The number of waiting items in each queue, and their ages. */
export function countQueues(
  tx: Tx,
  { firmId, me, now }: { firmId: string | undefined; me: string; now: Date },
): Promise<QueueCount[]> {
  return firmId === undefined ? tx.rows(countAll, [now, me]) : tx.rows(countOfFirm, [now, me, firmId])
}

const selectTaken = statement<{ work_id: string }>(
  'select-work-taken',
  'select work_id from clearing.work_assignment where lower(assigned_to) = lower($1)',
)
/** Ids of the items that a person has claimed, including finished ones. */
export async function readTaken(tx: Tx, who: string): Promise<string[]> {
  return (await tx.rows(selectTaken, [who])).map(({ work_id }) => work_id)
}

/** Removes claims on items that no longer wait. */
export async function sweepAssignments(tx: Tx, now: Date): Promise<void> {
  for (const queue of queueNames) {
    await tx.run(
      unprepared(
        `delete from clearing.work_assignment as taken where $1::timestamptz is not null
           and starts_with(work_id, '${queue}.') and not (${takenAndWaiting(queue, queues[queue].waits)})`,
      ),
      [now],
    )
  }
}

const insertAssignment = statement(
  'insert-work-assignment',
  `insert into clearing.work_assignment (work_id, assigned_to, assigned_by, assigned_at) values ($1, $2, $3, $4)
   on conflict (work_id) do nothing`,
)
const upsertAssignment = statement(
  'upsert-work-assignment',
  `insert into clearing.work_assignment (work_id, assigned_to, assigned_by, assigned_at) values ($1, $2, $3, $4)
   on conflict (work_id) do update set assigned_to = excluded.assigned_to, assigned_by = excluded.assigned_by,
     assigned_at = excluded.assigned_at`,
)
const deleteAssignment = statement(
  'delete-work-assignment',
  'delete from clearing.work_assignment where work_id = $1',
)
const selectAssignee = statement<{ assigned_to: string }>(
  'select-work-assignee',
  'select assigned_to from clearing.work_assignment where work_id = $1',
)
const insertSettlement = statement(
  'insert-work-settlement',
  `insert into clearing.work_settlement (work_id, settled_by, settled_at, reason) values ($1, $2, $3, $4)
   on conflict do nothing`,
)
const retryJobStatement = statement<{ retried: boolean }>(
  'retry-job',
  'select clearing.retry_job($1) as retried',
)

const giveUpJobStatement = statement<{ given_up: boolean }>(
  'give-up-job',
  'select clearing.give_up_job($1) as given_up',
)

/** The person who claimed the item: the caller, or another person who claimed it earlier. */
export async function takeWork(tx: Tx, workId: string, who: string, at: Date): Promise<string> {
  if ((await tx.run(insertAssignment, [workId, who, who, at])) === 1) return who
  return (await tx.row(selectAssignee, [workId]))?.assigned_to ?? who
}
export function giveWork(tx: Tx, workId: string, who: string, by: string, at: Date): Promise<number> {
  return tx.run(upsertAssignment, [workId, who, by, at])
}
export function giveWorkBack(tx: Tx, workId: string): Promise<number> {
  return tx.run(deleteAssignment, [workId])
}
export function settleItem(tx: Tx, workId: string, by: string, at: Date, reason: string): Promise<number> {
  return tx.run(insertSettlement, [workId, by, at, reason])
}
export async function retryJob(tx: Tx, jobId: string): Promise<boolean> {
  return (await tx.row(retryJobStatement, [jobId]))?.retried ?? false
}
/** Removes the job from the queue for good. */
export async function giveUpJob(tx: Tx, jobId: string): Promise<boolean> {
  return (await tx.row(giveUpJobStatement, [jobId]))?.given_up ?? false
}
