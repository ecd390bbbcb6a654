import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep, submitOnboarding } from './decide-onboarding.ts'
import {
  magicStageDelayMs,
  magicTaxIds,
  magicValues,
  parseDocumentVerdict,
  runMagicStage,
} from './magic-values.ts'
import type { OnboardingEvent, OnboardingJob } from './onboarding-event.ts'
import { type OnboardingState, stageRules } from './onboarding-state.ts'
import { renderErrorResponses } from './remarks.ts'
import { scenarios } from './scenarios.ts'
import { succeeded } from './stage-outcome.ts'

const at = '2026-03-02T10:00:00.000Z'

/** Runs the queued work of an onboarding to its end. The magic value determines the outcomes. */
function runAll(taxIdNumber: string, from = submitOnboarding(at)) {
  let state: OnboardingState = from.state
  let jobs: readonly OnboardingJob[] = from.jobs
  let attempts = 0
  for (let job = jobs[0]; job !== undefined && job.kind !== 'expire-follow-ups'; job = jobs[0]) {
    const owner = { sandbox: true, taxIdNumber, lastName: 'DOE' }
    const event: OnboardingEvent =
      job.kind === 'begin'
        ? { kind: 'work-began', run: job.run, at, by: 'service' }
        : {
            kind: 'stage-ended',
            run: job.run,
            stage: job.stage,
            outcome: runMagicStage(owner, job.stage, job.attempt) ?? succeeded(),
            at,
            by: 'service',
          }
    const next = nextStep(state, event)
    assert.ok('step' in next)
    ;({ state, jobs } = next.step)
    assert.ok(++attempts < 50, 'the work ends')
  }
  return { state, jobs, attempts }
}

function documents(state: OnboardingState) {
  return state.followUps.flatMap((one) => one.acceptedDocuments)
}
function failedStages(state: OnboardingState) {
  return state.stages.filter(({ status }) => status === 'Failed').map(({ code }) => code)
}

const stateAfterSubmitting = new Map(
  scenarios.flatMap(({ owner, steps }) =>
    owner.taxIdNumber ? [[owner.taxIdNumber, steps[0]?.reaches]] : [],
  ),
)
const cases: [string, string[], string[]][] = [
  ['000000001', ['IdentityCheck'], []],
  ['000000002', [], ['UTIL', 'BANK']],
  ['000000003', [], ['PASS', 'DRLC']],
  ['000000004', [], []],
  ['000000005', [], []],
  ['000000006', [], ['SSCD']],
  ['000000007', ['TrustedContact'], []],
  ['000000008', [], []],
  ['000000009', ['AccountCreation'], []],
  ['123456789', [], []],
]

for (const [taxId, failed, accepted] of cases) {
  const reaches = stateAfterSubmitting.get(taxId) ?? 'CreationComplete'
  test(`${taxId} leads to ${reaches}`, () => {
    const { state } = runAll(taxId)
    assert.equal(state.currentState, reaches)
    assert.deepEqual(failedStages(state), failed)
    assert.deepEqual(documents(state), accepted)
  })
}

test('scenarios have unique names, and those of one tax id begin with the same word', () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
  for (const { owner, decides, steps } of scenarios) {
    assert.equal(steps[0]?.does, 'submit')
    const value = magicValues.find(({ taxIdNumber }) => taxIdNumber === owner.taxIdNumber)
    assert.deepEqual(decides?.outcomes, value?.outcomes)
  }
})

for (const taxId of ['000000002', '000000003', '000000006']) {
  test(`${taxId} is settled when the document is added and approved`, () => {
    const { state } = runAll(taxId)
    const [followUp] = state.followUps
    assert.ok(followUp)
    const answered = nextStep(state, { kind: 'follow-up-answered', followUpId: followUp.id, at, by: 'firm' })
    assert.ok('step' in answered)
    const event = { kind: 'follow-up-accepted', followUpId: followUp.id, at, by: 'operations' } as const
    const accepted = nextStep(answered.step.state, event)
    assert.ok('step' in accepted)
    const { state: resumed, jobs } = accepted.step
    assert.equal(runAll(taxId, { state: resumed, jobs: [...jobs] }).state.currentState, 'CreationComplete')
  })
}

test('000000004 and 000000005 wait in their stage until operations decide', () => {
  for (const [taxId, stage] of [
    ['000000004', 'IdentityCheck'],
    ['000000005', 'WatchlistCheck'],
  ] as const) {
    const { state } = runAll(taxId)
    assert.equal(state.stage, stage)
    const approved = nextStep(state, { kind: 'approved', reason: 'Known.', at, by: 'operations' })
    assert.ok('step' in approved)
    const { state: resumed, jobs } = approved.step
    assert.equal(runAll(taxId, { state: resumed, jobs: [...jobs] }).state.currentState, 'CreationComplete')
  }
})

test('000000008 times out twice before it succeeds', () => {
  assert.equal(runAll('000000008').attempts, runAll('123456789').attempts + 2)
})

test('000000009 returns ERR.4000', () => {
  assert.deepEqual(
    renderErrorResponses(runAll('000000009').state).map(({ code }) => code),
    ['ERR.4000'],
  )
})

test('magic values have no effect outside the sandbox', () => {
  for (const { taxIdNumber } of magicValues) {
    for (const { code } of stageRules) {
      assert.equal(runMagicStage({ sandbox: false, taxIdNumber, lastName: 'SLOW30' }, code, 1), null)
    }
  }
  assert.equal(magicStageDelayMs({ sandbox: false, taxIdNumber: '', lastName: 'SLOW30' }), 0)
  assert.equal(parseDocumentVerdict('reject:EXPIRED', false), null)
})

test('every magic tax id has area 000, which is never assigned', () => {
  assert.equal(magicTaxIds.size, magicValues.length)
  for (const taxId of magicTaxIds) assert.match(taxId, /^000\d{6}$/)
})

test('the last name SLOW30, in any letter case, makes each stage take 30 seconds', () => {
  const delay = (lastName: string) => magicStageDelayMs({ sandbox: true, taxIdNumber: '123456789', lastName })
  assert.deepEqual(['SLOW30', 'Slow30', 'SLOW31', 'SLOW30S'].map(delay), [30_000, 30_000, 0, 0])
})

const names: [string, string | null][] = [
  ['reject:EXPIRED', 'EXPIRED'],
  ['My passport (Reject:blurry).pdf', 'BLURRY'],
  ['scan reject:NAME_MISMATCH', 'NAME_MISMATCH'],
  ['reject:SOMETHING', null],
  ['noreject:EXPIRED', null],
  ['rejected', null],
  ['', null],
]

for (const [name, code] of names) {
  test(`a document named "${name}" is ${code === null ? 'reviewed' : `rejected: ${code}`}`, () => {
    assert.equal(parseDocumentVerdict(name, true)?.rejectionCode ?? null, code)
  })
}
