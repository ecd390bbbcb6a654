/** waive-follow-up: operations end a request of an application without an answer. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data } from '@clearing/protocol'
import { applicationOf } from './applications.ts'
import { follow, open, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const reason = 'The firm showed the original at the branch.'

/** An application with this magic tax id, when it waits or has ended. */
async function applicationWith(taxIdNumber: string): Promise<Data<'onboarding-result'>> {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber }))
  return follow(service.alpha, accountNumber)
}
function waive({ accountNumber }: { accountNumber: string }, followUpId: string) {
  return service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason })
}
function statesOf({ currentState, followUps }: Data<'onboarding-result'>) {
  return [currentState, ...followUps.map(({ code, status }) => `${code} ${status}`)]
}

test('an application continues when its last follow-up is waived', async () => {
  const asked = await applicationWith('000000002')
  assert.deepEqual(statesOf(asked), ['ActionRequired', 'AddressDocument Open'])
  await waive(asked, 'FU-1')
  const opened = await follow(service.alpha, asked.accountNumber)
  assert.deepEqual(statesOf(opened).slice(0, 2), ['CreationComplete', 'AddressDocument Waived'])
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({
    accountNumber: asked.accountNumber,
    types: ['followup.waived', 'application.resumed'],
  })
  assert.deepEqual(
    data.events.map(({ type }) => type),
    ['followup.waived', 'application.resumed'],
  )
  const { data: audit } = await service.operations.operations.listAudit({
    accountNumber: asked.accountNumber,
    action: 'waive-follow-up',
  })
  assert.ok(JSON.stringify(audit.rows).includes(reason))
})

test('an application waits until the last of two follow-ups is waived, and its other findings are checked again', async () => {
  const reviewed = await applicationWith('000000004')
  const { accountNumber } = reviewed
  const { data: asked } = await service.operations.operations.requestInformation({
    accountNumber,
    requests: [
      { code: 'FieldCorrection', field: 'primaryOwner.birthDate', reason: 'The passport has another date.' },
      { code: 'AddressDocument', field: 'primaryOwner', reason: 'A bill with the street.' },
    ],
  })
  assert.equal(asked.currentState, 'ActionRequired')
  const { data: first } = await waive(asked, 'FU-2')
  assert.deepEqual(statesOf(first), [
    'ActionRequired',
    'IdentityReview Waived',
    'FieldCorrection Waived',
    'AddressDocument Open',
  ])
  await waive(asked, 'FU-3')
  assert.deepEqual(statesOf(await follow(service.alpha, accountNumber)), [
    'ManualReview',
    'IdentityReview Waived',
    'FieldCorrection Waived',
    'AddressDocument Waived',
    'IdentityReview Open',
  ])
})

describe('a waiver is rejected', () => {
  test('of a decision of operations', async () => {
    const reviewed = await applicationWith('000000004')
    assert.deepEqual(await rejectionsOf(waive(reviewed, 'FU-1')), ['ERR.2011 accountNumber'])
    const { data: asked } = await service.operations.operations.requestInformation({
      accountNumber: reviewed.accountNumber,
      requests: [{ code: 'AddressDocument', field: 'primaryOwner', reason: 'A bill with the street.' }],
    })
    assert.deepEqual(await rejectionsOf(waive(asked, 'FU-1')), ['ERR.1015 followUpId'])
  })
  test('of a follow-up that is settled, or does not exist', async () => {
    const asked = await applicationWith('000000002')
    assert.deepEqual(await rejectionsOf(waive(asked, 'FU-9')), ['ERR.1015 followUpId'])
    await waive(asked, 'FU-1')
    await follow(service.alpha, asked.accountNumber)
    assert.deepEqual(await rejectionsOf(waive(asked, 'FU-1')), ['ERR.2010 followUpId'])
  })
  test('of an application that was rejected', async () => {
    const asked = await applicationWith('000000002')
    const { accountNumber } = asked
    await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Rejected', reason })
    assert.deepEqual(await rejectionsOf(waive(asked, 'FU-1')), ['ERR.2011 accountNumber'])
  })
})
