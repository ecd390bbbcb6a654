/** The predicted result of an application: the first state in which it waits, and all requests of its stages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foreseeOnboarding } from './foresee-onboarding.ts'
import type { StageCode } from './onboarding-state.ts'
import { type StageOutcome, succeeded } from './stage-outcome.ts'
import { askAddress, askTwo, at, failed, refer, unavailable } from './testing/play-events.ts'

type Outcomes = Partial<Record<StageCode, StageOutcome | readonly StageOutcome[]>>

/** The outcomes of each stage, one for each attempt. A stage without an outcome succeeds. */
async function foresee(outcomes: Outcomes) {
  const asked: [StageCode, number][] = []
  const { rest, followUps } = await foreseeOnboarding(at, async (stage, attempt) => {
    asked.push([stage, attempt])
    const given = outcomes[stage] ?? succeeded()
    return 'kind' in given ? given : (given[attempt - 1] ?? succeeded())
  })
  return { state: rest.currentState, asked, followUps: followUps.map(({ id, code }) => `${id} ${code}`) }
}

const mailingFails: StageOutcome = failed('No such street.')
const table: [string, Outcomes, state: string, followUps: string[]][] = [
  ['an application without a problem', {}, 'CreationComplete', []],
  ['a failed check', { WatchlistCheck: failed('Listed.') }, 'Rejected', []],
  ['a failed creation', { AccountCreation: failed('No.') }, 'CreationFailed', []],
  ['a requested document', { IdentityCheck: askAddress }, 'ActionRequired', ['FU-1 AddressDocument']],
  [
    'two requested documents',
    { IdentityCheck: askTwo },
    'ActionRequired',
    ['FU-1 AddressDocument', 'FU-2 TaxIdDocument'],
  ],
  ['a review', { WatchlistCheck: refer }, 'ManualReview', ['FU-1 WatchlistReview']],
  [
    'a requested document before a review',
    { IdentityCheck: askAddress, WatchlistCheck: refer },
    'ActionRequired',
    ['FU-1 AddressDocument', 'FU-2 WatchlistReview'],
  ],
  [
    'a review before a requested document',
    {
      IdentityCheck: { kind: 'referred', code: 'IdentityReview', reason: 'Look.' },
      WatchlistCheck: askAddress,
    },
    'ManualReview',
    ['FU-1 IdentityReview', 'FU-2 AddressDocument'],
  ],
  [
    'a request after the opening',
    {
      IdentityCheck: {
        ...succeeded(),
        later: [{ code: 'W9Certification', field: 'primaryOwner', reason: '' }],
      },
    },
    'CreationComplete',
    ['FU-1 W9Certification'],
  ],
]

describe('the predicted state of an application with', () => {
  for (const [why, outcomes, state, followUps] of table) {
    test(`${why} is ${state}`, async () => {
      const foreseen = await foresee(outcomes)
      assert.deepEqual([foreseen.state, foreseen.followUps], [state, followUps])
    })
  }

  test('a back end without a response is predicted to be called again', async () => {
    const { state, asked } = await foresee({ AccountCreation: [unavailable] })
    assert.equal(state, 'CreationComplete')
    assert.deepEqual(
      asked.filter(([stage]) => stage === 'AccountCreation').map(([, attempt]) => attempt),
      [1, 2],
    )
  })

  test('a stage that repeats its request without end is a fault', async () => {
    await assert.rejects(foresee({ MailingAddress: mailingFails }), /did not end in 200 steps/)
  })
})
