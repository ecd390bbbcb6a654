/**
 * The queues of the work inbox in terms of the tables: for each, its waiting items, their time and their subject. A
 * queue is read by an index in the order of waiting, so that the cost of its first page does not grow with the number
 * of items.
 */
import type { CodeOf } from '@clearing/protocol'
import { dayOf, startOfDay } from './conditions.ts'
import { alphabetList } from './screening.ts'
import { unsatisfiedDeficitsOf } from './unsatisfied-deficits.ts'

export type WorkQueue = CodeOf<'workQueue'>

export interface Queue {
  readonly from: string
  readonly waits: string
  /** The condition for items that the inbox shows, if other items represent some of them. */
  readonly shown?: string
  /** The item's id within the queue, as text. */
  readonly key: string
  /** The id in the form of the table, where an index finds it. */
  readonly id: string
  readonly idType: 'text' | 'uuid'
  readonly since: string
  /**
   * The order among items with the same time, if it is not `id`: in the form of an index, equal to the order of `key`.
   */
  readonly ties?: readonly string[]
  readonly firm: string
  readonly account: string
  readonly subject: string
  readonly detail: string
  /** The values of which the subject and the detail are made, as a JSON object, for queues that have some. */
  readonly facts?: string
  readonly due: string
  /** The condition of a late item, if it has a due time. Otherwise an item is late after a while. */
  readonly late?: string
}

/** The values of an item of these queues. Numbers are texts, so that all digits remain. */
export interface WorkFacts {
  readonly document?: { readonly reference: string; readonly typeName: string }
  readonly break?: {
    readonly kind: string
    readonly security: string
    readonly quantity: string | null
    readonly externalId: string
    readonly reason: string
  }
  readonly call?: {
    readonly kind: CodeOf<'callKind'>
    readonly outstanding: string
    readonly amount: string
    readonly unsatisfiedDeficits: number | null
  }
}

/** The member `name` of the row's facts, with an expression for each of its values. */
function factsOf(name: keyof WorkFacts, values: Readonly<Record<string, string>>): string {
  const members = Object.entries(values).map(([member, expression]) => `'${member}', ${expression}`)
  return `jsonb_build_object('${name}', jsonb_build_object(${members.join(', ')}))`
}

function settled(queue: WorkQueue, key: string): string {
  return `not exists (select from clearing.work_settlement where work_settlement.work_id = '${queue}.' || ${key})`
}

const onboarding = {
  from: 'clearing.onboarding as item',
  key: 'item.account_number',
  id: 'item.account_number',
  idType: 'text',
  since: 'item.updated_at',
  firm: 'item.firm_id',
  account: 'item.account_number',
} as const

/** Whether the application has such a follow-up. */
function followUpOf(status: string): string {
  return `exists (select from jsonb_array_elements(item.state -> 'followUps') as asked where asked ->> 'status' ${status})`
}
const awaitedOfFirm = followUpOf("in ('Open', 'Rejected')")

const change = {
  from: 'clearing.change_request as item',
  key: 'item.change_id::text',
  id: 'item.change_id',
  idType: 'uuid',
  since: 'item.requested_at',
  firm: 'item.firm_id',
  account: 'item.account_number',
  subject: 'item.operation',
  detail: 'item.reason',
  due: 'null::timestamptz',
} as const
const restricting =
  "item.operation in ('place-restriction', 'end-restriction', 'close-account', 'waive-follow-up', 'record-hold-step')"

const match = {
  from: 'clearing.screening_match as item',
  waits: "item.decision = 'Open' and item.dropped_at is null",
} as const

/** A name without an entry of a list and without a score that means anything. */
const uncompared = `when item.list_name = '${alphabetList}'`

export const queues: Readonly<Record<WorkQueue, Queue>> = {
  Application: {
    ...onboarding,
    waits: "item.current_state = 'ManualReview'",
    // An application with a possible match on a watch list is one case. The inbox shows its matches, and the
    // application after they are decided.
    shown: `not exists (select from (select item.account_number from ${match.from} where ${match.waits}) as open_match
      where open_match.account_number = item.account_number)`,
    subject: "coalesce(item.state ->> 'stage', '')",
    // A stage that a finding holds up has no reason of its own: the open review has it.
    detail: `coalesce((select string_agg(reason, ' ' order by place, reason_place)
      from jsonb_array_elements(item.state -> 'followUps') with ordinality as asked (asked, place),
        jsonb_array_elements_text(asked -> 'reasons') with ordinality as reasons (reason, reason_place)
      where asked ->> 'kind' = 'Review' and asked ->> 'status' = 'Open'), (select stage ->> 'reason' from jsonb_array_elements(item.state -> 'stages') as stage
      where stage ->> 'code' = item.state ->> 'stage'), '')`,
    due: 'null::timestamptz',
  },
  FollowUp: {
    ...onboarding,
    // Operations decided on an expired follow-up when they requested information. Without a document under review, no
    // person decides on an answer: releases before decision 275 left such applications.
    waits: `item.current_state = 'ActionRequired' and (${followUpOf("in ('Open', 'Rejected') and (asked ->> 'dueBy')::timestamptz < $1")}
      or not ${awaitedOfFirm} and not exists (select from clearing.document
        where document.account_number = item.account_number and document.status = 'PendingApproval'))`,
    subject: `coalesce((select string_agg(asked ->> 'code', ', ') from jsonb_array_elements(item.state -> 'followUps') as asked
      where asked ->> 'status' in ('Open', 'Rejected') or asked ->> 'status' = 'Answered' and not ${awaitedOfFirm}), '')`,
    detail: `case when ${awaitedOfFirm} then 'The firm has not answered in time'
      else 'Its answer was decided on, and it still waits: waive the follow-up' end`,
    due: `(select min((asked ->> 'dueBy')::timestamptz) from jsonb_array_elements(item.state -> 'followUps') as asked
      where asked ->> 'status' in ('Open', 'Rejected', 'Answered'))`,
    // Every item of this queue is late.
    late: 'true',
  },
  Document: {
    from: 'clearing.document as item',
    waits: "item.status = 'PendingApproval'",
    key: 'item.document_id::text',
    id: 'item.document_id',
    idType: 'uuid',
    since: 'item.created_at',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: "item.type_name || ' ' || item.reference",
    detail: 'item.display_name',
    facts: factsOf('document', { reference: 'item.reference', typeName: 'item.type_name' }),
    due: 'null::timestamptz',
  },
  Match: {
    ...match,
    // A clearance that waits for a second person is shown as a change.
    waits: `${match.waits} and item.clearance_change_id is null`,
    key: 'item.match_id::text',
    id: 'item.match_id',
    idType: 'uuid',
    since: 'item.created_at',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: `case ${uncompared} then 'A name in another alphabet' else item.matched_name end`,
    detail: `case ${uncompared} then 'It cannot be compared with the lists. A person must check it'
      else item.list_name || ' ' || item.entry_id || ', score ' || item.score end
      || case when item.change_id is null then ''
        when exists (select from clearing.change_request where change_id = item.change_id and state = 'Withdrawn')
        then ', its change was withdrawn' else ', a change waits' end
      || case when item.change_id is null and exists (select from clearing.account
        where account.account_number = item.account_number and account.status = 'Rejected')
        then case when exists (select from clearing.onboarding
          where onboarding.account_number = item.account_number and onboarding.state ? 'withdrawnAt')
          then ', its application was withdrawn' else ', its application was rejected' end
        else '' end`,
    due: 'null::timestamptz',
  },
  // A change that waits only for its matches is reached through them.
  Change: {
    ...change,
    waits: `item.state = 'Requested' and item.approval_needed and item.approved_by is null and not ${restricting}`,
  },
  Restriction: { ...change, waits: `item.state = 'Requested' and ${restricting}` },
  Hold: {
    from: 'clearing.temporary_hold as item',
    waits: '(item.ended_at is null or item.notified_at is null) and item.waits_from <= $1',
    key: 'item.restriction_id::text',
    id: 'item.restriction_id',
    idType: 'uuid',
    since: 'item.waits_from',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: "case when item.notified_at is null then 'Notice of the hold' else 'End of the hold' end",
    detail: `case when item.notified_at is null
        then 'Notify the trusted contact and the authorized parties by ' || item.notify_by || ', and record it. '
        else 'Extend the hold, or let it end. ' end
      || case when item.ended_at is null then 'It ends at the close of ' || item.expires_on else 'It has ended' end`,
    due: `(${startOfDay('item.due_on')})`,
    late: `item.due_on < ${dayOf('$1::timestamptz')}`,
  },
  Break: {
    from: 'clearing.books_break as item',
    waits: `item.resolved_at is null and ${settled('Break', 'item.break_id::text')}`,
    key: 'item.break_id::text',
    id: 'item.break_id',
    idType: 'uuid',
    since: 'item.raised_at',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: 'item.kind',
    // Two breaks of an account may have the same kind and reason.
    detail: `concat_ws(' · ', (select concat_ws(' ', coalesce(symbol, cusip, isin, sedol), trim_scale(item.quantity)) from clearing.security where sec_no = item.sec_no),
      'line ' || nullif(item.external_id, ''), item.reason)`,
    facts: factsOf('break', {
      kind: 'item.kind',
      security:
        "coalesce((select coalesce(symbol, cusip, isin, sedol) from clearing.security where sec_no = item.sec_no), '')",
      quantity: 'trim_scale(item.quantity)::text',
      externalId: "coalesce(item.external_id, '')",
      reason: 'item.reason',
    }),
    due: 'null::timestamptz',
  },
  Call: {
    from: 'clearing.margin_call as item',
    waits: 'item.met_on is null',
    key: "item.account_number || '.' || item.kind || '.' || item.issued_on",
    id: "(item.account_number || '.' || item.kind || '.' || item.issued_on)",
    idType: 'text',
    since: `(${startOfDay('item.issued_on')})`,
    ties: ['item.account_number', 'item.kind'],
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: "item.kind || ' call'",
    detail: "item.outstanding || ' USD outstanding of ' || item.amount",
    facts: factsOf('call', {
      kind: 'item.kind',
      outstanding: 'item.outstanding::text',
      amount: 'item.amount::text',
      unsatisfiedDeficits: unsatisfiedDeficitsOf('item'),
    }),
    due: `(${startOfDay('item.due_by')})`,
    late: `item.due_by < ${dayOf('$1::timestamptz')}`,
  },
  Job: {
    from: `(select failed.*, account.firm_id from clearing.failed_jobs() as failed
      left join clearing.account using (account_number)) as item`,
    waits: 'true',
    key: 'item.job_id',
    id: 'item.job_id',
    idType: 'text',
    since: 'item.since',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: 'item.task',
    detail:
      "coalesce(item.last_error, '') || ' (' || item.attempts || ' of ' || item.max_attempts || ' attempts)'",
    due: 'null::timestamptz',
  },
  Webhook: {
    from: 'clearing.webhook_delivery as item',
    // The sender of a test delivery has seen its failure.
    waits: `item.status = 'Failed' and item.kind <> 'Test' and ${settled('Webhook', 'item.delivery_id::text')}`,
    key: 'item.delivery_id::text',
    id: 'item.delivery_id',
    idType: 'uuid',
    since: 'item.ended_at',
    firm: 'item.firm_id',
    account: 'item.account_number',
    subject: 'item.event_type',
    detail: "coalesce(item.attempts -> -1 ->> 'error', '')",
    due: 'null::timestamptz',
  },
}

/** The condition for items that wait and are shown in the inbox. */
export function waitsInInbox({ waits, shown }: Queue): string {
  return shown === undefined ? waits : `${waits} and ${shown}`
}

export const queueNames = Object.keys(queues) as WorkQueue[]
