/** The queues of the inbox as data: what an item is called, where it is looked at, and what can be decided from the list. */
import type { CodeOf } from '@clearing/protocol'
import type { Filters } from '../address.ts'
import type { Answered } from '../client.ts'

export type Work = Answered<'list-work'>['work'][number]

export interface Queue {
  readonly label: string
  /** The screen on which one looks at an item. */
  readonly open: (work: Work) => string
  /** What of that screen: its filters. */
  readonly search?: (work: Work) => Filters
  /** Decided from the list: approved or rejected, or settled. */
  readonly decided: 'decide' | 'settle' | undefined
  /** What it is called to approve. */
  readonly approve?: string
  readonly reject?: string
  readonly settle?: string
  /** What it is called to leave it be, where it can be tried again. */
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
  Break: {
    label: 'Breaks',
    open: (work) => (work.accountNumber === '' ? '/books/breaks' : account(work)),
    search: () => ({ tab: 'activity' }),
    decided: 'settle',
    settle: 'Mark as reviewed',
  },
  Call: { label: 'Calls', open: account, search: () => ({ tab: 'margin' }), decided: undefined },
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

export function queueOf(name: string): Queue {
  return queues[name] ?? { label: name, open: account, decided: undefined }
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

/** The queue that is worked on, as the address of an item keeps it. */
export function queueInTurn(name: string | undefined): QueueName | undefined {
  return inTurn.find((one) => one === name)
}

/** Where an item is looked at; the address keeps the queue that is worked on. */
export function placeOf(work: Work): { readonly to: string; readonly search: Filters } {
  const { queue } = work
  const { open, search } = queueOf(queue)
  return {
    to: open(work),
    search: { ...(queueInTurn(queue) === undefined ? {} : { queue }), ...search?.(work) },
  }
}
