/**
 * The work inbox as a list in pages, in any of its orders. Each page is read along indexes, so that its cost does not
 * grow with the number of items.
 */
import { type CodeOf, limits } from '@clearing/protocol'
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions } from './conditions.ts'
import { countRows } from './count-rows.ts'
import { queueNames, queues, type WorkFacts, type WorkQueue, waitsInInbox } from './work-queues.ts'

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
  readonly facts: WorkFacts | null
  readonly since: string
  readonly due_by: string | null
  readonly assigned_to: string | null
  readonly assigned_at: string | null
}

export interface WorkFilter {
  readonly queues: readonly WorkQueue[]
  readonly firmId: string | undefined
  readonly accountNumber: string | undefined
  /** Only unclaimed items. */
  readonly unassigned: boolean
  readonly before: Date | undefined
  /** Only late items: past their due time, or, without one, waiting since before this moment. */
  readonly lateBefore?: Date | undefined
  readonly workIds?: readonly string[]
  /** Include items that another item represents. */
  readonly hidden?: boolean
  readonly now: Date
}

export type WorkOrder = CodeOf<'workSort'>

/** The start of a page: the item before it. */
export interface WorkPosition {
  /** The value of the order: account number, firm id, queue or person; empty without one. */
  readonly value: string
  readonly since: string
  readonly workId: string
}

export interface WorkPage {
  readonly sortBy: WorkOrder
  readonly descending: boolean
  readonly after: WorkPosition | undefined
  readonly most: number
}

export function valueIn(row: WorkRow, sortBy: WorkOrder): string {
  switch (sortBy) {
    case 'since':
      return ''
    case 'queue':
      return row.queue
    case 'accountNumber':
      return row.account_number
    case 'firmName':
      return row.firm_id ?? ''
    case 'assignedTo':
      return row.assigned_to ?? ''
    default:
      return sortBy satisfies never
  }
}

/** Waiting items in the order of the page. */
export function findWork(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  switch (page.sortBy) {
    case 'since':
      return findAlong(tx, filter, page, 'since')
    case 'accountNumber':
      return findAlong(tx, filter, page, 'accountNumber')
    case 'queue':
      return findByQueue(tx, filter, page)
    case 'firmName':
      return findByFirm(tx, filter, page)
    case 'assignedTo':
      return findByPerson(tx, filter, page)
    default:
      return page.sortBy satisfies never
  }
}

/** The number of waiting items, up to the limit of counts. */
export function countWork(tx: Tx, filter: WorkFilter): Promise<number> {
  const c = begin(filter)
  const ordered = ` limit ${limits.countedMax + 1}`
  const work = renderBranches(filter.queues, filter, c, () => ({ conditions: [], ordered, counted: true }))
  return countRows(tx, `(${work}) as work`, c.and('$1::timestamptz is not null'))
}

/** A value of the order: its expression in the statement, and its value in the position. */
type Key = readonly [expression: string, type: 'text' | 'timestamptz', value: string]

function directionOf({ descending }: WorkPage) {
  return descending ? ({ word: 'desc', sign: '<' } as const) : ({ word: 'asc', sign: '>' } as const)
}

/**
 * The condition for rows after the position. The first value also has a condition of its own, so that an
 * index finds it.
 */
function behind(c: Conditions, keys: readonly Key[], page: WorkPage): string {
  const { sign } = directionOf(page)
  const places = keys.map(([, type, value]) => `${c.bind(value)}::${type}`)
  const expressions = keys.map(([expression]) => expression)
  return `${expressions[0]} ${sign}= ${places[0]} and (${expressions.join(', ')}) ${sign} (${places.join(', ')})`
}

interface Branch {
  /** Conditions besides those of the filter. */
  readonly conditions: readonly string[]
  /** ` order by …`, or empty to read all matches. */
  readonly ordered: string
  /** The columns are not computed. */
  readonly counted?: true
}

function workIdOf(queue: WorkQueue) {
  return `'${queue}.' || ${queues[queue].key}`
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The ids within the queue. A value that is no id of the queue finds nothing. */
function keysOf(queue: WorkQueue, workIds: readonly string[]): string[] {
  const prefix = `${queue}.`
  const keys = workIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
  return queues[queue].idType === 'uuid' ? keys.filter((key) => uuid.test(key)) : keys
}

/** The order of the page in the form that an index of the queue has. Ids sort as their texts. */
function ordered(queue: WorkQueue, page: WorkPage, lead: readonly string[] = []): string {
  const { since, id, ties = [id] } = queues[queue]
  const order = [...lead, since, ...ties].map((expression) => `${expression} ${directionOf(page).word}`)
  return ` order by ${order.join(', ')} limit ${page.most}`
}

/** The waiting items of one queue. */
function renderBranch(queue: WorkQueue, filter: WorkFilter, c: Conditions, branch: Branch): string {
  const {
    from,
    waits,
    key,
    since,
    firm,
    account,
    subject,
    detail,
    facts = 'null::jsonb',
    due,
  } = queues[queue]
  const workId = workIdOf(queue)
  const conditions = [filter.hidden ? waits : waitsInInbox(queues[queue]), ...branch.conditions]
  if (filter.firmId !== undefined) conditions.push(`${firm} = ${c.bind(filter.firmId)}::uuid`)
  if (filter.accountNumber !== undefined) conditions.push(`${account} = ${c.bind(filter.accountNumber)}`)
  if (filter.before !== undefined) conditions.push(`${since} < ${c.bind(filter.before)}::timestamptz`)
  if (filter.lateBefore !== undefined)
    conditions.push(queues[queue].late ?? `${since} < ${c.bind(filter.lateBefore)}::timestamptz`)
  if (filter.workIds !== undefined) {
    const { id, idType } = queues[queue]
    conditions.push(`${id} = any (${c.bind(keysOf(queue, filter.workIds))}::${idType}[])`)
  }
  if (filter.unassigned)
    conditions.push(`not exists (select from clearing.work_assignment where work_id = ${workId})`)
  const columns = branch.counted
    ? 'true'
    : `${workId} as work_id, '${queue}' as queue, ${key} as item_id, ${firm} as firm_id, ${account} as account_number,
    ${subject} as subject, ${detail} as detail, ${facts} as facts, ${since} as since, ${due} as due_by`
  return `(select ${columns}
    from ${from} where ${conditions.join(' and ')}${branch.ordered})`
}

function renderBranches(
  names: readonly WorkQueue[],
  filter: WorkFilter,
  c: Conditions,
  branchOf: (queue: WorkQueue) => Branch,
): string {
  return names.map((queue) => renderBranch(queue, filter, c, branchOf(queue))).join(' union all ')
}

/** Begins a statement. The queues use the current moment as its first value. */
function begin(filter: WorkFilter): Conditions {
  const c = new Conditions()
  c.bind(filter.now)
  return c
}

/** Reads the items that `work` selects, with the other columns of the inbox. */
function read(
  tx: Tx,
  c: Conditions,
  work: string,
  orderBy: readonly string[],
  page: WorkPage,
): Promise<WorkRow[]> {
  const order = orderBy.map((column) => `${column} ${directionOf(page).word}`).join(', ')
  return tx.rows(
    unprepared<WorkRow>(
      // Looked up for each row: a page is small, and the joined tables are large.
      `select work.*, assigned_to, assigned_at,
         (select name from clearing.firm where firm.firm_id = work.firm_id) as firm_name,
         (select account_name from clearing.account where account.account_number = work.account_number) as account_name
       from (${work} order by ${order} limit ${page.most}) as work
       left join lateral (
         select assigned_to, assigned_at from clearing.work_assignment where work_assignment.work_id = work.work_id limit 1
       ) as taken on true
       where $1::timestamptz is not null
       order by ${order}`,
    ),
    c.values,
  )
}

/** Reads each queue along an index that begins with the value of the order. */
function findAlong(
  tx: Tx,
  filter: WorkFilter,
  page: WorkPage,
  by: 'since' | 'accountNumber',
): Promise<WorkRow[]> {
  const c = begin(filter)
  const { after } = page
  const work = renderBranches(filter.queues, filter, c, (queue) => {
    const { since, account } = queues[queue]
    const lead = by === 'since' ? [] : [account]
    const place = (): Key[] => [
      ...lead.map((expression): Key => [expression, 'text', after?.value ?? '']),
      [since, 'timestamptz', after?.since ?? ''],
      [workIdOf(queue), 'text', after?.workId ?? ''],
    ]
    return {
      conditions: after === undefined ? [] : [behind(c, place(), page)],
      ordered: ordered(queue, page, lead),
    }
  })
  const orderBy = [...(by === 'since' ? [] : ['account_number']), 'since', 'work_id']
  return read(tx, c, `select * from (${work}) as work`, orderBy, page)
}

/** Reads one queue after the other, each oldest first or last. */
function findByQueue(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  const c = begin(filter)
  const { after, descending } = page
  const left = filter.queues.filter(
    (queue) => after === undefined || (descending ? queue <= after.value : queue >= after.value),
  )
  if (left.length === 0) return Promise.resolve([])
  const work = renderBranches(left, filter, c, (queue) => {
    const { since } = queues[queue]
    const place = (): Key[] => [
      [since, 'timestamptz', after?.since ?? ''],
      [workIdOf(queue), 'text', after?.workId ?? ''],
    ]
    return {
      conditions: queue === after?.value ? [behind(c, place(), page)] : [],
      ordered: ordered(queue, page),
    }
  })
  return read(tx, c, `select * from (${work}) as work`, ['queue collate "C"', 'since', 'work_id'], page)
}

/** Reads one firm after the other by name, items without a firm first, each queue along its index by firm. */
function findByFirm(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  const c = begin(filter)
  const { after } = page
  const { word, sign } = directionOf(page)
  const place = after && {
    firm: c.bind(after.value),
    since: `${c.bind(after.since)}::timestamptz`,
    workId: c.bind(after.workId),
  }
  const work = renderBranches(filter.queues, filter, c, (queue) => {
    const { firm, since } = queues[queue]
    // A range that is also the order. For an equality, the planner takes the index over all firms when a few firms have
    // almost all items.
    const ofFirm =
      queue === 'Job'
        ? `${firm} is not distinct from by_firm.firm_id`
        : `${firm} >= by_firm.firm_id and ${firm} <= by_firm.firm_id`
    const end = `'${page.descending ? '' : '-'}infinity'::timestamptz`
    return {
      conditions:
        place === undefined
          ? [ofFirm]
          : [
              ofFirm,
              `${since} ${sign}= case when by_firm.id = ${place.firm} then ${place.since} else ${end} end`,
              `(by_firm.id <> ${place.firm} or (${since}, ${workIdOf(queue)}) ${sign} (${place.since}, ${place.workId}))`,
            ],
      ordered: ordered(queue, page, [firm]),
    }
  })
  const from = place
    ? ` where (by_firm.name, by_firm.id) ${sign}=
          (coalesce((select name from clearing.firm where firm_id::text = ${place.firm}), ''), ${place.firm})`
    : ''
  return read(
    tx,
    c,
    `select work.*, by_firm.name as by_name, by_firm.id as by_id
     from (select firm_id, firm_id::text as id, name from clearing.firm union all select null, '', '') as by_firm
     cross join lateral (select * from (${work}) as found order by since ${word}, work_id ${word} limit ${page.most}) as work${from}`,
    ['by_name', 'by_id', 'since', 'work_id'],
    page,
  )
}

const selectAllTaken = statement<{ work_id: string }>(
  'select-all-work-taken',
  'select work_id from clearing.work_assignment',
)

/** Unclaimed items come first, along the indexes. Claimed items are few; they are gathered and sorted. */
async function findByPerson(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  const found: WorkRow[] = []
  const sections = page.descending ? [findTaken, findUntaken] : [findUntaken, findTaken]
  for (const section of sections) {
    if (found.length < page.most)
      found.push(...(await section(tx, filter, { ...page, most: page.most - found.length })))
  }
  return found
}

function findUntaken(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  const { after, descending } = page
  const isPast = !descending && after !== undefined && after.value !== ''
  if (isPast) return Promise.resolve([])
  // When the page comes from the claimed items, it begins with the first unclaimed one.
  const start = after?.value === '' ? after : undefined
  return findAlong(tx, { ...filter, unassigned: true }, { ...page, after: start }, 'since')
}

async function findTaken(tx: Tx, filter: WorkFilter, page: WorkPage): Promise<WorkRow[]> {
  const { after } = page
  if (filter.unassigned || (page.descending && after?.value === '')) return []
  const workIds = filter.workIds ?? (await tx.rows(selectAllTaken, [])).map(({ work_id }) => work_id)
  if (workIds.length === 0) return []
  const c = begin(filter)
  const work = renderBranches(filter.queues, { ...filter, workIds }, c, () => ({
    conditions: [],
    ordered: '',
  }))
  const place = (from: WorkPosition): Key[] => [
    ['taken.assigned_to', 'text', from.value],
    ['work.since', 'timestamptz', from.since],
    ['work.work_id', 'text', from.workId],
  ]
  const from = after === undefined || after.value === '' ? '' : ` where ${behind(c, place(after), page)}`
  return read(
    tx,
    c,
    `select work.*, taken.assigned_to as by_person from (${work}) as work
     join clearing.work_assignment as taken on taken.work_id = work.work_id${from}`,
    ['by_person', 'since', 'work_id'],
    page,
  )
}

/** The items among these that still wait. */
export function readWork(tx: Tx, workIds: readonly string[], now: Date): Promise<WorkRow[]> {
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
    hidden: true,
    now,
  }
  return findWork(tx, filter, { sortBy: 'since', descending: false, after: undefined, most: workIds.length })
}
