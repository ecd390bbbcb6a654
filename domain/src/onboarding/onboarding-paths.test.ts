import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextStep, submitOnboarding } from './decide-onboarding.ts'
import { awaitsReader, holdsUp, isUnsettled } from './follow-ups.ts'
import { jobKey, type OnboardingEvent, type OnboardingJob, type OnboardingStep } from './onboarding-event.ts'
import {
  type Actor,
  finalStates,
  type OnboardingState,
  stageRuleOf,
  stageRules,
  waitingStates,
} from './onboarding-state.ts'
import { renderErrorResponses, renderRemarks } from './remarks.ts'
import type { FollowUpRequest, StageOutcome } from './stage-outcome.ts'
import { workingStates } from './testing/play-events.ts'
import { transitions } from './transitions.ts'

const at = '2026-03-02T10:00:00.000Z'
const requests: fc.Arbitrary<FollowUpRequest[]> = fc.array(
  fc.record({
    code: fc.constantFrom<FollowUpRequest['code']>('AddressDocument', 'IdentityDocument', 'FieldCorrection'),
    field: fc.constantFrom('', 'primaryOwner', 'mailingAddress'),
    reason: fc.constant('Why.'),
  }),
  { minLength: 0, maxLength: 3 },
)
const outcome: fc.Arbitrary<StageOutcome> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<StageOutcome>({ kind: 'succeeded', reason: '' }) },
  {
    weight: 2,
    arbitrary: fc.constant<StageOutcome>({
      kind: 'succeeded',
      reason: '',
      later: [
        { code: 'W9Certification', field: 'primaryOwner', reason: 'Asked once it is open.' },
        { code: 'FieldCompletion', field: 'primaryOwner.occupation', reason: 'Asked once it is open.' },
      ],
    }),
  },
  { weight: 1, arbitrary: fc.constant<StageOutcome>({ kind: 'failed', reason: 'No.', errors: [] }) },
  { weight: 2, arbitrary: fc.constant<StageOutcome>({ kind: 'unavailable', reason: 'Timed out.' }) },
  { weight: 2, arbitrary: requests.map((asked): StageOutcome => ({ kind: 'asked', requests: asked })) },
  {
    weight: 1,
    arbitrary: fc.constant<StageOutcome>({ kind: 'referred', code: 'IdentityReview', reason: 'Look.' }),
  },
)

const written = { documentId: '', fields: [], text: 'Because.' }

/** Any event by any actor, with the due run (0) or another run. */
type Wild = (state: OnboardingState) => OnboardingEvent
const wild: fc.Arbitrary<Wild> = fc
  .record({
    by: fc.constantFrom<Actor>('service', 'firm', 'operations'),
    days: fc.constantFrom(0, 0, 31),
    late: fc.constantFrom(0, 0, 0, 1),
    followUp: fc.nat(60),
    plausible: fc.boolean(),
    stage: fc.option(fc.constantFrom(...stageRules.map(({ code }) => code)), { freq: 5 }),
    outcome,
    requests,
    answer: fc.constantFrom(undefined, written, { documentId: 'D', fields: [], text: '' }),
    kind: fc.constantFrom<OnboardingEvent['kind']>(
      'work-began',
      'stage-ended',
      'stage-ended',
      'stage-ended',
      'follow-up-answered',
      'follow-up-accepted',
      'follow-up-refused',
      'follow-up-waived',
      'follow-ups-expired',
      'record-changed',
      'owner-died',
      'approved',
      'rejected',
      'withdrawn',
      'information-requested',
    ),
  })
  .map(
    (chosen): Wild =>
      (state) => {
        const when = new Date(Date.parse(at) + chosen.days * 86_400_000).toISOString()
        const event = {
          ...chosen,
          at: when,
          run: state.run - chosen.late,
          stage: chosen.stage ?? state.stage ?? 'IdentityCheck',
          followUpId: `FU-${chosen.followUp % 7}`,
          reason: 'Because.',
          documentId: 'D1',
        }
        return (
          chosen.plausible ? { ...event, ...plausible(state, chosen.followUp) } : event
        ) as OnboardingEvent
      },
  )

/** An event that the state accepts, by an actor who is permitted to cause it. */
function plausible(state: OnboardingState, choice: number): Partial<OnboardingEvent> {
  const rows = transitions.filter(({ from }) => from === state.currentState)
  const row = rows[choice % Math.max(1, rows.length)]
  if (row === undefined) return {}
  const isOutcome = row.event.startsWith('stage-') || row.event === 'back-end-unavailable'
  const due = state.followUps.filter(isUnsettled)
  const isWritten = row.event === 'follow-up-explained'
  const kind = isOutcome ? 'stage-ended' : isWritten ? 'follow-up-answered' : row.event
  const answer = isWritten ? { answer: written } : {}
  const stage = state.stage ?? 'IdentityCheck'
  const followUpId = due[choice % Math.max(1, due.length)]?.id ?? 'FU-1'
  return {
    kind,
    by: row.by[0] ?? 'service',
    run: state.run,
    stage,
    followUpId,
    ...answer,
  } as Partial<OnboardingEvent>
}

function assertSound(state: OnboardingState): void {
  const { currentState, accountStatus, stages, followUps, stage } = state
  const isFinal = finalStates.includes(currentState)
  assert.equal(
    accountStatus,
    { CreationComplete: 'Open' }[currentState as string] ?? (isFinal ? 'Rejected' : 'Pending'),
  )
  assert.equal(stage === null, isFinal || currentState === 'Submitted')
  if (currentState === 'ActionRequired') {
    const awaited = followUps.filter(isUnsettled).filter((one) => !awaitsReader(one))
    assert.ok(awaited.length > 0, 'written answers alone are referred to operations')
  }
  if (currentState === 'CreationComplete') {
    const ofDeath = followUps.filter(({ certificate }) => certificate !== undefined)
    assert.ok(
      ofDeath.length === 0 || ofDeath.some(({ status }) => status === 'Accepted'),
      'a person decided on a death',
    )
    for (const { code, status } of stages) {
      assert.ok(
        status === 'Success' || (status === 'Failed' && stageRuleOf(code).onFailure === 'Continue'),
        code,
      )
    }
  }
  if (currentState === 'Screening' || currentState === 'AccountCreation') {
    assert.equal(stageRuleOf(stage as never).group, currentState)
  }
  if (currentState === 'ActionRequired') {
    assert.ok(
      followUps.some((one) => one.kind !== 'Review' && isUnsettled(one)),
      'the firm has something to do',
    )
  }
  if (currentState === 'ManualReview') {
    assert.ok(
      followUps.some((one) => one.kind === 'Review' && isUnsettled(one)),
      'operations have something to do',
    )
  }
  if (workingStates.includes(currentState) || isFinal) {
    const unsettled = followUps.filter((one) => holdsUp(one) && !(one.kind === 'Review' && isFinal))
    assert.deepEqual(unsettled, [], 'every open follow-up delays the opening')
  }
  const ids = followUps.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assertConsistent(state)
}

/** Reading 4.3: remarks and errorResponses never contradict currentState. */
function assertConsistent(state: OnboardingState): void {
  const remarks = renderRemarks(state)
  const errors = renderErrorResponses(state)
  const failed = state.stages.filter(({ status }) => status === 'Failed')
  for (const { code, errors: own, reason } of failed) {
    assert.ok(own.length > 0 && reason !== '', `${code} failed for a reason`)
  }
  assert.equal(/^The account was opened\./.test(remarks), state.currentState === 'CreationComplete')
  assert.equal(/^Rejected: ./.test(remarks), state.currentState === 'Rejected')
  assert.equal(/^The account creation failed: ./.test(remarks), state.currentState === 'CreationFailed')
  assert.equal(/^Action required: ./.test(remarks), state.currentState === 'ActionRequired')
  const isRefused = state.currentState === 'Rejected' && state.withdrawnAt === undefined
  if (isRefused || state.currentState === 'CreationFailed') assert.ok(errors.length > 0)
  if (
    failed.length === 0 &&
    state.currentState !== 'ActionRequired' &&
    state.currentState !== 'ManualReview'
  ) {
    assert.deepEqual(errors, [])
  }
}

function assertStep(before: OnboardingState, event: OnboardingEvent, step: OnboardingStep): void {
  const { state, transition, jobs } = step
  assert.ok(transitions.includes(transition))
  assert.equal(transition.from, before.currentState)
  assert.equal(transition.to, state.currentState)
  assert.ok(transition.by.includes(event.by))
  assert.equal(state.accountStatus, transition.accountStatus ?? 'Pending')
  assert.equal(state.run, before.run + 1)
  const runs = jobs.filter((job) => job.kind === 'run-stage')
  assert.equal(
    runs.length,
    workingStates.includes(state.currentState) ? 1 : 0,
    'work is queued in every working state',
  )
  assertSound(state)
}

test('every event in every reachable state is a row of the table', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 40, size: 'max' }), (events) => {
      let { state } = submitOnboarding(at)
      for (const make of events) {
        const event = make(state)
        const next = nextStep(state, event)
        if ('rejection' in next) {
          assert.ok(next.rejection.reason !== '')
          continue
        }
        assertStep(state, event, next.step)
        reached.add(`${state.currentState} ${next.step.transition.event} ${next.step.state.currentState}`)
        state = next.step.state
      }
    }),
    { numRuns: 2000, seed: 4_600_013 },
  )
  const all = transitions.map(({ from, event, to }) => `${from} ${event} ${to}`)
  const missed = all.filter((one) => !reached.has(one))
  // The tables cover the rows that need six time-outs in a row at one stage.
  assert.deepEqual(
    missed.filter((one) => !one.includes('back-end-unavailable')),
    [],
    'every row is reached by a path',
  )
})

test('without further events, every onboarding reaches a final or a waiting state', () => {
  fc.assert(
    fc.property(fc.infiniteStream(outcome), fc.infiniteStream(wild), (outcomes, others) => {
      let { state, jobs }: { state: OnboardingState; jobs: readonly OnboardingJob[] } = submitOnboarding(at)
      const keys = new Set<string>()
      for (let round = 0; round < 5; round++) {
        let steps = 0
        while (workingStates.includes(state.currentState)) {
          assert.ok(++steps < 60, 'the work ends')
          const job = jobs.find((one) => one.kind !== 'expire-follow-ups')
          assert.ok(job, `work is queued in ${state.currentState}`)
          assert.ok(!keys.has(jobKey(job)), 'each job has a key of its own')
          keys.add(jobKey(job))
          const { run } = job
          const event: OnboardingEvent =
            job.kind === 'run-stage'
              ? {
                  kind: 'stage-ended',
                  run,
                  stage: job.stage,
                  at,
                  by: 'service',
                  outcome: outcomes.next().value as StageOutcome,
                }
              : { kind: 'work-began', run, at, by: 'service' }
          const before = state
          const next = nextStep(state, event)
          assert.ok('step' in next)
          ;({ state, jobs } = next.step)
          assertStep(before, event, next.step)
        }
        assert.ok([...finalStates, ...waitingStates].includes(state.currentState))
        for (let tries = 0; tries < 10 && waitingStates.includes(state.currentState); tries++) {
          const next = nextStep(state, others.next().value(state))
          if ('step' in next) ({ state, jobs } = next.step)
        }
        if (!workingStates.includes(state.currentState)) break
      }
    }),
    { numRuns: 1500 },
  )
})

test('work that two workers do takes effect only once', () => {
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 25, size: 'max' }), (events) => {
      let { state } = submitOnboarding(at)
      for (const make of events) {
        const event = make(state)
        const next = nextStep(state, event)
        if ('rejection' in next) continue
        if (event.kind === 'stage-ended' || event.kind === 'work-began') {
          const again = nextStep(next.step.state, event)
          assert.ok('rejection' in again, `${event.kind} took effect twice`)
        }
        state = next.step.state
      }
    }),
    { numRuns: 500 },
  )
})

test('a decision does not modify its arguments', () => {
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 25, size: 'max' }), (events) => {
      let { state } = submitOnboarding(at)
      for (const make of events) {
        const before = structuredClone(state)
        const next = nextStep(state, make(state))
        assert.deepEqual(state, before)
        if ('step' in next) state = next.step.state
      }
    }),
    { numRuns: 200 },
  )
})
