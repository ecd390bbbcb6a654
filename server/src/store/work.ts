/** The work inbox: what waits in the queues, who has taken it, and how much there is. */
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions } from './conditions.ts'
import { queueNames, queues, type WorkQueue } from './work-queues.ts'

export interface WorkRow {
  readonly work_id: string
  readonly queue: WorkQueue
  readonly item_id: string
  readonly firm_id: string | null
  readonly firm_name: string | null
  readonly account_number: string
  readonly account_name: string | null
  readonly subject: string
  readonly detail: string
  readonly since: string
  readonly due_by: string | null
  readonly assigned_to: string | null
  readonly assigned_at: string | null
}

export interface WorkFilter {
  readonly queues: readonly WorkQueue[]
  readonly firmId: string | undefined
  readonly accountNumber: string | undefined
  /** Only what nobody has taken. */
  readonly unassigned: boolean
  readonly before: Date | undefined
  readonly workIds?: readonly string[]
  readonly now: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The ids within the queue; what is no id of it finds nothing. */
const keysOf = (queue: WorkQueue, workIds: readonly string[]): string[] => {
  const prefix = `${queue}.`
  const keys = workIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
  return queues[queue].idType === 'uuid' ? keys.filter((key) => uuid.test(key)) : keys
}

/** What waits in one queue; `page` of it in order, or all of it. */
const branch = (
  queue: WorkQueue,
  filter: WorkFilter,
  c: Conditions,
  page: { after: readonly [string, string] | undefined; most: number } | undefined,
): string => {
  const { from, waits, key, since, firm, account, subject, detail, due } = queues[queue]
  const workId = `'${queue}.' || ${key}`
  const conditions = [waits]
  if (filter.firmId !== undefined) conditions.push(`${firm} = ${c.bind(filter.firmId)}::uuid`)
  if (filter.accountNumber !== undefined) conditions.push(`${account} = ${c.bind(filter.accountNumber)}`)
  if (filter.before !== undefined) conditions.push(`${since} < ${c.bind(filter.before)}::timestamptz`)
  if (filter.workIds !== undefined) {
    const { id, idType } = queues[queue]
    conditions.push(`${id} = any (${c.bind(keysOf(queue, filter.workIds))}::${idType}[])`)
  }
  if (filter.unassigned)
    conditions.push(`not exists (select from clearing.work_assignment where work_id = ${workId})`)
  let order = ''
  if (page !== undefined) {
    if (page.after !== undefined) {
      const [time, id] = [c.bind(page.after[0]), c.bind(page.after[1])]
      conditions.push(
        `${since} >= ${time}::timestamptz and (${since}, ${workId}) > (${time}::timestamptz, ${id})`,
      )
    }
    order = ` order by ${since}, ${key} limit ${page.most}`
  }
  return `(select ${workId} as work_id, '${queue}' as queue, ${key} as item_id, ${firm} as firm_id, ${account} as account_number,
    ${subject} as subject, ${detail} as detail, ${since} as since, ${due} as due_by
    from ${from} where ${conditions.join(' and ')}${order})`
}

/** The oldest first, after a place. */
export const findWork = (
  tx: Tx,
  filter: WorkFilter,
  after: readonly [since: string, workId: string] | undefined,
  most: number,
): Promise<WorkRow[]> => {
  const c = new Conditions()
  c.bind(filter.now)
  const branches = filter.queues.map((queue) => branch(queue, filter, c, { after, most }))
  return tx.rows(
    unprepared<WorkRow>(
      // Asked for row by row: a page is small, and the tables of what it names are not.
      `select work.*, assigned_to, assigned_at,
         (select name from clearing.firm where firm.firm_id = work.firm_id) as firm_name,
         (select account_name from clearing.account where account.account_number = work.account_number) as account_name
       from (
         select * from (${branches.join(' union all ')}) as waiting where $1::timestamptz is not null
         order by since, work_id limit ${most}
       ) as work
       left join lateral (
         select assigned_to, assigned_at from clearing.work_assignment where work_assignment.work_id = work.work_id limit 1
       ) as taken on true
       order by since, work.work_id`,
    ),
    c.values,
  )
}

/** Those of these items that wait. */
export const readWork = (tx: Tx, workIds: readonly string[], now: Date): Promise<WorkRow[]> => {
  const names = new Set(workIds.map((id) => id.slice(0, id.indexOf('.'))))
  const asked = queueNames.filter((queue) => names.has(queue))
  if (asked.length === 0) return Promise.resolve([])
  const filter: WorkFilter = {
    queues: asked,
    firmId: undefined,
    accountNumber: undefined,
    unassigned: false,
    before: undefined,
    workIds,
    now,
  }
  return findWork(tx, filter, undefined, workIds.length)
}

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

/** Of the items taken in a queue, those that still wait. */
const takenAndWaiting = (queue: WorkQueue, more = ''): string => {
  const { from, waits, id, idType } = queues[queue]
  const within = `starts_with(taken.work_id, '${queue}.')`
  // Nothing else is read as an id of this queue.
  const key = `case when ${within} then substr(taken.work_id, ${queue.length + 2})::${idType} end`
  return `${within} and exists (select from ${from} where ${id} = ${key} and ${waits}${more})`
}

/** How much waits in each queue, and for how long. */
export const countWork = (
  tx: Tx,
  settings: { firmId: string | undefined; me: string; now: Date },
): Promise<QueueCount[]> => {
  const c = new Conditions()
  const now = `${c.bind(settings.now)}::timestamptz`
  const me = c.bind(settings.me)
  const ofFirm = settings.firmId === undefined ? undefined : `${c.bind(settings.firmId)}::uuid`
  const counts = queueNames.map((queue) => {
    const { from, waits, since, firm } = queues[queue]
    const more = ofFirm === undefined ? '' : ` and ${firm} = ${ofFirm}`
    const aged = (younger: string, older: string) =>
      `count(*) filter (where ${since} <= ${now} - interval '${younger}' and ${since} > ${now} - interval '${older}')`
    return `select '${queue}' as queue, waiting.*, waiting.count - taken.taken as unassigned, taken.mine from (
        select count(*) as count, min(${since}) as oldest, count(*) filter (where ${since} > ${now} - interval '1 day') as day,
          ${aged('1 day', '3 days')} as three_days, ${aged('3 days', '7 days')} as week,
          count(*) filter (where ${since} <= ${now} - interval '7 days') as older
        from ${from} where ${waits}${more}
      ) as waiting, (
        select count(*) as taken, count(*) filter (where assigned_to = ${me}) as mine
        from clearing.work_assignment as taken where ${takenAndWaiting(queue, more)}
      ) as taken`
  })
  return tx.rows(unprepared<QueueCount>(counts.join(' union all ')), c.values)
}

const selectTaken = statement<{ work_id: string }>(
  'select-work-taken',
  'select work_id from clearing.work_assignment where lower(assigned_to) = lower($1)',
)
/** Ids of what a person has taken, whether it still waits or not. */
export const readTaken = async (tx: Tx, who: string): Promise<string[]> =>
  (await tx.rows(selectTaken, [who])).map(({ work_id }) => work_id)

/** Forgets who had taken what no longer waits. */
export const sweepAssignments = async (tx: Tx, now: Date): Promise<void> => {
  for (const queue of queueNames) {
    await tx.run(
      unprepared(
        `delete from clearing.work_assignment as taken where $1::timestamptz is not null
           and starts_with(work_id, '${queue}.') and not (${takenAndWaiting(queue)})`,
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

/** Who has it: the one who asks, or somebody who was earlier. */
export const takeWork = async (tx: Tx, workId: string, who: string, at: Date): Promise<string> => {
  if ((await tx.run(insertAssignment, [workId, who, who, at])) === 1) return who
  return (await tx.row(selectAssignee, [workId]))?.assigned_to ?? who
}
export const giveWork = (tx: Tx, workId: string, who: string, by: string, at: Date): Promise<number> =>
  tx.run(upsertAssignment, [workId, who, by, at])
export const giveWorkBack = (tx: Tx, workId: string): Promise<number> => tx.run(deleteAssignment, [workId])
export const settleItem = (tx: Tx, workId: string, by: string, at: Date, reason: string): Promise<number> =>
  tx.run(insertSettlement, [workId, by, at, reason])
export const retryJob = async (tx: Tx, jobId: string): Promise<boolean> =>
  (await tx.row(retryJobStatement, [jobId]))?.retried ?? false
/** Takes the job out of the queue for good. */
export const giveUpJob = async (tx: Tx, jobId: string): Promise<boolean> =>
  (await tx.row(giveUpJobStatement, [jobId]))?.given_up ?? false
