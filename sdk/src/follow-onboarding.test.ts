import assert from 'node:assert/strict'
import test from 'node:test'
import { startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { followOnboarding } from './follow-onboarding.ts'

function inState(currentState: string) {
  return success({ currentState })
}
const working = ['Submitted', 'Screening', 'AccountCreation'].map(inState)

for (const state of [
  'CreationComplete',
  'Rejected',
  'CreationFailed',
  'ActionRequired',
  'ManualReview',
  'Unheard',
]) {
  test(`an application is followed until it reaches ${state}`, async () => {
    await using service = await startService({ script: [...working, inState(state), inState('Submitted')] })
    const { data } = await followOnboarding(createClient(service.settings), '30100001', { everyMs: 1 })
    assert.equal(data.currentState, state)
    assert.equal(service.calls.length, 4)
  })
}

function asked(...statuses: string[]) {
  return success({ currentState: 'ActionRequired', followUps: statuses.map((status) => ({ status })) })
}
for (const { statuses, waits } of [
  { statuses: ['Answered'], waits: true },
  { statuses: ['Accepted', 'Answered', 'Waived', 'Expired'], waits: true },
  { statuses: ['Answered', 'Open'], waits: false },
  { statuses: ['Answered', 'Rejected'], waits: false },
  { statuses: ['Answered', 'Unheard'], waits: false },
  { statuses: ['Accepted'], waits: false },
  { statuses: [], waits: false },
]) {
  test(`ActionRequired with follow-ups ${statuses} ${waits ? 'waits for their review' : 'ends the wait'}`, async () => {
    await using service = await startService({
      script: [asked(...statuses), asked('Rejected'), inState('CreationComplete')],
    })
    const { data } = await followOnboarding(createClient(service.settings), '30100001', { everyMs: 1 })
    assert.deepEqual(
      data.followUps.map(({ status }) => status),
      waits ? ['Rejected'] : statuses,
    )
  })
}

test('a signal ends the wait', async () => {
  const controller = new AbortController()
  await using service = await startService({
    script: [
      () => {
        setImmediate(() => controller.abort(new Error('enough')))
        return inState('Screening')
      },
    ],
  })
  const { signal } = controller
  const followed = followOnboarding(createClient(service.settings), '30100001', { everyMs: 60_000, signal })
  await assert.rejects(followed, /enough/)
})
