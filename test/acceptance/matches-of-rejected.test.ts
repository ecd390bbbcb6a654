/** Matches outlive the rejection of their application, and the clearance of a match ends with the match. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationOf, newTaxId } from './applications.ts'
import { follow, openAndFollow, read } from './calling.ts'
import {
  changesOf,
  decide,
  listed,
  matchesOf,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  update,
  work,
} from './screened-changes.ts'

startBeforeTests()

function submit(owner: object = {}) {
  return openAndFollow(service.alpha, applicationOf({ ...listed, ...owner }))
}
function submitAtBeta(owner: object) {
  const application = applicationOf(owner, { entityNumber: '302', main: { repCode: 'BB01' } })
  return openAndFollow(service.beta, application)
}
function reject(accountNumber: string) {
  const reason = 'We do not want this customer.'
  return service.operations.operations.decideOnboarding({ accountNumber, decision: 'Rejected', reason })
}
/** Asks a second person to clear the only open match, and returns the id of the change. */
async function askToClear(accountNumber: string): Promise<string> {
  const [match] = await openMatches(accountNumber)
  const request = { accountNumber, matchId: match?.matchId, decision: 'Cleared', reason: 'Another mother.' }
  const asked = await operator.call('decide-match', request)
  assert.equal(asked.status, 200, asked.text)
  return asked.json.data.clearanceChangeId
}
async function queuesOf(accountNumber: string) {
  return (await work(accountNumber)).map(({ queue }) => queue)
}
async function statesOf(accountNumber: string) {
  return (await changesOf(accountNumber)).map(({ state, decidedBy }) => `${state} ${decidedBy}`)
}
async function decisionsOf(accountNumber: string) {
  return (await matchesOf(accountNumber)).map(({ decision, decidedBy }) => `${decision} ${decidedBy}`)
}

describe('after the rejection of an application', () => {
  test('a confirmed match blocks the accounts of the person at other firms', async () => {
    const person = { taxIdNumber: newTaxId(), birthDate: listed.birthDate }
    const atBeta = await submitAtBeta(person)
    assert.equal((await read(service.beta, atBeta)).accountStatus, 'Open')
    const accountNumber = await submit(person)
    await reject(accountNumber)
    assert.deepEqual(await decisionsOf(accountNumber), ['Open '])
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Confirmed')
    assert.equal((await read(service.beta, atBeta)).accountStatus, 'Restricted')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
    assert.deepEqual(await queuesOf(accountNumber), [])
  })

  test('a second person clears the match, whose clearance was asked for before or after', async () => {
    for (const when of ['before', 'after']) {
      const accountNumber = await submit()
      if (when === 'after') await reject(accountNumber)
      const changeId = await askToClear(accountNumber)
      if (when === 'before') await reject(accountNumber)
      assert.deepEqual(await queuesOf(accountNumber), ['Change'], when)
      const decision = { changeId, decision: 'Approved', reason: 'I agree.' }
      assert.equal((await principal.call('decide-change', decision)).status, 200)
      assert.match((await decisionsOf(accountNumber)).join(), /^Cleared /)
      assert.deepEqual(await queuesOf(accountNumber), [])
    }
  })
})

describe('a clearance that waits for a second person ends', () => {
  test('when the firm changes the record of the application, and the match is decided on again', async () => {
    const accountNumber = await submit()
    await askToClear(accountNumber)
    await service.operations.operations.requestInformation({
      accountNumber,
      requests: [{ code: 'FieldCorrection', field: 'primaryOwner.birthDate', reason: 'Confirm it, please.' }],
    })
    await update(accountNumber, { primaryOwner: { birthDate: '1968-01-01' } })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    assert.deepEqual(await queuesOf(accountNumber), ['Match'])
    assert.deepEqual(await statesOf(accountNumber), ['Rejected service'])
  })

  test('when the name could not be compared, and the firm corrects it', async () => {
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: '王', lastName: '小明' }),
    )
    const [match] = await openMatches(accountNumber)
    await service.query('update clearing.screening_match set score = 100 where account_number = $1', [
      accountNumber,
    ])
    assert.ok(match)
    await askToClear(accountNumber)
    await service.operations.operations.requestInformation({
      accountNumber,
      requests: [{ code: 'FieldCorrection', field: 'primaryOwner.lastName', reason: 'In Latin letters.' }],
    })
    await update(accountNumber, { primaryOwner: { firstName: 'Xiaoming', lastName: 'Wang' } })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    assert.deepEqual(await decisionsOf(accountNumber), ['Dropped '])
    assert.deepEqual(await statesOf(accountNumber), ['Rejected service'])
    assert.deepEqual(await queuesOf(accountNumber), [])
  })

  test('when the person is confirmed on another account', async () => {
    const person = { ...listed, taxIdNumber: newTaxId() }
    const atBeta = await submitAtBeta(person)
    await askToClear(atBeta)
    const accountNumber = await submit(person)
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Confirmed')
    assert.deepEqual(await decisionsOf(atBeta), ['Confirmed service'])
    assert.deepEqual(await statesOf(atBeta), ['Rejected service'])
    assert.deepEqual(await queuesOf(atBeta), [])
  })
})
