/** Applications on their way: the state that the rules keep, whole, and its history. */
import type { OnboardingState } from '@clearing/domain'
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface Onboarding {
  readonly account_number: string
  readonly firm_id: string
  readonly correlation_id: string
  readonly state: OnboardingState
  readonly step: number
  readonly request: { [name: string]: unknown }
  readonly possible_duplicates: string[]
  /** ISO 8601 UTC. */
  readonly created_at: string
  readonly updated_at: string
}

const columns =
  'account_number, firm_id, correlation_id, state, step, request, possible_duplicates, created_at, updated_at'

const selectOnboarding = statement<Onboarding>(
  'select-onboarding',
  `select ${columns} from clearing.onboarding where account_number = $1`,
)
const lockOnboarding = statement<Onboarding>(
  'lock-onboarding',
  `select ${columns} from clearing.onboarding where account_number = $1 for update`,
)
const insertOnboarding = statement(
  'insert-onboarding',
  `insert into clearing.onboarding
     (account_number, firm_id, correlation_id, current_state, state, request, possible_duplicates, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
)
const updateOnboarding = statement(
  'update-onboarding',
  `update clearing.onboarding set current_state = $2, state = $3, step = step + 1, updated_at = $4
   where account_number = $1`,
)
const insertTransition = statement(
  'insert-onboarding-transition',
  `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export const readOnboarding = (tx: Tx, accountNumber: string): Promise<Onboarding | undefined> =>
  tx.row(selectOnboarding, [accountNumber])

export const lockOnboardingRow = (tx: Tx, accountNumber: string): Promise<Onboarding | undefined> =>
  tx.row(lockOnboarding, [accountNumber])

export const writeOnboarding = (
  tx: Tx,
  onboarding: {
    accountNumber: string
    firmId: string
    correlationId: string
    state: OnboardingState
    request: unknown
    possibleDuplicates: readonly string[]
    at: Date
  },
): void =>
  tx.later(insertOnboarding, [
    onboarding.accountNumber,
    onboarding.firmId,
    onboarding.correlationId,
    onboarding.state.currentState,
    json(onboarding.state),
    json(onboarding.request),
    onboarding.possibleDuplicates,
    onboarding.at,
  ])

/** Replaces the state of a locked onboarding and appends to its history. */
export const writeOnboardingStep = (
  tx: Tx,
  before: Onboarding,
  step: { state: OnboardingState; at: Date; actor: string; reason: string },
): void => {
  tx.later(updateOnboarding, [before.account_number, step.state.currentState, json(step.state), step.at])
  tx.later(insertTransition, [
    before.account_number,
    before.firm_id,
    before.step + 1,
    before.state.currentState,
    step.state.currentState,
    step.at,
    step.actor,
    step.reason,
  ])
}

export interface OnboardingTransition {
  from_state: string
  to_state: string
  at: string
  reason: string
}

const selectTransitions = statement<OnboardingTransition>(
  'select-onboarding-transitions',
  `select from_state, to_state, at, reason from clearing.onboarding_transition
   where account_number = $1 and from_state <> to_state order by step`,
)

const selectReviewed = statement<{ to_state: string; actor: string; at: string }>(
  'select-onboarding-reviewed',
  `select to_state, actor, at from clearing.onboarding_transition
   where account_number = $1 and from_state = 'ManualReview' and to_state <> from_state order by step desc limit 1`,
)

/** Who last decided on the application in manual review, and when. */
export const readReviewed = (tx: Tx, accountNumber: string) => tx.row(selectReviewed, [accountNumber])

/** The changes of state, oldest first. */
export const readTransitions = (tx: Tx, accountNumber: string): Promise<OnboardingTransition[]> =>
  tx.rows(selectTransitions, [accountNumber])
