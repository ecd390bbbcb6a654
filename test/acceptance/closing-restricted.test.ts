/** The closing of a restricted account that holds nothing: it ends restrictions, or names those that forbid it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationOf } from './applications.ts'
import { openAndFollow, read, refusalOf } from './calling.ts'
import { operator, principal, service, startBeforeTests } from './screened-changes.ts'

startBeforeTests()

const reason = 'The customer left.'
async function restricted(...codes: string[]) {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  for (const restrictionCode of codes) {
    const ground = restrictionCode === 'ProtectedAdult' ? { holdGround: 'Impairment' } : {}
    await service.operations.operations.placeRestriction({
      accountNumber,
      restrictionCode,
      reason,
      ...ground,
    })
  }
  return accountNumber
}
function close(accountNumber: string) {
  return service.operations.operations.closeAccount({ accountNumber, reason })
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
async function inForce(accountNumber: string) {
  return (await service.operations.operations.listRestrictions({ accountNumber, inForce: true })).data
    .restrictions
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const types = ['account.restricted', 'account.closed'] as const
  const { events } = (await service.alpha.listEvents({ accountNumber, types: [...types] })).data
  return events.map(({ type, data }) => {
    const { code = '', inForce: isOn = '', accountStatus } = data as Record<string, unknown>
    return [type, code, isOn, accountStatus].filter((one) => one !== '').join(' ')
  })
}

describe('a restricted account that holds nothing', () => {
  test('is closed, and its restrictions end with their events and reasons', async () => {
    const accountNumber = await restricted(
      'OwnerDeceased',
      'MissingTaxForm',
      'MissingDocument',
      'ReturnedMail',
    )
    assert.equal(await statusOf(accountNumber), 'Restricted')
    assert.equal((await close(accountNumber)).data.accountStatus, 'Closed')
    assert.equal(await statusOf(accountNumber), 'Closed')
    assert.deepEqual(await inForce(accountNumber), [])
    const { restrictions } = (await service.operations.operations.listRestrictions({ accountNumber })).data
    assert.deepEqual(
      new Set(restrictions.map(({ endReason }) => endReason)),
      new Set(['The account was closed.']),
    )
    const events = await eventsOf(accountNumber)
    assert.equal(events.at(-1), 'account.closed Closed')
    assert.match(events.at(-2) ?? '', / false Open$/)
    assert.equal(events.length, 9)
  })

  test('is closed by two persons', async () => {
    const accountNumber = await restricted('OwnerDeceased')
    const asked = await operator.call('close-account', { accountNumber, reason })
    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(asked.json.data.change.subjects, ['Closing', 'Restrictions'])
    assert.equal(await statusOf(accountNumber), 'Restricted')
    const decision = { changeId: asked.json.data.change.changeId, decision: 'Approved', reason: 'I agree.' }
    assert.equal((await operator.call('decide-change', decision)).status, 403)
    const approved = await principal.call('decide-change', decision)
    assert.equal(approved.status, 200, approved.text)
    assert.equal(await statusOf(accountNumber), 'Closed')
    assert.deepEqual(await inForce(accountNumber), [])
  })

  test('needs the second person that its firm demands for restrictions', async () => {
    const accountNumber = await restricted('OwnerDeceased')
    const { firms } = (await service.operations.operations.listFirms({})).data
    const firmId = firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? ''
    const set = (changesNeedingApproval: 'Restrictions'[]) =>
      service.operations.operations.updateFirm({ firmId, settings: { changesNeedingApproval } })
    await set(['Restrictions'])
    try {
      const { data } = await close(accountNumber)
      assert.deepEqual([data.accountStatus, data.change?.subjects], ['Restricted', ['Restrictions']])
    } finally {
      await set([])
    }
  })
})

describe('a restriction that forbids the closing', () => {
  for (const code of ['IdentityUnderReview', 'Sanctions', 'SuspectedFraud', 'ProtectedAdult', 'LegalHold']) {
    test(`is named with what ends it: ${code}`, async () => {
      const accountNumber = await restricted(code, 'MissingTaxForm')
      const { status, rejections } = await refusalOf(close(accountNumber))
      assert.deepEqual(
        [status, ...rejections.map((one) => `${one.code} ${one.field}`)],
        [409, 'ERR.2011 accountNumber'],
      )
      const why = rejections[0]?.reason ?? ''
      assert.match(why, new RegExp(`forbids the closing\\. ${code}: .+\\.$`))
      assert.doesNotMatch(why, /MissingTaxForm/)
      const asked = await operator.call('close-account', { accountNumber, reason })
      assert.equal(asked.status, 409)
      assert.equal((await inForce(accountNumber)).length, 2)
      assert.equal(await statusOf(accountNumber), 'Restricted')
    })
  }
})
