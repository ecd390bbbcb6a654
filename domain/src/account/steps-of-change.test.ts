import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangeStage, stepsOfChange } from './steps-of-change.ts'

const stages = ['AwaitsPerson', 'AwaitsMatches', 'Approved', 'Rejected', 'Withdrawn'] as const
type Event = keyof typeof stepsOfChange

const table: Readonly<Record<Event, readonly [string, string, string, string, string]>> = {
  approve: ['attempt', 'not-asked', 'decided', 'decided', 'decided'],
  reject: ['Rejected Refused', 'Rejected Refused', 'decided', 'decided', 'decided'],
  withdraw: ['Withdrawn Withdrawn', 'Withdrawn Withdrawn', 'decided', 'decided', 'decided'],
  withdrawByFirm: ['Withdrawn Withdrawn +', 'Withdrawn Withdrawn +', 'decided', 'decided', 'stay'],
  clearMatch: ['stay', 'stay', 'stay', 'stay', 'stay'],
  clearLastMatch: ['stay', 'attempt', 'stay', 'stay', 'stay'],
  confirmMatch: ['Rejected Refused', 'Rejected Refused', 'stay', 'stay', 'stay'],
  loseSubject: ['Rejected Ended', 'Rejected Ended', 'stay', 'stay', 'stay'],
}

/** `+` marks an end after which the open matches are still decided on. */
function inWords(step: string | object): string {
  if (typeof step === 'string') return step
  if ('made' in step) return 'attempt'
  const { state, outcome, reviewGoesOn } = step as Record<string, string | true | undefined>
  return [state, ...(outcome ? [outcome] : []), ...(reviewGoesOn ? ['+'] : [])].join(' ')
}

for (const [event, cells] of Object.entries(table) as [Event, readonly string[]][])
  for (const [at, expected] of cells.entries()) {
    const stage = stages[at] as ChangeStage
    test(`${event} of a change in the stage ${stage}: ${expected}`, () => {
      assert.equal(inWords(stepsOfChange[event][stage]), expected)
    })
  }

const attempts = [
  ['the approval of a person', stepsOfChange.approve.AwaitsPerson, 'made', 'Approved'],
  ['the approval of a person', stepsOfChange.approve.AwaitsPerson, 'waits', 'keep-approval'],
  ['the approval of a person', stepsOfChange.approve.AwaitsPerson, 'stale', 'refuse'],
  ['the approval of a person', stepsOfChange.approve.AwaitsPerson, 'invalid', 'refuse'],
  ['the last cleared match', stepsOfChange.clearLastMatch.AwaitsMatches, 'made', 'Approved'],
  ['the last cleared match', stepsOfChange.clearLastMatch.AwaitsMatches, 'waits', 'stay'],
  ['the last cleared match', stepsOfChange.clearLastMatch.AwaitsMatches, 'stale', 'Rejected Stale'],
  ['the last cleared match', stepsOfChange.clearLastMatch.AwaitsMatches, 'invalid', 'Rejected Invalid'],
] as const

for (const [cause, attempt, result, expected] of attempts)
  test(`an attempt after ${cause} whose result is ${result}: ${expected}`, () => {
    assert.equal(inWords(attempt[result]), expected)
  })
