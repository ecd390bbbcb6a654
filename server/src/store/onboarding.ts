/** Applications: the whole state that the rules decide on, and its history. */
import type { OnboardingState } from '@clearing/domain'
import { json, lookUp, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface Onboarding {
  readonly account_number: string
  readonly firm_id: string
  readonly correlation_id: string
  readonly state: OnboardingState
  readonly step: number
  /** The request as an earlier release stored it. Null when the first version of the account has it. */
  readonly request: { [name: string]: unknown } | null
  readonly possible_duplicates: string[]
  /** ISO 8601 UTC. */
  readonly created_at: string
  readonly updated_at: string
}

const columns =
  'account_number, firm_id, correlation_id, state, step, request, possible_duplicates, created_at, updated_at'

const selectOnboarding = lookUp<Onboarding>(
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
     (account_number, firm_id, correlation_id, current_state, state, possible_duplicates, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)
const updateOnboarding = statement(
  'update-onboarding',
  `update clearing.onboarding set current_state = $2, state = $3, step = $4, updated_at = $5
   where account_number = $1`,
)
const insertTransitions = statement(
  'insert-onboarding-transitions',
  `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
   select $1, $2, new.* from unnest($3::integer[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[]) as new`,
)

export function readOnboarding(tx: Tx, accountNumber: string): Promise<Onboarding | undefined> {
  return tx.row(selectOnboarding, [accountNumber])
}

/** With the row locked until the transaction ends. ARCHITECTURE.md has the order of locks. */
export function lockOnboardingRow(tx: Tx, accountNumber: string): Promise<Onboarding | undefined> {
  return tx.row(lockOnboarding, [accountNumber])
}

export function writeOnboarding(
  tx: Tx,
  onboarding: {
    accountNumber: string
    firmId: string
    correlationId: string
    state: OnboardingState
    possibleDuplicates: readonly string[]
    at: Date
  },
): void {
  tx.later(insertOnboarding, [
    onboarding.accountNumber,
    onboarding.firmId,
    onboarding.correlationId,
    onboarding.state.currentState,
    json(onboarding.state),
    onboarding.possibleDuplicates,
    onboarding.at,
  ])
}

/** A step, and the state to which it led. */
export interface StepTaken {
  readonly state: OnboardingState
  readonly at: Date
  readonly actor: string
  readonly reason: string
}

/**
 * Replaces the state of a locked onboarding by that of the last step. Appends the steps that changed the
 * current state to its history. The other steps are in the audit trail and in the event log.
 */
export function writeOnboardingSteps(tx: Tx, before: Onboarding, steps: readonly StepTaken[]): void {
  const last = steps.at(-1)
  if (last === undefined) return
  tx.later(updateOnboarding, [
    before.account_number,
    last.state.currentState,
    json(last.state),
    before.step + steps.length,
    last.at,
  ])
  const moves = steps
    .map((taken, place) => ({
      ...taken,
      step: before.step + place + 1,
      from: (steps[place - 1]?.state ?? before.state).currentState,
      to: taken.state.currentState,
    }))
    .filter(({ from, to }) => from !== to)
  if (moves.length === 0) return
  tx.later(insertTransitions, [
    before.account_number,
    before.firm_id,
    moves.map(({ step }) => step),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    moves.map(({ at }) => at),
    moves.map(({ actor }) => actor),
    moves.map(({ reason }) => reason),
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

/** The person who last decided on the application in manual review, and the time. */
export function readReviewed(tx: Tx, accountNumber: string) {
  return tx.row(selectReviewed, [accountNumber])
}

/** The changes of state, oldest first. */
export function readTransitions(tx: Tx, accountNumber: string): Promise<OnboardingTransition[]> {
  return tx.rows(selectTransitions, [accountNumber])
}
