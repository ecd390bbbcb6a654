/**
 * A request of one person of staff takes effect when another person approves it: records, restrictions, closings,
 * credentials.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationOf } from './applications.ts'
import { open, openAndFollow, read, refusalOf, until } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
let principal: PersonAtWork
let admin: PersonAtWork
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
  principal = await signIn(service, 'principal@example.com')
  admin = await signIn(service, 'admin@example.com')
})
after(() => service?.stop())

function newAccount() {
  return openAndFollow(service.alpha, applicationOf({ lastName: 'Fourier' }))
}
function decide(who: PersonAtWork, changeId: string, decision = 'Approved') {
  return who.call('decide-change', { changeId, decision, reason: 'Seen the letter.' })
}
async function changesOf(accountNumber: string, state?: string) {
  return (await operator.call('list-changes', { accountNumber, ...(state ? { state } : {}) })).json.data
    .changes
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  return (await service.alpha.listEvents({ accountNumber })).data.events.map(({ type }) => type)
}

describe('a change of a name or address by a person', () => {
  test('does not change the record, shows before and after, and takes effect when another person approves', async () => {
    const accountNumber = await newAccount()
    const asked = await operator.call('update-account', {
      accountNumber,
      primaryOwner: { lastName: 'Fouriér' },
      mailingAddress: { street: '1 New Street' },
    })
    assert.equal(asked.status, 200, asked.text)
    assert.match(asked.json.message, /unchanged.*awaits a second person/)
    assert.equal(asked.json.data.primaryOwner.name3, 'FOURIER')
    const [change] = await changesOf(accountNumber, 'Requested')
    assert.deepEqual(change.subjects, ['Names', 'Addresses'])
    assert.deepEqual(
      change.fields.find(({ field }: { field: string }) => field === 'primaryOwner.lastName'),
      { field: 'primaryOwner.lastName', before: 'FOURIER', after: 'FOURIÉR' },
    )
    const own = await decide(operator, change.changeId)
    assert.equal(own.status, 403)
    assert.equal((await decide(admin, change.changeId)).status, 403)
    const approved = await decide(principal, change.changeId)
    assert.equal(approved.json.data.state, 'Approved', approved.text)
    assert.equal(approved.json.data.decidedBy, 'principal@example.com')
    const record = await read(service.alpha, accountNumber)
    assert.equal(record.primaryOwner.name3, 'FOURIÉR')
    assert.equal(record.mailingAddress.street, '1 NEW STREET')
    const types = await eventsOf(accountNumber)
    for (const type of ['change.requested', 'account.updated', 'change.approved'])
      assert.ok(types.includes(type), type)
    const again = await decide(principal, change.changeId)
    assert.equal(again.status, 409)
    assert.match(again.json.errors[0].reason, /Approved by principal@example.com on 20/)
  })

  for (const [subject, change] of [
    ['Contacts', { primaryOwner: { email: 'elsewhere@example.com' } }],
    ['Contacts', { primaryOwner: { phoneRegionCell: '1', phoneNumberCell: '2125550188' } }],
    ['Contacts', { electronicDelivery: { email: 'elsewhere@example.com' } }],
    ['BirthDate', { primaryOwner: { birthDate: '1961-05-04' } }],
  ] as const)
    test(`of ${subject}: ${JSON.stringify(change)} waits for a second person; that of the firm does not`, async () => {
      const accountNumber = await newAccount()
      const { json } = await operator.call('update-account', {
        accountNumber,
        ...change,
        reason: 'By letter.',
      })
      assert.match(json.message, /unchanged.*awaits a second person/)
      assert.equal((await read(service.alpha, accountNumber)).version, 1)
      const [waiting] = await changesOf(accountNumber, 'Requested')
      assert.deepEqual([waiting.subjects, waiting.reason], [[subject], 'By letter.'])
      assert.equal((await decide(principal, waiting.changeId)).json.data.state, 'Approved')
      assert.equal((await read(service.alpha, accountNumber)).version, 2)
      const ofFirm = await newAccount()
      await service.alpha.updateAccount({ accountNumber: ofFirm, ...change })
      assert.equal((await read(service.alpha, ofFirm)).version, 2)
    })

  test('takes effect at once if it changes nothing that needs two persons', async () => {
    const accountNumber = await newAccount()
    const { json } = await operator.call('update-account', {
      accountNumber,
      primaryOwner: { jobTitle: 'Baker' },
    })
    assert.equal(json.data.primaryOwner.jobTitle, 'BAKER')
    const { rows } = await service.query(
      "select actor from clearing.audit where account_number = $1 and action = 'update-account'",
      [accountNumber],
    )
    assert.deepEqual(rows, [{ actor: 'operator@example.com' }])
  })

  test('is refused when the record changed meanwhile, and its values are stored sealed', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Sealedname' } })
    const [change] = await changesOf(accountNumber)
    const { rows } = await service.query('select request from clearing.change_request where change_id = $1', [
      change.changeId,
    ])
    assert.ok(!rows[0].request.toString('latin1').toLowerCase().includes('sealedname'))
    await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Clerk' } })
    const stale = await decide(principal, change.changeId)
    assert.equal(stale.status, 409)
    assert.equal((await decide(principal, change.changeId, 'Rejected')).json.data.state, 'Rejected')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'FOURIER')
  })

  test('is withdrawn by its requester, and by no other person', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Other' } })
    const [{ changeId }] = await changesOf(accountNumber)
    assert.equal((await principal.call('withdraw-change', { changeId })).status, 403)
    assert.equal((await operator.call('withdraw-change', { changeId })).json.data.state, 'Withdrawn')
    assert.equal((await decide(principal, changeId)).status, 409)
  })
})

describe('a credential of operations', () => {
  test('cannot decide on the change of a person, who may hold its secret', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Alone' } })
    const [{ changeId }] = await changesOf(accountNumber)
    const { decideChange, decideWork } = service.operations.operations
    for (const decision of ['Approved', 'Rejected']) {
      const refused = await refusalOf(decideChange({ changeId, decision, reason: 'Mine.' }))
      assert.equal(refused.status, 403)
      assert.match(refused.rejections[0]?.reason ?? '', /another person must decide/)
    }
    const { data } = await decideWork({ workIds: [`Change.${changeId}`], decision: 'Approved' })
    assert.match(data.refused[0]?.reason ?? '', /another person must decide/)
    assert.equal((await changesOf(accountNumber))[0].state, 'Requested')
    assert.equal((await decide(principal, changeId)).json.data.state, 'Approved')
  })
})

test('a change that is sent again with another reason is the same change', async () => {
  const accountNumber = await newAccount()
  const primaryOwner = { lastName: 'Repeated' }
  for (const reason of ['Married.', 'The owner married in May.', ''])
    await operator.call('update-account', { accountNumber, primaryOwner, ...(reason && { reason }) })
  assert.equal((await changesOf(accountNumber)).length, 1)
  await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Another' } })
  assert.equal((await changesOf(accountNumber)).length, 2)
})

describe('two people who decide at once', () => {
  test('one decides, the other sees who it was, and it takes effect once', async () => {
    const second = await newPrincipal('second.principal@example.com')
    for (let round = 0; round < 5; round++) {
      const accountNumber = await newAccount()
      await operator.call('update-account', {
        accountNumber,
        mailingAddress: { street: `${round} Race Street` },
      })
      const [{ changeId }] = await changesOf(accountNumber)
      const answers = await Promise.all([
        decide(principal, changeId),
        decide(second, changeId, round % 2 === 0 ? 'Approved' : 'Rejected'),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      const lost = answers.find(({ status }) => status === 409)
      assert.match(lost?.json.errors[0].reason, /(principal|second\.principal)@example\.com/)
      const won = answers.find(({ status }) => status === 200)?.json.data.state
      const { version } = await read(service.alpha, accountNumber)
      assert.equal(version, won === 'Approved' ? 2 : 1)
    }
  })

  test('the database itself refuses the same person as maker and checker', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Maker' } })
    const [{ changeId }] = await changesOf(accountNumber)
    await assert.rejects(
      service.query(
        "update clearing.change_request set state = 'Approved', decided_by = 'Operator@example.com', decided_at = now() where change_id = $1",
        [changeId],
      ),
      /maker_is_not_checker/,
    )
  })
})

/** Another principal, made by the admin, who chooses a password at the first sign-in. */
async function newPrincipal(email: string): Promise<PersonAtWork> {
  await service.query(
    `insert into clearing.staff (staff_id, email, name, role, password_hash, created_at)
     select gen_random_uuid(), $1, 'Second', 'principal', password_hash, now() from clearing.staff where email = 'operator@example.com'`,
    [email],
  )
  return signIn(service, email)
}

describe('a restriction', () => {
  test('requested by a person is placed and ended by two, and suspends the activities of its code', async () => {
    const accountNumber = await newAccount()
    const place = {
      accountNumber,
      restrictionCode: 'ProtectedAdult',
      holdGround: 'Impairment',
      reason: 'A call from the trusted contact.',
    }
    const asked = (await operator.call('place-restriction', place)).json.data
    assert.equal(asked.accountStatus, 'Open')
    assert.equal(asked.restriction, null)
    assert.deepEqual(
      (await principal.call('list-work', { queues: ['Restriction'], accountNumber })).json.data.work.map(
        ({ itemId }: { itemId: string }) => itemId,
      ),
      [asked.change.changeId],
    )
    assert.equal((await decide(principal, asked.change.changeId)).status, 200)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
    const listed = (await operator.call('list-restrictions', { accountNumber, inForce: true })).json.data
    assert.deepEqual(listed.restrictions[0].suspends, ['Withdrawals', 'TransfersOut', 'Changes'])
    const twice = await operator.call('place-restriction', place)
    assert.equal(twice.status, 409)
    const { restrictionId } = listed.restrictions[0]
    const ending = await operator.call('end-restriction', {
      accountNumber,
      restrictionId,
      reason: 'Cleared up.',
    })
    assert.equal((await decide(principal, ending.json.data.change.changeId)).status, 200)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
    assert.equal((await eventsOf(accountNumber)).filter((type) => type === 'account.restricted').length, 2)
  })

  test('leaves the record open to changes unless its code suspends them, and the firm sees which code does', async () => {
    const accountNumber = await newAccount()
    const { placeRestriction, endRestriction } = service.operations.operations
    const place = (restrictionCode: 'ReturnedMail' | 'LegalHold') =>
      placeRestriction({ accountNumber, restrictionCode, reason: 'A letter.' })
    const move = (street: string) =>
      service.alpha.updateAccount({ accountNumber, mailingAddress: { street } })
    await place('ReturnedMail')
    await move('5 Found Street')
    const { restrictionId = '' } = (await place('LegalHold')).data.restriction ?? {}
    const [refused] = (await refusalOf(move('6 Lost Street'))).rejections
    assert.equal(refused?.code, 'ERR.2011')
    assert.match(refused?.reason ?? '', /LegalHold suspends changes/)
    await endRestriction({ accountNumber, restrictionId, reason: 'Lifted.' })
    await move('7 Last Street')
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.accountStatus, record.mailingAddress.street], ['Restricted', '7 LAST STREET'])
  })

  test('by a program of operations takes effect at once, unless the firm’s setting requires two', async () => {
    const accountNumber = await newAccount()
    const { placeRestriction, endRestriction, updateFirm, listFirms } = service.operations.operations
    const request = { accountNumber, restrictionCode: 'LegalHold', reason: 'Court order.' } as const
    const { data } = await placeRestriction(request)
    assert.equal(data.accountStatus, 'Restricted')
    assert.equal(data.restriction?.placedBy, 'operations')
    const { restrictionId = '' } = data.restriction ?? {}
    await endRestriction({ accountNumber, restrictionId, reason: 'Lifted.' })
    const firms = (await listFirms({})).data.firms
    const { firmId = '' } = firms.find(({ name }) => name === 'Alpha Securities') ?? {}
    await updateFirm({ firmId, settings: { changesNeedingApproval: ['Restrictions', 'Addresses'] } })
    try {
      const waiting = (await placeRestriction({ ...request, restrictionCode: 'NoTrading' })).data
      assert.equal(waiting.accountStatus, 'Open')
      assert.ok(waiting.change)
      const { data: record, message } = await service.alpha.updateAccount({
        accountNumber,
        mailingAddress: { street: '9 Elsewhere' },
      })
      assert.match(message, /awaits a second person/)
      assert.notEqual((record as { mailingAddress: { street: string } }).mailingAddress.street, '9 ELSEWHERE')
      const [change] = await changesOf(accountNumber, 'Requested')
      assert.equal(change.requestedBy, 'alpha')
      assert.equal((await decide(principal, change.changeId)).status, 200)
      assert.equal((await read(service.alpha, accountNumber)).mailingAddress.street, '9 ELSEWHERE')
    } finally {
      await updateFirm({ firmId, settings: { changesNeedingApproval: [] } })
    }
  })
})

describe('closing an account', () => {
  test('takes two people, requires an empty account, and is permanent', async () => {
    const accountNumber = await newAccount()
    const close = (who: PersonAtWork) => who.call('close-account', { accountNumber, reason: 'Asked for.' })
    const asked = await close(principal)
    const { changeId } = asked.json.data.change
    assert.equal((await decide(principal, changeId)).status, 403)
    assert.equal((await decide(operator, changeId)).status, 403)
    const second = await signIn(service, 'second.principal@example.com')
    assert.equal((await decide(second, changeId)).status, 200)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Closed')
    assert.ok((await eventsOf(accountNumber)).includes('account.closed'))
    assert.equal((await close(operator)).status, 409)
    const { accountNumber: pending } = await open(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
    assert.equal((await operator.call('close-account', { accountNumber: pending, reason: 'x' })).status, 409)
  })
})

describe('a credential', () => {
  test('created or rotated by a person works when a second person has approved it', async () => {
    const { firms } = (await admin.call('list-firms')).json.data
    const { firmId } = firms.find(({ name }: { name: string }) => name === 'Alpha Securities')
    const made = await admin.call('create-credential', { firmId, clientId: 'made-by-two', name: 'By two' })
    assert.equal(made.status, 200, made.text)
    const { clientSecret } = made.json.data
    const tokenFor = async (secret: string) =>
      (
        await fetch(`${service.address}/identity/connect/token`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: 'made-by-two', client_secret: secret }),
        })
      ).status
    assert.equal(await tokenFor(clientSecret), 401)
    const waiting = async (operation: string) => {
      const { changes } = (await admin.call('list-changes', { state: 'Requested', firmId })).json.data
      return changes.find((change: { operation: string }) => change.operation === operation)
    }
    const change = await waiting('create-credential')
    assert.ok(!JSON.stringify(change).includes(clientSecret))
    assert.equal((await decide(admin, change.changeId)).status, 403)
    assert.equal((await decide(principal, change.changeId)).status, 200)
    assert.equal(
      await until(
        () => tokenFor(clientSecret),
        (status) => status === 200,
      ),
      200,
    )
    const rotated = await admin.call('rotate-credential', { clientId: 'made-by-two', overlapHours: 0 })
    assert.equal(await tokenFor(rotated.json.data.clientSecret), 401)
    assert.equal((await decide(principal, (await waiting('rotate-credential')).changeId)).status, 200)
    await until(
      () => tokenFor(rotated.json.data.clientSecret),
      (status) => status === 200,
    )
    assert.equal(await tokenFor(clientSecret), 401)
    const limited = await admin.call('update-credential', {
      clientId: 'made-by-two',
      addressRanges: ['192.0.2.0/24'],
    })
    assert.deepEqual(limited.json.data.addressRanges, [])
    assert.equal(await tokenFor(rotated.json.data.clientSecret), 200)
    const limit = await waiting('update-credential')
    assert.deepEqual(limit.fields.slice(1), [{ field: 'addressRanges', before: '', after: '192.0.2.0/24' }])
    assert.equal((await decide(principal, limit.changeId)).status, 200)
    await until(
      () => tokenFor(rotated.json.data.clientSecret),
      (status) => status === 401,
    )
    const same = { clientId: 'made-by-two', addressRanges: ['192.0.2.0/24'], boundTokens: false }
    const unchanged = await admin.call('update-credential', same)
    assert.deepEqual(unchanged.json.data.addressRanges, ['192.0.2.0/24'])
    assert.equal(await waiting('update-credential'), undefined)
    assert.equal(
      (await admin.call('disable-credential', { clientId: 'made-by-two' })).json.data.disabled,
      true,
    )
    const enabling = await admin.call('disable-credential', { clientId: 'made-by-two', disabled: false })
    assert.equal(enabling.json.data.disabled, true)
    assert.equal((await decide(principal, (await waiting('disable-credential')).changeId)).status, 200)
  })
})

describe('work decided in the inbox', () => {
  test('is decided several items at a time, each by the rules of its queue', async () => {
    const reviewed = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
    const matched = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000005' }))
    const own = await newAccount()
    await principal.call('update-account', { accountNumber: own, primaryOwner: { lastName: 'Own' } })
    const [{ changeId }] = await changesOf(own)
    const { matches } = (await operator.call('list-matches', { accountNumber: matched })).json.data
    const match = `Match.${matches[0].matchId}`
    const workIds = [`Application.${reviewed}`, match, `Change.${changeId}`, 'Call.none']
    const { json } = await principal.call('decide-work', {
      workIds,
      decision: 'Approved',
      reason: 'All seen.',
    })
    assert.deepEqual(json.data.taken, workIds.slice(0, 2))
    assert.deepEqual(
      json.data.refused.map(({ code }: { code: string }) => code),
      ['ERR.1003', 'ERR.2013'],
    )
    for (const accountNumber of [reviewed, matched]) {
      await until(
        () => read(service.alpha, accountNumber),
        ({ accountStatus }) => accountStatus === 'Open',
      )
    }
    const decided = (await operator.call('list-matches', { accountNumber: matched })).json.data
    assert.deepEqual(
      decided.matches.map(({ decision, decidedBy }: { decision: string; decidedBy: string }) => [
        decision,
        decidedBy,
      ]),
      [['Cleared', 'principal@example.com']],
    )
  })
})
