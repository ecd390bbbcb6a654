/** The queues of the inbox as data: the label of an item, its screen, and the decisions possible in the list. */
import type { CodeOf } from '@clearing/protocol'
import type { Filters } from '../address.ts'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { renderDecimal } from '../design/money.tsx'
import { breakInWords } from '../design/reasons.ts'
import { withDays } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'

export type Work = Answered<'list-work'>['work'][number]

export interface Queue {
  readonly label: string
  /** The screen of an item. */
  readonly open: (work: Work) => string
  /** The filters of that screen. */
  readonly search?: (work: Work) => Filters
  /** Decided in the list: approve or reject, or settle. */
  readonly decided: 'decide' | 'settle' | undefined
  /** The label of the approval. */
  readonly approve?: string
  readonly reject?: string
  readonly settle?: string
  /** The label of leaving an item as it is, for items that can be tried again. */
  readonly giveUp?: string
}

function account({ accountNumber }: Work) {
  return `/accounts/${accountNumber}`
}
function application(work: Work) {
  return `${account(work)}/application`
}

export const queues: Readonly<Record<string, Queue>> = {
  Application: { label: 'Applications', open: application, decided: 'decide' },
  FollowUp: { label: 'Follow-ups', open: application, decided: undefined },
  Document: {
    label: 'Documents',
    open: (work) => `${account(work)}/documents/${work.itemId}`,
    decided: 'decide',
  },
  Match: {
    label: 'Matches',
    open: (work) => `${account(work)}/screening`,
    decided: 'decide',
    approve: 'Clear',
    reject: 'Confirm',
  },
  Change: { label: 'Changes', open: (work) => `/changes/${work.itemId}`, decided: 'decide' },
  Restriction: { label: 'Restrictions', open: (work) => `/changes/${work.itemId}`, decided: 'decide' },
  Hold: { label: 'Holds', open: account, search: () => ({ tab: 'restrictions' }), decided: undefined },
  Break: {
    label: 'Breaks',
    open: () => '/books/breaks',
    search: ({ accountNumber, itemId }) => ({ accountNumber, break: itemId }),
    decided: 'settle',
    settle: 'Mark as reviewed',
  },
  Call: { label: 'Margin calls', open: account, search: () => ({ tab: 'margin' }), decided: undefined },
  Job: {
    label: 'Jobs',
    open: (work) => (work.accountNumber === '' ? '/' : application(work)),
    decided: 'settle',
    settle: 'Try again',
    giveUp: 'Give up',
  },
  Webhook: {
    label: 'Webhooks',
    open: (work) => `/firms/${work.firmId}`,
    search: (work) => ({ delivery: work.itemId }),
    decided: 'settle',
    settle: 'Send again',
    giveUp: 'Give up',
  },
}

/** What the words for an item are made of. */
export type Described = Pick<Work, 'queue' | 'subject' | 'detail' | 'document' | 'break' | 'call'>

const between = ' · '

/** What an item is about. A service of the previous release sends the subject only. */
export function subjectOf({ subject, document, break: found, call }: Described): string {
  if (call) return labelOf('callKind', call.kind)
  if (found) {
    const { kind, security, quantity, externalId } = found
    const held = security === '' || quantity === null ? security : `${security} ${renderDecimal(quantity)}`
    return [wordsOf(kind), held, externalId && `line ${externalId}`]
      .filter((part) => part !== '')
      .join(between)
  }
  if (!document) return wordsOf(subject)
  const label = labelOf('documentReference', document.reference)
  return label === document.reference ? subject : label
}

/** Why an item waits: the amounts of a call and the days of a hold in the format of the console. */
export function detailOf({ queue, detail, break: found, call }: Described): string {
  if (call) return callInWords(call)
  if (found) return breakInWords(found.reason)
  return queue === 'Hold' ? withDays(detail) : detail
}

function callInWords({ outstanding, amount, unsatisfiedDeficits: count }: NonNullable<Work['call']>): string {
  const amounts = `${renderDecimal(outstanding, 2)} USD outstanding of ${renderDecimal(amount, 2)}`
  return Number(count ?? 0) > 0
    ? [amounts, `${count} not satisfied in time within twelve months`].join(between)
    : amounts
}

export function queueOf(name: string): Queue {
  // The name may be typed into the address.
  const known = Object.hasOwn(queues, name) ? queues[name] : undefined
  return known ?? { label: name, open: account, decided: undefined }
}

export type QueueName = CodeOf<'workQueue'>

/** The queues whose items are decided one after the other. */
const inTurn = [
  'Application',
  'Document',
  'Match',
  'Change',
  'Restriction',
] as const satisfies readonly QueueName[]

/** The queue of an item in its address. */
export function queueInTurn(name: string | undefined): QueueName | undefined {
  return inTurn.find((one) => one === name)
}

/** Whether an id names the item: its own id, or its account number. */
export function isItem({ itemId, accountNumber }: Work, id: string): boolean {
  return itemId === id || accountNumber === id
}

/** The screen of an item. Its address contains the queue. */
export function placeOf(work: Work): { readonly to: string; readonly search: Filters } {
  const { queue } = work
  const { open, search } = queueOf(queue)
  return {
    to: open(work),
    search: { ...(queueInTurn(queue) === undefined ? {} : { queue }), ...search?.(work) },
  }
}

/** Whether the items of a queue are due at the end of a day. */
export function isDueOnDay(queue: string): boolean {
  return queue === 'Call' || queue === 'Hold'
}
