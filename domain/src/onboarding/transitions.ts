/**
 * The onboarding state machine as data: every step, its permitted actors and the resulting account status. The
 * diagram of the documentation and the rules use this table (Reading 4.1, 3.2).
 */
import {
  type Actor,
  type CurrentState,
  finalStates,
  type OpeningStatus,
  waitingStates,
} from './onboarding-state.ts'

/** The events of an onboarding; `stage-*` and `back-end-unavailable` are the outcomes of a stage. */
export type TransitionEvent =
  | 'work-began'
  | 'stage-succeeded'
  | 'stage-failed'
  | 'stage-asked'
  | 'stage-referred'
  | 'back-end-unavailable'
  | 'follow-up-answered'
  | 'follow-up-explained'
  | 'follow-up-accepted'
  | 'follow-up-refused'
  | 'follow-up-waived'
  | 'follow-ups-expired'
  | 'record-changed'
  | 'owner-died'
  | 'renewal-asked'
  | 'renewal-expired'
  | 'renewal-settled'
  | 'renewal-withdrawn'
  | 'approved'
  | 'rejected'
  | 'withdrawn'
  | 'information-requested'

export interface Transition {
  readonly from: CurrentState
  readonly to: CurrentState
  readonly event: TransitionEvent
  readonly by: readonly Actor[]
  /** The new accountStatus; null leaves it Pending. */
  readonly accountStatus: Exclude<OpeningStatus, 'Pending'> | null
  readonly description: string
}

const service: readonly Actor[] = ['service']
const operations: readonly Actor[] = ['operations']
const reviewers: readonly Actor[] = ['operations', 'service']
const firm: readonly Actor[] = ['firm']
const suppliers: readonly Actor[] = ['firm', 'operations']

function row(
  from: CurrentState,
  event: TransitionEvent,
  to: CurrentState,
  by: readonly Actor[],
  description: string,
): Transition {
  const accountStatus =
    to === 'CreationComplete' ? 'Open' : to === 'Rejected' || to === 'CreationFailed' ? 'Rejected' : null
  return { from, to, event, by, accountStatus, description }
}

const beforeOpening = ['Submitted', 'Screening', 'AccountCreation', ...waitingStates] as const

/** Every step. A step between two states by one event is one row. */
export const transitions: readonly Transition[] = [
  row('Submitted', 'work-began', 'Screening', service, 'The checks begin.'),

  row('Screening', 'stage-succeeded', 'Screening', service, 'A check is passed; another is due.'),
  row('Screening', 'stage-succeeded', 'AccountCreation', service, 'All checks are passed.'),
  row('Screening', 'stage-failed', 'Rejected', service, 'A check is failed.'),
  row('Screening', 'stage-asked', 'ActionRequired', service, 'A check needs something of the firm.'),
  row('Screening', 'stage-referred', 'ManualReview', service, 'A check needs a decision of operations.'),
  row('Screening', 'back-end-unavailable', 'Screening', service, 'The check is tried again later.'),
  row('Screening', 'back-end-unavailable', 'CreationFailed', service, 'The check was tried too often.'),

  row('AccountCreation', 'stage-succeeded', 'AccountCreation', service, 'A step is done; another is due.'),
  row('AccountCreation', 'stage-succeeded', 'CreationComplete', service, 'The last step is done.'),
  row('AccountCreation', 'stage-failed', 'AccountCreation', service, 'A step that may fail has failed.'),
  row('AccountCreation', 'stage-failed', 'CreationComplete', service, 'The last step may fail, and has.'),
  row('AccountCreation', 'stage-failed', 'ActionRequired', service, 'The firm must correct a field.'),
  row('AccountCreation', 'stage-failed', 'CreationFailed', service, 'A step that must succeed has failed.'),
  row('AccountCreation', 'stage-asked', 'ActionRequired', service, 'A step needs something of the firm.'),
  row('AccountCreation', 'stage-referred', 'ManualReview', service, 'A step needs a decision of operations.'),
  row(
    'AccountCreation',
    'back-end-unavailable',
    'AccountCreation',
    service,
    'The step is tried again later.',
  ),
  row(
    'AccountCreation',
    'back-end-unavailable',
    'CreationComplete',
    service,
    'The last step may fail, and was tried too often.',
  ),
  row('AccountCreation', 'back-end-unavailable', 'CreationFailed', service, 'The step was tried too often.'),

  row('ActionRequired', 'follow-up-answered', 'ActionRequired', suppliers, 'An answer is being looked at.'),
  row(
    'ActionRequired',
    'follow-up-explained',
    'ActionRequired',
    suppliers,
    'An answer in writing; others are due.',
  ),
  row(
    'ActionRequired',
    'follow-up-explained',
    'ManualReview',
    suppliers,
    'An answer in writing is for operations.',
  ),
  row('ActionRequired', 'follow-up-accepted', 'ActionRequired', reviewers, 'An answer does; others are due.'),
  row('ActionRequired', 'follow-up-accepted', 'Screening', reviewers, 'All is answered; the check resumes.'),
  row(
    'ActionRequired',
    'follow-up-accepted',
    'AccountCreation',
    reviewers,
    'All is answered; the step resumes.',
  ),
  row(
    'ActionRequired',
    'follow-up-accepted',
    'ManualReview',
    reviewers,
    'An answer does; one in writing is for operations.',
  ),
  row('ActionRequired', 'follow-up-refused', 'ActionRequired', reviewers, 'An answer does not do.'),
  row('ActionRequired', 'follow-up-waived', 'ActionRequired', operations, 'An answer is no longer needed.'),
  row(
    'ActionRequired',
    'follow-up-waived',
    'Screening',
    operations,
    'Nothing more is needed; the check resumes.',
  ),
  row(
    'ActionRequired',
    'follow-up-waived',
    'AccountCreation',
    operations,
    'Nothing more is needed; the step resumes.',
  ),
  row(
    'ActionRequired',
    'follow-up-waived',
    'ManualReview',
    operations,
    'Nothing more is needed; an answer in writing is for operations.',
  ),
  row('ActionRequired', 'record-changed', 'ActionRequired', suppliers, 'The earlier checks run again.'),
  row('ActionRequired', 'follow-ups-expired', 'ManualReview', service, 'An answer is overdue.'),
  row('ActionRequired', 'rejected', 'Rejected', operations, 'Operations reject the application.'),

  row('ManualReview', 'approved', 'Screening', operations, 'Operations approve; another check is due.'),
  row(
    'ManualReview',
    'approved',
    'AccountCreation',
    operations,
    'Operations approve; the account is set up.',
  ),
  row('ManualReview', 'information-requested', 'ActionRequired', operations, 'Operations ask the firm.'),
  row('ManualReview', 'follow-up-answered', 'ManualReview', suppliers, 'An answer came; operations decide.'),
  row(
    'ManualReview',
    'follow-up-explained',
    'ManualReview',
    suppliers,
    'An answer in writing came; operations decide.',
  ),
  row('ManualReview', 'follow-up-accepted', 'ManualReview', reviewers, 'An answer does; operations decide.'),
  row(
    'ManualReview',
    'follow-up-refused',
    'ManualReview',
    reviewers,
    'An answer does not do; operations decide.',
  ),
  row('ManualReview', 'record-changed', 'ManualReview', suppliers, 'The earlier checks run again.'),
  row('ManualReview', 'rejected', 'Rejected', operations, 'Operations reject the application.'),

  ...beforeOpening.map((from) =>
    row(from, 'owner-died', 'ManualReview', operations, 'An owner died: operations decide.'),
  ),
  ...beforeOpening.map((from) =>
    row(from, 'withdrawn', 'Rejected', firm, 'The firm withdraws the application.'),
  ),

  row(
    'CreationComplete',
    'follow-up-answered',
    'CreationComplete',
    suppliers,
    'What the open account was asked.',
  ),
  row(
    'CreationComplete',
    'follow-up-explained',
    'CreationComplete',
    suppliers,
    'What the open account was asked, in writing.',
  ),
  row(
    'CreationComplete',
    'renewal-asked',
    'CreationComplete',
    reviewers,
    'Something of the open account falls due.',
  ),
  row('CreationComplete', 'renewal-expired', 'CreationComplete', service, 'What fell due was not answered.'),
  row('CreationComplete', 'renewal-settled', 'CreationComplete', service, 'What fell due is there.'),
  row(
    'CreationComplete',
    'renewal-withdrawn',
    'CreationComplete',
    service,
    'What fell due is no longer asked for.',
  ),
  row('CreationComplete', 'follow-up-accepted', 'CreationComplete', reviewers, 'The answer does.'),
  row('CreationComplete', 'follow-up-refused', 'CreationComplete', reviewers, 'The answer does not do.'),
  row(
    'CreationComplete',
    'follow-up-waived',
    'CreationComplete',
    operations,
    'The answer is no longer needed.',
  ),
]

/** The row of a step. Throws if the table does not have it, which is a fault of the service. */
export function transitionOf(from: CurrentState, event: TransitionEvent, to: CurrentState): Transition {
  const found = transitions.find((one) => one.from === from && one.event === event && one.to === to)
  if (found === undefined) throw new Error(`no transition leads from ${from} by ${event} to ${to}`)
  return found
}

/** The table as a Mermaid state diagram. */
export function renderTransitions(): string {
  const lines = ['stateDiagram-v2', '  [*] --> Submitted']
  const arrows = new Map<string, string[]>()
  for (const { from, to, event, by } of transitions) {
    const arrow = `  ${from} --> ${to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), `${event} (${by.join(', ')})`])
  }
  for (const [arrow, labels] of arrows) lines.push(`${arrow}: ${labels.join('<br/>')}`)
  for (const state of finalStates) lines.push(`  ${state} --> [*]`)
  lines.push('  classDef waiting stroke-dasharray: 4 4')
  lines.push(`  class ${waitingStates.join(',')} waiting`)
  return `${lines.join('\n')}\n`
}
