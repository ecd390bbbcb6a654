/**
 * The scenarios of the sandbox as data: the only definition of the magic values. The simulator follows them,
 * `list-scenarios` and the documentation show them, and `run-scenario` and the tests run them to their end.
 */
import { reject, slowLastName } from '@clearing/protocol/values'
import type { CurrentState, FollowUp, StageCode } from './onboarding-state.ts'
import { type FollowUpRequest, type ReviewCode, type StageOutcome, succeeded } from './stage-outcome.ts'

/** The next step, and the state of the application after it. */
export interface ScenarioStep {
  readonly does: 'submit' | 'add-document' | 'decide-document' | 'decide-match' | 'decide-onboarding'
  /** Reference of the added document. */
  readonly reference?: string
  readonly displayName?: string
  readonly decision?: 'Approved' | 'Rejected' | 'Cleared' | 'Confirmed'
  readonly reaches: CurrentState
  /** Status of the follow-up after the step, if there is one. */
  readonly followUp?: FollowUp['status']
}

/** The outcome of a stage at each attempt; the last one applies to all further attempts. */
export interface StageDecision {
  readonly stage: StageCode
  readonly outcomes: readonly StageOutcome[]
}

export interface Scenario {
  readonly name: string
  /** What happens, in one line. */
  readonly effect: string
  /** The members of the primary owner that select the scenario; all others are free. */
  readonly owner: {
    readonly taxIdNumber?: string
    readonly firstName?: string
    readonly lastName?: string
    readonly birthDate?: string
  }
  /** The outcomes that the tax id selects. Every other stage runs as usual. */
  readonly decides?: StageDecision
  /** The duration of each stage by the sandbox's clock. */
  readonly stageDelayMs?: number
  readonly steps: readonly ScenarioStep[]
  /** Operations that show the result. */
  readonly lookAt: readonly string[]
}

function failed(stage: StageCode, reason: string, errors: readonly string[] = []): StageDecision {
  return {
    stage,
    outcomes: [{ kind: 'failed', reason, errors: errors.map((said) => reject('ERR.4000', '', said)) }],
  }
}
function asked(code: FollowUpRequest['code'], field: string, what: string): StageDecision {
  return {
    stage: 'IdentityCheck',
    outcomes: [
      {
        kind: 'asked',
        requests: [{ code, field, reason: `The ${what} could not be verified; a document is needed.` }],
      },
    ],
  }
}
function referred(stage: StageCode, code: ReviewCode, reason: string): StageDecision {
  return {
    stage,
    outcomes: [{ kind: 'referred', code, reason }],
  }
}

function submitted(reaches: CurrentState): ScenarioStep {
  return { does: 'submit', reaches }
}
const askedFor: ScenarioStep = { does: 'submit', reaches: 'ActionRequired', followUp: 'Open' }
const inReview: ScenarioStep = { does: 'submit', reaches: 'ManualReview', followUp: 'Open' }
function added(reference: string): ScenarioStep {
  return {
    does: 'add-document',
    reference,
    reaches: 'ActionRequired',
    followUp: 'Answered',
  }
}
const documentApproved: ScenarioStep = {
  does: 'decide-document',
  decision: 'Approved',
  reaches: 'CreationComplete',
  followUp: 'Accepted',
}
const approved: ScenarioStep = {
  does: 'decide-onboarding',
  decision: 'Approved',
  reaches: 'CreationComplete',
  followUp: 'Accepted',
}

/** When the last match is cleared, the application continues. */
const cleared: ScenarioStep = {
  does: 'decide-match',
  decision: 'Cleared',
  reaches: 'CreationComplete',
  followUp: 'Accepted',
}

const unanswered: StageOutcome = {
  kind: 'unavailable',
  reason: 'The account system did not answer in time.',
}
const opened = ['onboarding-result', 'get-account', 'list-events']
const identityDocument = asked('IdentityDocument', 'primaryOwner', 'identity')

export const scenarios: readonly Scenario[] = [
  {
    name: 'opens',
    effect: 'The account opens',
    owner: {},
    steps: [submitted('CreationComplete')],
    lookAt: opened,
  },
  {
    name: 'identity-rejected',
    effect: 'Rejected (IdentityCheck)',
    owner: { taxIdNumber: '000000001' },
    decides: failed('IdentityCheck', 'The identity could not be verified.'),
    steps: [submitted('Rejected')],
    lookAt: ['onboarding-result', 'list-events'],
  },
  {
    name: 'address-document',
    effect: 'ActionRequired: an address document (UTIL or BANK)',
    owner: { taxIdNumber: '000000002' },
    decides: asked('AddressDocument', 'primaryOwner.legalAddress', 'address'),
    steps: [askedFor, added('UTIL'), documentApproved],
    lookAt: [...opened, 'get-document-details'],
  },
  {
    name: 'identity-document',
    effect: 'ActionRequired: an identity document (PASS or DRLC)',
    owner: { taxIdNumber: '000000003' },
    decides: identityDocument,
    steps: [askedFor, added('PASS'), documentApproved],
    lookAt: [...opened, 'get-document-details'],
  },
  {
    name: 'manual-review',
    effect: 'ManualReview until decide-onboarding decides',
    owner: { taxIdNumber: '000000004' },
    decides: referred('IdentityCheck', 'IdentityReview', 'The identity must be looked at by a person.'),
    steps: [inReview, approved],
    lookAt: opened,
  },
  {
    name: 'watch-list-match',
    effect: 'WatchlistCheck finds a possible match; ManualReview',
    owner: { taxIdNumber: '000000005' },
    decides: referred('WatchlistCheck', 'WatchlistReview', 'One possible match of a watch list.'),
    steps: [inReview, cleared],
    lookAt: [...opened, 'list-matches'],
  },
  {
    name: 'tax-id-document',
    effect: 'ActionRequired: a tax-id card (SSCD)',
    owner: { taxIdNumber: '000000006' },
    decides: asked('TaxIdDocument', 'primaryOwner.taxIdNumber', 'tax id'),
    steps: [askedFor, added('SSCD'), documentApproved],
    lookAt: [...opened, 'get-document-details'],
  },
  {
    name: 'trusted-contact-fails',
    effect: 'CreationComplete with the stage TrustedContact Failed',
    owner: { taxIdNumber: '000000007' },
    decides: failed('TrustedContact', 'The trusted contact could not be set up.'),
    steps: [submitted('CreationComplete')],
    lookAt: opened,
  },
  {
    name: 'back-end-times-out',
    effect: 'The back end times out twice, then succeeds',
    owner: { taxIdNumber: '000000008' },
    decides: { stage: 'AccountCreation', outcomes: [unanswered, unanswered, succeeded()] },
    steps: [submitted('CreationComplete')],
    lookAt: opened,
  },
  {
    name: 'creation-fails',
    effect: 'CreationFailed with an error (ERR.4000)',
    owner: { taxIdNumber: '000000009' },
    decides: failed('AccountCreation', 'The account system refused the account.', [
      'The account system refused the account.',
    ]),
    steps: [submitted('CreationFailed')],
    lookAt: ['onboarding-result', 'list-events'],
  },
  {
    name: 'document-rejected',
    effect: 'A document whose name asks for it is rejected as EXPIRED; another one is accepted',
    owner: { taxIdNumber: '000000003' },
    decides: identityDocument,
    steps: [
      askedFor,
      {
        does: 'add-document',
        reference: 'PASS',
        displayName: 'Passport reject:EXPIRED',
        reaches: 'ActionRequired',
        followUp: 'Rejected',
      },
      added('DRLC'),
      documentApproved,
    ],
    lookAt: [...opened, 'get-document-details'],
  },
  {
    name: 'listed-name',
    effect: 'The real screening finds a name of the fictitious watch list; ManualReview',
    owner: { firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' },
    steps: [inReview, cleared],
    lookAt: [...opened, 'list-matches'],
  },
  {
    name: 'slow',
    effect: 'Each stage takes 30 seconds of the sandbox’s clock; advance-clock ends the wait',
    owner: { lastName: slowLastName },
    stageDelayMs: 30_000,
    steps: [submitted('Screening')],
    lookAt: ['onboarding-result', 'get-clock', 'list-events'],
  },
]
