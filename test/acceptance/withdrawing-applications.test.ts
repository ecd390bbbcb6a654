/** A firm withdraws an application before its account is open. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { follow, open, openAndFollow, read, refusalOf } from './calling.ts'
import {
  listed,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  work,
} from './screened-changes.ts'
import { untilBehind } from './waiting-behind.ts'

startBeforeTests()

const box = {
  street: 'PO Box 3',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

/** Waits for the firm: for a street and for the proof of the birth date. */
async function waitsForFirm() {
  const accountNumber = await openAndFollow(
    service.alpha,
    applicationOf({ legalAddress: box, birthDate: '1912-01-01' }),
  )
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  return accountNumber
}
/** Waits for operations. */
async function waitsForOperations() {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
  return accountNumber
}
async function withdraw(accountNumber: string, client = service.alpha) {
  return (await client.withdrawApplication({ accountNumber })).data
}
async function refusal(accountNumber: string, client = service.alpha) {
  const { status, rejections } = await refusalOf(client.withdrawApplication({ accountNumber }))
  return [status, ...rejections.map(({ code }) => code)]
}
async function endsOf(accountNumber: string) {
  await service.eventsReported()
  const types = ['application.rejected', 'account.opened'] as const
  return (await service.alpha.listEvents({ accountNumber, types: [...types] })).data.events
}
async function auditOf(accountNumber: string) {
  const { rows } = await service.query(
    "select actor from clearing.audit where account_number = $1 and action = 'onboarding.withdrawn'",
    [accountNumber],
  )
  return rows.map(({ actor }) => actor)
}

describe('an application that its firm withdraws', () => {
  for (const [when, make] of [
    ['while it waits for the firm', waitsForFirm],
    ['while it waits for operations', waitsForOperations],
    [
      'while the service works on it',
      async () => (await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))).accountNumber,
    ],
  ] as const) {
    test(`is Rejected with the time, an event and an audit row, ${when}`, async () => {
      const accountNumber = await make()
      const result = await withdraw(accountNumber)
      assert.equal(result.currentState, 'Rejected')
      assert.equal(result.remarks, 'Rejected: Withdrawn by the firm.')
      assert.deepEqual(result.errorResponses, [])
      assert.ok(result.state.every(({ status }) => status !== 'Failed'))
      assert.ok(result.followUps.every(({ status }) => status === 'Waived'))
      assert.deepEqual([result.history.at(-1)?.to, result.expectedBy], ['Rejected', null])
      assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Rejected')
      const [event, ...others] = await endsOf(accountNumber)
      assert.deepEqual(others, [])
      const { currentState, withdrawnOn } = (event?.data ?? {}) as Record<string, unknown>
      assert.deepEqual(
        [event?.type, currentState, withdrawnOn],
        ['application.rejected', 'Rejected', result.withdrawnOn],
      )
      assert.deepEqual(await auditOf(accountNumber), ['alpha'])
      assert.deepEqual(await work(accountNumber), [])
    })
  }

  test('stays withdrawn when it is withdrawn again, or its key is sent again', async () => {
    const accountNumber = await waitsForFirm()
    const call = () =>
      service.alpha.withdrawApplication({ accountNumber }, { idempotencyKey: `W-${accountNumber}` })
    const first = await call()
    assert.deepEqual((await call()).data, first.data)
    assert.deepEqual(await withdraw(accountNumber), first.data)
    assert.deepEqual((await auditOf(accountNumber)).length, 1)
    assert.equal((await endsOf(accountNumber)).length, 1)
  })

  test('keeps its documents: one under review is still decided on, and opens nothing', async () => {
    const accountNumber = await waitsForFirm()
    const file = { name: 'scan.pdf', content: samplePdf() }
    const sent = { accountNumber, documentTypeName: 'Identity Documents', reference: 'PASS', file }
    const { documentId } = (await service.alpha.addDocument(sent)).data
    await withdraw(accountNumber)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Document'],
    )
    await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
  })

  test('leaves its matches to operations, with a remark', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationOf(listed))
    await withdraw(accountNumber)
    const [item, ...others] = await work(accountNumber)
    assert.deepEqual([item?.queue, others], ['Match', []])
    assert.match(item?.detail ?? '', /its application was withdrawn$/)
    const [match] = await openMatches(accountNumber)
    const decision = { accountNumber, matchId: match?.matchId, reason: 'Another mother.' }
    assert.equal((await operator.call('decide-match', { ...decision, decision: 'Confirmed' })).status, 200)
    assert.deepEqual(await work(accountNumber), [])
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
  })
})

describe('an application that cannot be withdrawn', () => {
  test('has ended otherwise: its account is open, or it was rejected', async () => {
    const opened = await openAndFollow(service.alpha, applicationOf({}))
    assert.deepEqual(await refusal(opened), [409, 'ERR.2010'])
    assert.equal((await read(service.alpha, opened)).accountStatus, 'Open')
    const rejected = await waitsForOperations()
    const decision = { accountNumber: rejected, decision: 'Rejected', reason: 'Not wanted.' } as const
    await service.operations.operations.decideOnboarding(decision)
    assert.deepEqual(await refusal(rejected), [409, 'ERR.2010'])
    assert.equal((await follow(service.alpha, rejected)).withdrawnOn, null)
  })

  test('is of another firm', async () => {
    const accountNumber = await waitsForFirm()
    assert.deepEqual(await refusal(accountNumber, service.beta), [404, 'ERR.2003'])
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  })

  test('tells the person who decides after the withdrawal who ended it', async () => {
    const accountNumber = await waitsForOperations()
    await withdraw(accountNumber)
    const late = await principal.call('decide-onboarding', { accountNumber, decision: 'Approved' })
    assert.equal(late.status, 409)
    assert.match(late.text, /The firm withdrew the application at/)
  })

  for (const first of ['the withdrawal', 'the approval'] as const) {
    test(`ends once, as ${first} says, when operations approve it at the same time`, async () => {
      const accountNumber = await waitsForOperations()
      await service.query('begin')
      await service.query('select from clearing.onboarding where account_number = $1 for update', [
        accountNumber,
      ])
      const acts = {
        'the withdrawal': () => withdraw(accountNumber),
        'the approval': () =>
          service.operations.operations.decideOnboarding({
            accountNumber,
            decision: 'Approved',
            reason: 'Known.',
          }),
      }
      const running: Promise<unknown>[] = [acts[first]()]
      await untilBehind(service, 1)
      running.push(acts[first === 'the withdrawal' ? 'the approval' : 'the withdrawal']())
      await untilBehind(service, 2)
      await service.query('commit')
      const settled = (await Promise.allSettled(running)).map(({ status }) => status)
      // An approved application whose account is not open yet is withdrawn.
      assert.deepEqual(settled, ['fulfilled', first === 'the withdrawal' ? 'rejected' : 'fulfilled'])
      const result = await follow(service.alpha, accountNumber)
      assert.equal(result.currentState, 'Rejected')
      assert.notEqual(result.withdrawnOn, null)
      const [event, ...others] = await endsOf(accountNumber)
      assert.deepEqual([event?.type, others], ['application.rejected', []])
    })
  }
})
