/** Every scenario of the sandbox is played to its end, with the outcome that the table of scenarios states. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scenarios } from '@clearing/domain'
import { reviewDueBy } from '../../server/src/onboarding/expected-by.ts'
import { applicationOf } from './applications.ts'
import { follow, open, read, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function accountStatusOf(state: string | undefined): string {
  return state === 'CreationComplete' ? 'Open' : state === 'Screening' ? 'Pending' : 'Rejected'
}

test('list-scenarios returns the scenarios', async () => {
  const { data } = await service.alpha.sandbox.listScenarios({})
  assert.deepEqual(
    data.scenarios.map(({ name, effect, owner }) => ({ name, effect, owner })),
    scenarios.map(({ name, effect, owner }) => ({ name, effect, owner: { ...owner } })),
  )
})

for (const { name, steps } of scenarios) {
  test(`run-scenario plays ${name}`, async () => {
    const { data } = await service.alpha.sandbox.runScenario({ name })
    assert.deepEqual(
      data.steps.map(({ does, currentState, asExpected }) => [does, currentState, asExpected]),
      steps.map(({ does, reaches }) => [does, reaches, true]),
    )
    assert.equal(data.currentState, steps.at(-1)?.reaches)
    const { accountNumber } = data
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, accountStatusOf(data.currentState))
    // Each suggested request gets the response that the scenario shows.
    for (const { path, request } of data.lookAt) {
      const clientId = path.startsWith('/operations-api/') ? 'operations' : 'alpha'
      const answer = await service.send(path, {
        headers: {
          authorization: `Bearer ${await service.token(clientId)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(request),
      })
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    }
  })
}

test('the values of a scenario have the same effect in the caller’s own application', async () => {
  for (const { owner, steps } of scenarios.filter(({ owner }) => owner.taxIdNumber !== undefined)) {
    const { accountNumber } = await open(service.alpha, applicationOf(owner))
    assert.equal((await follow(service.alpha, accountNumber)).currentState, steps[0]?.reaches)
  }
})

test('an application that waits gives the time at which it is expected to continue, and so do its events', async () => {
  for (const [taxIdNumber, type, dueOf] of [
    ['000000004', 'application.manual_review', (at: string) => reviewDueBy(new Date(at)).toISOString()],
    ['000000002', 'application.action_required', (_at: string, dueBy: string | null | undefined) => dueBy],
  ] as const) {
    const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber }))
    const { expectedBy, lastUpdated, followUps } = await follow(service.alpha, accountNumber)
    assert.ok(expectedBy !== null && expectedBy > lastUpdated)
    assert.equal(expectedBy, dueOf(lastUpdated, followUps[0]?.dueBy))
    await service.eventsReported()
    const { events } = (await service.alpha.listEvents({ accountNumber, types: [type] })).data
    assert.deepEqual(
      events.map(({ data }) => (data as { expectedBy?: string }).expectedBy),
      [expectedBy],
    )
  }
  const { accountNumber } = await open(service.alpha, applicationOf({}))
  assert.equal((await follow(service.alpha, accountNumber)).expectedBy, null)
})

test('the account belongs to the caller’s firm; operations name the firm', async () => {
  const { data } = await service.beta.sandbox.runScenario({ name: 'Opens' })
  assert.equal((await read(service.beta, data.accountNumber)).accountStatus, 'Open')
  assert.equal((await refusalOf(read(service.alpha, data.accountNumber))).status, 404)
  const played = await service.operations.sandbox.runScenario({ name: 'opens', entityNumber: '302' })
  assert.equal((await read(service.beta, played.data.accountNumber)).accountStatus, 'Open')
  const run = service.operations.sandbox.runScenario
  assert.deepEqual(
    (await refusalOf(run({ name: 'opens' }))).rejections.map(({ code, field }) => `${code} ${field}`),
    ['ERR.1000 entityNumber'],
  )
  assert.ok((await refusalOf(run({ name: 'opens', entityNumber: '999' }))).has('ERR.1001'))
  const foreign = await refusalOf(service.alpha.sandbox.runScenario({ name: 'opens', entityNumber: '302' }))
  assert.equal(foreign.status, 403)
  const unknown = await refusalOf(service.alpha.sandbox.runScenario({ name: 'nothing' }))
  assert.match(unknown.rejections[0]?.reason ?? '', /address-document/)
})
