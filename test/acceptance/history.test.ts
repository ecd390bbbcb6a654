/** account-history: every change since the application with its actor, time and values; the record at a moment. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@clearing/sdk'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationOf({ email: 'first@example.com' }))
  await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { lastName: 'Second', email: 'second@example.com' },
  })
  await service.alpha.updateAccount({ accountNumber, mailingAddress: { street: '8 Pier Road' } })
})
after(() => service?.stop())

async function history(client: Client = service.alpha, more: object = {}) {
  return (await client.accountHistory({ accountNumber, ...more })).data
}

test('returns every change, the latest first, with its author and its effect', async () => {
  const { history: changes, nextCursor } = await history()
  assert.equal(nextCursor, '')
  assert.deepEqual(
    changes.map(({ sequence, version, accountStatus, actor, operation }) => [
      sequence,
      version,
      accountStatus,
      actor,
      operation,
    ]),
    [
      [4, 3, 'Open', 'alpha', 'update-account'],
      [3, 2, 'Open', 'alpha', 'update-account'],
      [2, 1, 'Open', 'service', 'onboarding.stage-ended'],
      [1, 1, 'Pending', 'alpha', 'new-account'],
    ],
  )
  assert.deepEqual(changes[3]?.changes, [])
  assert.deepEqual(changes[2]?.changes, [{ field: 'accountStatus', from: 'Pending', to: 'Open' }])
  assert.deepEqual(changes[1]?.changes, [
    { field: 'accountName', from: 'ADA MORENO', to: 'ADA SECOND' },
    { field: 'primaryOwner.email', from: 'first@example.com', to: 'second@example.com' },
    { field: 'primaryOwner.lastName', from: 'MORENO', to: 'SECOND' },
  ])
  assert.deepEqual(changes[0]?.changes, [
    { field: 'mailingAddress.street', from: '12 HARBOR STREET', to: '8 PIER ROAD' },
  ])
  for (const { traceId } of changes) assert.match(traceId, /^00-[0-9a-f]{32}-/)
})

test('names who requested a change that waited, and who approved it', async () => {
  const account = await openAndFollow(service.alpha, applicationOf({ lastName: 'Wartner' }))
  const operator = await signIn(service, 'operator@example.com')
  const principal = await signIn(service, 'principal@example.com')
  const newest = async () => {
    const { history: changes } = (await service.alpha.accountHistory({ accountNumber: account })).data
    const { operation, actor, changeId, requestedBy, approvedBy } = changes[0] ?? {}
    return [operation, actor, changeId, requestedBy, approvedBy]
  }
  const waiting = async () => {
    const { json } = await operator.call('list-changes', { accountNumber: account, state: 'Requested' })
    return json.data.changes.map(({ changeId }: { changeId: string }) => changeId)
  }
  await operator.call('update-account', {
    accountNumber: account,
    mailingAddress: { street: '1 New Street' },
  })
  const [changeId] = await waiting()
  await principal.call('decide-change', { changeId, decision: 'Approved', reason: 'Seen the letter.' })
  const [made, asked, approves] = ['update-account', 'operator@example.com', 'principal@example.com']
  assert.deepEqual(await newest(), [made, approves, changeId, asked, approves])
  await service.alpha.updateAccount({ accountNumber: account, primaryOwner: { email: 'new@example.com' } })
  assert.deepEqual(await newest(), [made, 'alpha', null, null, null])

  // One call decides on two requests: no row names the wrong one.
  for (const restrictionCode of ['ReturnedMail', 'LegalHold'])
    await operator.call('place-restriction', { accountNumber: account, restrictionCode, reason: 'In doubt' })
  const both = await waiting()
  assert.equal(both.length, 2)
  const { json } = await principal.call('decide-work', {
    workIds: both.map((one: string) => `Restriction.${one}`),
    decision: 'Approved',
    reason: 'Seen.',
  })
  assert.equal(json.data.taken.length, 2)
  assert.deepEqual((await newest()).slice(1), [approves, null, null, null])
})

test('names the reason of a change, and who requested what another person approved', async () => {
  const account = await openAndFollow(service.alpha, applicationOf({}))
  await service.alpha.updateAccount({
    accountNumber: account,
    mailingAddress: { street: '8 Pier Road' },
    reason: '  The owner moved. ',
  })
  const operator = await signIn(service, 'operator@example.com')
  const principal = await signIn(service, 'principal@example.com')
  await operator.call('update-account', {
    accountNumber: account,
    mailingAddress: { street: '9 Pier Road' },
    reason: 'The letter of the owner says 9.',
  })
  const { waiting } = (await service.alpha.accountHistory({ accountNumber: account })).data
  assert.equal(waiting.changes[0]?.reason, 'The letter of the owner says 9.')
  const changeId = waiting.changes[0]?.changeId ?? ''
  await principal.call('decide-change', { changeId, decision: 'Approved' })
  const { history: changes } = (await service.alpha.accountHistory({ accountNumber: account })).data
  assert.deepEqual(
    changes.map(({ actor, reason, requestedBy }) => [actor, reason, requestedBy]),
    [
      ['principal@example.com', 'The letter of the owner says 9.', 'operator@example.com'],
      ['alpha', 'The owner moved.', null],
      ['service', '', null],
      ['alpha', '', null],
    ],
  )
  const { data } = await service.operations.operations.listAudit({
    accountNumber: account,
    action: 'update-account',
  })
  const details = data.rows.map(({ detail }) => detail as { reason: string; fields: { field: string }[] })
  assert.deepEqual(
    details.map(({ reason, fields }) => [reason, fields[0]?.field]),
    [
      ['The letter of the owner says 9.', 'mailingAddress.street'],
      ['The owner moved.', 'mailingAddress.street'],
    ],
  )
})

test('is paged', async () => {
  const first = await history(service.alpha, { size: 3 })
  assert.deepEqual(
    first.history.map(({ sequence }) => sequence),
    [4, 3, 2],
  )
  assert.deepEqual(first.history[2]?.changes, [{ field: 'accountStatus', from: 'Pending', to: 'Open' }])
  const rest = await history(service.alpha, { size: 3, cursor: first.nextCursor })
  assert.deepEqual(
    rest.history.map(({ sequence }) => sequence),
    [1],
  )
  assert.equal(rest.nextCursor, '')
})

describe('the record as of a moment', () => {
  const at = async (sequence: number) =>
    (await history()).history.find((change) => change.sequence === sequence)?.at ?? ''
  const recordAt = async (asOf: string) => (await history(service.alpha, { asOf })).record

  test('is the record of that moment, with its status', async () => {
    const first = await recordAt(await at(1))
    assert.equal(first?.accountStatus, 'Pending')
    assert.equal(first?.accountName, 'ADA MORENO')
    assert.equal(first?.primaryOwner.email, 'first@example.com')
    const opened = await recordAt(await at(2))
    assert.equal(opened?.accountStatus, 'Open')
    assert.equal(opened?.version, 1)
    const second = await recordAt(await at(3))
    assert.equal(second?.version, 2)
    assert.equal(second?.primaryOwner.name3, 'SECOND')
    assert.equal(second?.mailingAddress.street, '12 HARBOR STREET')
    assert.deepEqual(await recordAt('2199-12-31'), await read(service.alpha, accountNumber))
  })

  test('is null before the account exists, and absent unless requested', async () => {
    assert.equal(await recordAt('2001-01-01'), null)
    assert.ok(!('record' in (await history())))
  })

  test('a day ends at midnight in US Eastern time', async () => {
    const { asOf } = await history(service.alpha, { asOf: '2026-01-31' })
    assert.equal(asOf, '2026-02-01T04:59:59.999999Z')
  })

  test('a moment may have the seven digits of .NET and the nine digits of Java', async () => {
    for (const digits of ['1234567', '123456789']) {
      const { asOf } = await history(service.alpha, { asOf: `2026-01-31T17:00:00.${digits}Z` })
      assert.equal(asOf, '2026-01-31T17:00:00.123Z')
    }
  })

  for (const asOf of [
    'yesterday',
    '2026-02-30',
    '2026-01-31T10:00:00',
    '2026-02-30T10:00:00Z',
    '1/31/2026',
    '99999-01-01',
  ]) {
    test(`${asOf} is refused`, async () => {
      assert.deepEqual(await rejectionsOf(history(service.alpha, { asOf })), ['ERR.1024 asOf'])
    })
  }
})

test('a day before 1900 is refused, and a day far in the future is the current state, as for positions', async () => {
  for (const asOf of ['0001-01-01', '1899-12-31']) {
    const { alpha } = service
    for (const ask of [
      () => history(alpha, { asOf }),
      () => alpha.positionSummary({ accountNumber, asOf }),
    ]) {
      const { rejections } = await refusalOf(ask())
      assert.match(rejections[0]?.reason ?? '', /must not be before 1900-01-01\.$/, asOf)
    }
  }
  assert.equal((await history(service.alpha, { asOf: '1900-01-01' })).record, null)
  const now = await read(service.alpha, accountNumber)
  for (const asOf of ['2199-12-31', '2200-01-01', '9999-12-31'])
    assert.deepEqual((await history(service.alpha, { asOf })).record, now, asOf)
  await service.alpha.positionSummary({ accountNumber, asOf: '9999-12-31' })
})

test('numbers of persons are masked without pii:read, and their reading is recorded with it', async () => {
  const masked = service.client('alpha', undefined, ['accounts:read', 'accounts:write'])
  const joint = await openAndFollow(service.alpha, applicationFor('JointWROS'))
  const party = {
    firstName: 'Rana',
    lastName: 'Haddad',
    citizenshipCountry: 'US',
    birthDate: '1990-05-05',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: '412345678',
    phoneNumberCell: '2015550100',
  }
  await service.alpha.updateAccount({
    accountNumber: joint,
    associatedParties: [{ ...party, role: 'Associate' }],
  })
  const numbersOf = async (client: Client) => {
    const { history: changes } = (await client.accountHistory({ accountNumber: joint })).data
    return changes[0]?.changes
      .filter(({ field }) => field.endsWith('taxIdNumber'))
      .map(({ from, to }) => [from, to])
  }
  assert.deepEqual(await numbersOf(masked), [[null, '*****5678']])
  const records = async () =>
    (
      await service.query(
        "select from clearing.access_record where account_number = $1 and operation = 'account-history'",
        [joint],
      )
    ).rowCount
  assert.equal(await records(), 0)
  assert.deepEqual(await numbersOf(service.alpha), [[null, '412345678']])
  assert.equal(await records(), 1)
  const record = (await masked.accountHistory({ accountNumber: joint, asOf: '2199-01-01' })).data.record
  assert.match(record?.primaryOwner.taxIdNumber ?? '', /^\*{5}\d{4}$/)
})

test('sealed numbers stay sealed in the tables, and a change cannot be changed by the service', async () => {
  const { rows } = await service.query(
    'select record, sealed from clearing.account_version where account_number = $1',
    [accountNumber],
  )
  assert.equal(rows.length, 2)
  for (const { record, sealed } of rows) {
    assert.ok(!('taxIdNumber' in record.primaryOwner) && !('birthDate' in record.primaryOwner))
    assert.ok(sealed.length > 0)
  }
  const { rows: grants } = await service.query(
    "select privilege_type from information_schema.role_table_grants where table_name in ('account_change', 'account_version') and grantee like 'clearing_%' and grantee <> 'clearing_owner'",
  )
  assert.deepEqual([...new Set(grants.map((grant) => grant.privilege_type))].toSorted(), ['INSERT', 'SELECT'])
})

test('another firm learns nothing, and an invalid cursor is refused', async () => {
  assert.deepEqual(await rejectionsOf(history(service.beta)), ['ERR.2003 accountNumber'])
  assert.ok((await refusalOf(history(service.alpha, { cursor: '0' }))).has('ERR.1015'))
  assert.deepEqual((await history(service.alpha, { after: '1' })).history, [])
  assert.ok((await refusalOf(history(service.alpha, { cursor: '9999999999' }))).has('ERR.1015'))
})
