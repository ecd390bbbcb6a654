/**
 * Screening goes on after the opening: a change that brings a listed name or a sanctioned place waits, takes effect when its matches
 * are cleared, and is refused with the account restricted when one is confirmed.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { address, applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow, open, openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Change = Partial<Request<'update-account'>>

let service: RunningService
let operator: PersonAtWork
let principal: PersonAtWork
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
  principal = await signIn(service, 'principal@example.com')
})
after(() => service?.stop())

const listed = {
  firstName: 'Ruslan',
  middleName: 'Innokentyevich',
  lastName: 'Zerkalov',
  birthDate: '1968-08-12',
}
const tehran = { street: 'PO Box 11365-4435', city: 'Tehran', country: 'IR' }
const attorney = (name: object) => ({
  role: 'PowerOfAttorney',
  citizenshipCountry: 'US',
  legalAddress: {},
  taxIdType: 'SSN',
  taxIdNumber: newTaxId(),
  phoneNumberCell: '2015550123',
  birthDate: '1970-01-01',
  ...name,
})

const newAccount = () => openAndFollow(service.alpha, applicationOf({ firstName: 'Ada', lastName: 'Moreno' }))
const update = (accountNumber: string, change: Change) =>
  service.alpha.updateAccount({ accountNumber, ...change } as Request<'update-account'>)
const matchesOf = async (accountNumber: string) =>
  (await service.operations.operations.listMatches({ accountNumber })).data.matches
const openMatches = async (accountNumber: string) =>
  (await matchesOf(accountNumber)).filter(({ decision }) => decision === 'Open')
const changesOf = async (accountNumber: string) =>
  (await service.operations.operations.listChanges({ accountNumber })).data.changes
const eventsOf = async (accountNumber: string) => {
  await service.eventsTold()
  return (await service.alpha.listEvents({ accountNumber })).data.events.map(({ type }) => type)
}
const work = async (accountNumber: string) =>
  (await service.operations.operations.listWork({ accountNumber })).data.work
const decide = (accountNumber: string, matchId: string, decision: 'Cleared' | 'Confirmed') =>
  service.operations.operations.decideMatch({
    accountNumber,
    matchId,
    decision,
    reason: 'Compared with the passport.',
  })
const clearAll = async (accountNumber: string) => {
  for (const { matchId } of await openMatches(accountNumber)) await decide(accountNumber, matchId, 'Cleared')
}

/** The record of an account for another, whose state after the change tells whether it was made. */
const variants: readonly [what: string, change: () => Change, made: (record: string) => boolean][] = [
  ['the primary owner renamed', () => ({ primaryOwner: listed }), (record) => record.includes('ZERKALOV')],
  [
    'the owner renamed with letters apart',
    () => ({
      primaryOwner: { firstName: 'R U S L A N', lastName: 'Z E R K A L O V', birthDate: '1968-08-12' },
    }),
    (record) => record.includes('Z E R K A L O V'),
  ],
  [
    'the owner renamed with first and last name swapped',
    () => ({ primaryOwner: { firstName: 'Zerkalov', lastName: 'Ruslan', birthDate: '1968-08-12' } }),
    (record) => record.includes('ZERKALOV'),
  ],
  [
    'the owner renamed in another transliteration',
    () => ({ primaryOwner: { firstName: 'Rouslan', lastName: 'Zerkaloff', birthDate: '1968-08-12' } }),
    (record) => record.includes('ZERKALOFF'),
  ],
  [
    'the owner renamed with lookalike letters',
    () => ({ primaryOwner: { firstName: 'RUЅLАN', lastName: 'ZЕRКАLОV' } }),
    (record) => record.includes('ZЕRКАLОV'),
  ],
  [
    'the owner renamed in an alphabet that no list has',
    () => ({ primaryOwner: { firstName: '小明' } }),
    (record) => record.includes('小明'),
  ],
  [
    'a power of attorney added',
    () => ({ associatedParties: [attorney(listed)] }) as Change,
    (record) => record.includes('ZERKALOV'),
  ],
  [
    'a beneficiary added',
    () => ({
      transferOfDeathBeneficiaries: [
        { name1: 'Ruslan', name3: 'Zerkalov', birthDate: '1968-08-12', percentAllocation: '100' },
      ],
    }),
    (record) => record.includes('ZERKALOV'),
  ],
  [
    'a trusted contact named',
    () => ({ primaryOwner: { trustedContact: { name: 'Ruslan Zerkalov' } } }),
    (record) => record.includes('ZERKALOV'),
  ],
  [
    'a political affiliation named',
    () => ({
      primaryOwner: {
        affiliation: {
          political: {
            associated: 'true',
            firstName: 'Mehrzad',
            lastName: 'Hosseinpanahi',
            organization: 'A party',
            relationship: 'Brother',
          },
        },
      },
    }),
    (record) => record.includes('HOSSEINPANAHI'),
  ],
  [
    'the mail sent to a box in Tehran',
    () => ({ mailingAddress: tehran }),
    (record) => record.includes('TEHRAN'),
  ],
  [
    'a residence in Havana',
    () => ({ primaryOwner: { legalAddress: { street: 'Calle 23', city: 'Havana', country: 'CU' } } }),
    (record) => record.includes('HAVANA'),
  ],
  [
    'an employer in Crimea',
    () => ({
      primaryOwner: {
        employerName: 'Sanatorium',
        employerAddress: { street: 'Ul Kirova 1', city: 'Yalta', country: 'UA' },
      },
    }),
    (record) => record.includes('YALTA'),
  ],
  [
    'a trusted contact in Pyongyang',
    () => ({
      primaryOwner: {
        trustedContact: {
          name: 'Ana Moreno',
          address: { street: '1 Square', city: 'Pyongyang', country: 'KP' },
        },
      },
    }),
    (record) => record.includes('PYONGYANG'),
  ],
  [
    'a beneficiary who is a citizen of Iran',
    () => ({
      transferOfDeathBeneficiaries: [
        { name1: 'Luis', name3: 'Moreno', citizenshipCountry: 'IR', percentAllocation: '100' },
      ],
    }),
    (record) => record.includes('LUIS'),
  ],
]

describe('a change of an open account', () => {
  for (const [what, change, made] of variants) {
    test(`waits with a match, and takes effect when it is cleared: ${what}`, async () => {
      const accountNumber = await newAccount()
      const before = await read(service.alpha, accountNumber)
      const { data, message } = await update(accountNumber, change())
      assert.match(message, /unchanged: change [0-9a-f-]{36} awaits a review/)
      assert.deepEqual(data, before)
      assert.deepEqual(await read(service.alpha, accountNumber), before)
      const [waiting] = await changesOf(accountNumber)
      assert.deepEqual([waiting?.state, waiting?.approvalNeeded], ['Requested', false])
      assert.ok(waiting?.subjects.includes('Screening'))
      const matches = await openMatches(accountNumber)
      assert.ok(matches.length > 0)
      assert.equal(waiting?.openMatches, matches.length)
      assert.ok(matches.every(({ changeId, field }) => changeId === waiting?.changeId && field !== ''))
      assert.deepEqual(
        (await work(accountNumber)).map(({ queue, itemId }) => `${queue} ${itemId}`).sort(),
        matches.map(({ matchId }) => `Match ${matchId}`).sort(),
      )
      assert.ok((await eventsOf(accountNumber)).includes('change.requested'))
      await clearAll(accountNumber)
      const after = await read(service.alpha, accountNumber)
      assert.ok(made(JSON.stringify(after)), JSON.stringify(after))
      assert.deepEqual([after.accountStatus, after.version], ['Open', (before.version ?? 0) + 1])
      const [ended] = await changesOf(accountNumber)
      assert.deepEqual([ended?.state, ended?.decidedBy], ['Approved', 'service'])
      const types = await eventsOf(accountNumber)
      for (const type of ['account.updated', 'change.approved']) assert.ok(types.includes(type), type)
    })
  }

  test('of an IRA waits for a listed retirement beneficiary', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('IraRoth'))
    const [known] = (await read(service.alpha, accountNumber)).retirementBenes ?? []
    const { message } = await update(accountNumber, {
      retirementBenes: [{ taxId: known?.taxId, name1: 'Hilario', name3: 'Otermin', birthDate: '1977-03-03' }],
    } as Change)
    assert.match(message, /awaits a review/)
    const [match] = await openMatches(accountNumber)
    assert.match(match?.matchedName ?? '', /OTERMIN/)
    assert.match(match?.field ?? '', /^beneficiaries\[/)
  })

  test('of a party’s birth date waits when it makes a name a match', async () => {
    const joint = applicationFor('JointTIC')
    const party = {
      ...joint.associatedParties?.[0],
      firstName: 'Ruslan',
      lastName: 'Zerkalov',
      birthDate: '1990-01-01',
    }
    const accountNumber = await openAndFollow(service.alpha, {
      ...joint,
      associatedParties: [party],
    } as typeof joint)
    const record = await read(service.alpha, accountNumber)
    assert.equal(record.accountStatus, 'Open', 'a birth date that contradicts is no match')
    const customerId = record.associatedParties[0]?.customerId ?? ''
    const { message } = await update(accountNumber, {
      associatedParties: [{ customerId, birthDate: '1968-08-12' }],
    })
    assert.match(message, /awaits a review/)
    assert.deepEqual(
      (await openMatches(accountNumber)).map((match) => match.customerId),
      [customerId],
    )
  })

  test('is made at once when it touches no name and no address, or brings no match', async () => {
    const accountNumber = await newAccount()
    const { message } = await update(accountNumber, { primaryOwner: { email: 'new@example.com' } })
    assert.equal(message, 'Request successful.')
    await update(accountNumber, {
      primaryOwner: { lastName: 'Morena', trustedContact: { name: 'Olga Smirnova' } },
      mailingAddress: { street: '9 Havana Street' },
    })
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.primaryOwner.name3, record.mailingAddress.street], ['MORENA', '9 HAVANA STREET'])
    assert.deepEqual(await matchesOf(accountNumber), [])
  })

  test('that answers a follow-up of an open account waits as well, and answers it when it takes effect', async () => {
    const accountNumber = await newAccount()
    const followUps = async () => (await service.alpha.onboardingResult({ accountNumber })).data.followUps
    const asked = (await followUps()).find(({ kind, status }) => kind === 'Field' && status === 'Open')
    assert.ok(asked !== undefined)
    const member = asked.field.split('.')[1] ?? ''
    const { message } = await service.alpha.answerFollowUp({
      accountNumber,
      followUpId: asked.id,
      changes: {
        primaryOwner: { [member]: 'Retired', trustedContact: { name: 'Alaric Smithwicke Darroway' } },
      } as Change,
    })
    assert.match(message, /unchanged: change .* awaits a review/)
    assert.ok(!JSON.stringify(await read(service.alpha, accountNumber)).includes('SMITHWICKE'))
    const statusOf = async () => (await followUps()).find(({ id }) => id === asked.id)?.status
    assert.equal(await statusOf(), 'Open')
    await clearAll(accountNumber)
    assert.ok(JSON.stringify(await read(service.alpha, accountNumber)).includes('SMITHWICKE'))
    assert.equal(await statusOf(), 'Accepted')
  })

  test('is refused and the account blocked when a match is confirmed', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, {
      primaryOwner: listed,
      associatedParties: [attorney({ ...listed })],
    } as Change)
    const [first, second] = await openMatches(accountNumber)
    assert.ok(first && second)
    await decide(accountNumber, first.matchId, 'Confirmed')
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.primaryOwner.name3, record.accountStatus], ['MORENO', 'Restricted'])
    const [change] = await changesOf(accountNumber)
    assert.deepEqual(
      [change?.state, change?.decidedBy, change?.decisionReason],
      ['Rejected', 'operations', 'Compared with the passport.'],
    )
    const { restrictions } = (
      await service.operations.operations.listRestrictions({ accountNumber, inForce: true })
    ).data
    assert.deepEqual(
      restrictions.map(({ restrictionCode }) => restrictionCode),
      ['Sanctions'],
    )
    assert.ok(restrictions[0]?.suspends.includes('Changes') && restrictions[0]?.suspends.includes('Selling'))
    const types = await eventsOf(accountNumber)
    for (const type of ['change.rejected', 'account.restricted']) assert.ok(types.includes(type), type)
    assert.deepEqual((await matchesOf(accountNumber)).map(({ decision }) => decision).sort(), [
      'Confirmed',
      'Dropped',
    ])
    assert.deepEqual(await work(accountNumber), [])
    const later = await refusalOf(decide(accountNumber, second.matchId, 'Cleared'))
    assert.deepEqual([later.status, later.has('ERR.2010')], [409, true])
    assert.ok((await refusalOf(update(accountNumber, { primaryOwner: { jobTitle: 'X' } }))).has('ERR.2011'))
  })

  test('takes effect once all of its matches are cleared, and not before', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed, mailingAddress: tehran })
    const matches = await openMatches(accountNumber)
    assert.equal(matches.length, 2)
    await decide(accountNumber, matches[0]?.matchId ?? '', 'Cleared')
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    await decide(accountNumber, matches[1]?.matchId ?? '', 'Cleared')
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.version, record.mailingAddress.city], [2, 'TEHRAN'])
  })

  test('that was cleared is remembered for the person and the entry, and passes at once when asked again', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: { trustedContact: { name: 'Soren Bjorkstrand' } } })
    await clearAll(accountNumber)
    const other = await newAccount()
    const { message } = await update(other, {
      primaryOwner: { trustedContact: { name: 'Soren Bjorkstrand' } },
    })
    assert.equal(message, 'Request successful.')
    assert.deepEqual(await openMatches(other), [])
    const ofBeta = await openAndFollow(service.beta, {
      ...applicationOf({ firstName: 'Ada', lastName: 'Moreno' }),
      entityNumber: '302',
      main: { repCode: 'BB01' },
    } as never)
    const beta = await service.beta.updateAccount({
      accountNumber: ofBeta,
      primaryOwner: { trustedContact: { name: 'Soren Bjorkstrand' } },
    })
    assert.match(beta.message, /awaits a review/, 'another firm decides for itself')
  })

  test('under one idempotency key is one change, whose answer is given again', async () => {
    const accountNumber = await newAccount()
    const request = { accountNumber, primaryOwner: listed }
    const settings = { idempotencyKey: `waits ${accountNumber}` }
    const first = await service.alpha.updateAccount(request, settings)
    const again = await service.alpha.updateAccount(request, settings)
    assert.equal(again.replayed, true)
    assert.deepEqual([again.message, again.data], [first.message, first.data])
    assert.equal((await changesOf(accountNumber)).length, 1)
    assert.equal((await openMatches(accountNumber)).length, 1)
  })

  test('leaves audit rows of the request, the decision and the effect', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await clearAll(accountNumber)
    const { rows } = await service.query(
      `select actor, action from clearing.audit where account_number = $1 and action not like 'onboarding.%'
       order by sequence`,
      [accountNumber],
    )
    assert.deepEqual(
      rows.map(({ actor, action }) => `${actor} ${action}`),
      [
        'alpha new-account',
        'alpha request-change',
        'operations decide-match',
        'operations update-account',
        'operations decide-change',
      ],
    )
  })
})

describe('a change that waits while the record moves on', () => {
  test('takes effect beside changes of other fields, which stay', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await update(accountNumber, { primaryOwner: { jobTitle: 'Baker' } })
    await clearAll(accountNumber)
    const { primaryOwner, version } = await read(service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.name3, primaryOwner.jobTitle, version], ['ZERKALOV', 'BAKER', 3])
  })

  for (const [what, request] of [
    ['its own fields were changed', {}],
    ['it named the version that it was for', { expectedVersion: 1 }],
  ] as const) {
    test(`is refused with a reason when ${what}, and nothing is overwritten`, async () => {
      const accountNumber = await newAccount()
      await update(accountNumber, { ...request, primaryOwner: listed })
      const between = 'expectedVersion' in request ? { jobTitle: 'Baker' } : { lastName: 'Married' }
      await update(accountNumber, { primaryOwner: between })
      const [match] = await openMatches(accountNumber)
      const cleared = await decide(accountNumber, match?.matchId ?? '', 'Cleared')
      assert.equal(cleared.data.decision, 'Cleared')
      const record = await read(service.alpha, accountNumber)
      assert.notEqual(record.primaryOwner.name3, 'ZERKALOV')
      assert.equal(record.version, 2)
      const [change] = await changesOf(accountNumber)
      assert.deepEqual([change?.state, change?.decidedBy], ['Rejected', 'service'])
      assert.match(change?.decisionReason ?? '', /could not take effect.*changed since/)
      assert.ok((await eventsOf(accountNumber)).includes('change.rejected'))
      const again = await update(accountNumber, { primaryOwner: listed })
      assert.equal(again.message, 'Request successful.', 'the clearance is remembered')
    })
  }

  test('does not take effect on an account that was blocked meanwhile', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await service.operations.operations.placeRestriction({
      accountNumber,
      restrictionCode: 'LegalHold',
      reason: 'A court order.',
    })
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'MORENO')
    const [change] = await changesOf(accountNumber)
    assert.equal(change?.state, 'Rejected')
    assert.match(change?.decisionReason ?? '', /LegalHold suspends changes/)
  })

  test('keeps the persons whom it adds the same, and several of one account go each its way', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { associatedParties: [attorney(listed)] } as Change)
    await update(accountNumber, { primaryOwner: { trustedContact: { name: 'Celestin Mbungare' } } })
    const matches = await openMatches(accountNumber)
    assert.equal(matches.length, 2)
    const added = matches.find(({ field }) => field.startsWith('associatedParties'))
    await clearAll(accountNumber)
    const record = await read(service.alpha, accountNumber)
    assert.equal(record.primaryOwner.trustedContact?.name, 'CELESTIN MBUNGARE')
    assert.deepEqual(
      record.associatedParties.map(({ customerId }) => customerId),
      [added?.customerId],
    )
  })

  test('is decided once by two who decide at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const accountNumber = await newAccount()
      await update(accountNumber, {
        primaryOwner: { trustedContact: { name: `Ruslan Zerkalov ${'abcde'[round]}` } },
      })
      const [match] = await openMatches(accountNumber)
      const matchId = match?.matchId ?? ''
      const answers = await Promise.allSettled([
        decide(accountNumber, matchId, 'Cleared'),
        decide(accountNumber, matchId, round % 2 === 0 ? 'Confirmed' : 'Cleared'),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const [change] = await changesOf(accountNumber)
      const [decided] = await matchesOf(accountNumber)
      assert.equal(change?.state, decided?.decision === 'Cleared' ? 'Approved' : 'Rejected')
      const { accountStatus, version } = await read(service.alpha, accountNumber)
      assert.deepEqual(
        [accountStatus, version],
        decided?.decision === 'Cleared' ? ['Open', 2] : ['Restricted', 1],
      )
    }
  })
})

describe('a change that a second person approves', () => {
  const ask = (accountNumber: string) =>
    operator.call('update-account', { accountNumber, primaryOwner: listed })
  const approve = async (accountNumber: string) => {
    const [change] = await changesOf(accountNumber)
    return principal.call('decide-change', {
      changeId: change?.changeId,
      decision: 'Approved',
      reason: 'Seen the letter.',
    })
  }

  test('waits for its matches too, when the approval comes first', async () => {
    const accountNumber = await newAccount()
    const asked = await ask(accountNumber)
    assert.match(asked.json.message, /awaits a second person's approval and a review/)
    const approved = await approve(accountNumber)
    assert.equal(approved.status, 200, approved.text)
    assert.match(approved.json.message, /unchanged: the approval is kept/)
    assert.deepEqual(
      [approved.json.data.state, approved.json.data.approvedBy, approved.json.data.openMatches],
      ['Requested', 'principal@example.com', 1],
    )
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.equal((await approve(accountNumber)).status, 409)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Match'],
    )
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    const [change] = await changesOf(accountNumber)
    assert.deepEqual([change?.state, change?.decidedBy], ['Approved', 'principal@example.com'])
  })

  test('waits for the person too, when the matches are cleared first', async () => {
    const accountNumber = await newAccount()
    await ask(accountNumber)
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Change'],
    )
    assert.equal((await approve(accountNumber)).json.data.state, 'Approved')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
  })

  test('is screened when it is approved against what a list gained since it was asked for', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Quillfeatherly' } })
    await service.operations.operations.loadWatchList({
      listName: 'LATER',
      lines: {
        csv: '88001,"QUILLFEATHERLY, Ada","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
      },
    })
    const approved = await approve(accountNumber)
    assert.equal(approved.json.data.state, 'Requested', approved.text)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'MORENO')
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'QUILLFEATHERLY')
  })

  test('is refused by the second person, and its matches leave the inbox', async () => {
    const accountNumber = await newAccount()
    await ask(accountNumber)
    const [change] = await changesOf(accountNumber)
    const rejected = await principal.call('decide-change', {
      changeId: change?.changeId,
      decision: 'Rejected',
      reason: 'No letter.',
    })
    assert.equal(rejected.json.data.state, 'Rejected')
    assert.deepEqual(await work(accountNumber), [])
    assert.deepEqual(
      (await matchesOf(accountNumber)).map(({ decision }) => decision),
      ['Dropped'],
    )
  })

  test('that waits for its matches alone is approved by nobody', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    const refused = await approve(accountNumber)
    assert.equal(refused.status, 409)
    assert.match(refused.json.errors[0].reason, /decide-match on 1 open match/)
  })

  test('is demanded of the firm too by its setting, and cleared by operations', async () => {
    const { updateFirm, listFirms } = service.operations.operations
    const { firms } = (await listFirms({})).data
    const firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
    await updateFirm({ firmId, settings: { changesNeedingApproval: ['Names'] } })
    try {
      const accountNumber = await newAccount()
      const { message } = await update(accountNumber, { primaryOwner: listed })
      assert.match(message, /second person's approval and a review/)
      await clearAll(accountNumber)
      assert.equal((await approve(accountNumber)).json.data.state, 'Approved')
      assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    } finally {
      await updateFirm({ firmId, settings: { changesNeedingApproval: [] } })
    }
  })
})

describe('a decision on a match', () => {
  const waiting = async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    const [match] = await openMatches(accountNumber)
    return { accountNumber, matchId: match?.matchId ?? '' }
  }

  test('needs a reason that says something', async () => {
    const { accountNumber, matchId } = await waiting()
    const { decideMatch } = service.operations.operations
    const request = { accountNumber, matchId, decision: 'Cleared' as const }
    for (const reason of ['', '   ', '...', '-'])
      assert.deepEqual(await rejectionsOf(decideMatch({ ...request, reason })), ['ERR.1000 reason'], reason)
    for (const reason of ['\u3164', '\u200b\u200b'])
      assert.deepEqual(await rejectionsOf(decideMatch({ ...request, reason })), ['ERR.1016 reason'])
    assert.deepEqual(await rejectionsOf(decideMatch(request as never)), ['ERR.1000 reason'])
    assert.equal((await openMatches(accountNumber)).length, 1)
  })

  test('that clears a likely one needs a second person, when a person decides', async () => {
    const { accountNumber, matchId } = await waiting()
    const asked = await operator.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Another mother.',
    })
    assert.equal(asked.status, 200, asked.text)
    assert.match(asked.json.message, /open still: change .* awaits a second person/)
    assert.equal(asked.json.data.decision, 'Open')
    const changeId = asked.json.data.clearanceChangeId
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue, itemId }) => `${queue} ${itemId}`),
      [`Change ${changeId}`],
    )
    const twice = await principal.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Me too.',
    })
    assert.equal(twice.status, 409)
    const decideChange = (who: PersonAtWork) =>
      who.call('decide-change', { changeId, decision: 'Approved', reason: 'Agreed.' })
    assert.equal((await decideChange(operator)).status, 403)
    assert.equal((await decideChange(principal)).json.data.state, 'Approved')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    const [match] = await matchesOf(accountNumber)
    assert.deepEqual(
      [match?.decision, match?.decidedBy, match?.reason],
      ['Cleared', 'principal@example.com', 'Another mother.'],
    )
  })

  test('whose second person refuses is open again', async () => {
    const { accountNumber, matchId } = await waiting()
    const asked = await operator.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Another mother.',
    })
    await principal.call('decide-change', {
      changeId: asked.json.data.clearanceChangeId,
      decision: 'Rejected',
      reason: 'The same birth date.',
    })
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Match'],
    )
    const confirmed = await principal.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Confirmed',
      reason: 'The same person.',
    })
    assert.equal(confirmed.json.data.decision, 'Confirmed')
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
  })

  test('that clears a likely one needs a second person of a machine too, where the firm’s setting says so', async () => {
    const { updateFirm, listFirms, decideChange } = service.operations.operations
    const { firms } = (await listFirms({})).data
    const firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
    await updateFirm({ firmId, settings: { changesNeedingApproval: ['Matches'] } })
    try {
      const { accountNumber, matchId } = await waiting()
      const { data, message } = await decide(accountNumber, matchId, 'Cleared')
      assert.match(message, /awaits a second person/)
      const request = { changeId: data.clearanceChangeId, decision: 'Approved' } as const
      assert.equal((await refusalOf(decideChange(request))).status, 403)
      assert.equal((await principal.call('decide-change', request)).json.data.state, 'Approved')
      assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    } finally {
      await updateFirm({ firmId, settings: { changesNeedingApproval: [] } })
    }
  })

  test('that clears an unlikely one is one person’s, but not of who asked for the change', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: { trustedContact: { name: 'Dmitriy Veshnyakov' } } })
    const [match] = await openMatches(accountNumber)
    assert.ok((match?.score ?? 0) < 95)
    const request = { accountNumber, matchId: match?.matchId, decision: 'Cleared', reason: 'Another one.' }
    assert.equal((await operator.call('decide-match', request)).json.data.decision, 'Cleared')
    assert.equal((await read(service.alpha, accountNumber)).version, 2)
    const own = await newAccount()
    await principal.call('update-account', {
      accountNumber: own,
      primaryOwner: { trustedContact: { name: 'Hilario Otermin' } },
    })
    const [other] = await openMatches(own)
    const refused = await principal.call('decide-match', {
      ...request,
      accountNumber: own,
      matchId: other?.matchId,
    })
    assert.equal(refused.status, 403)
    assert.match(refused.json.errors[0].reason, /You asked for the change/)
  })

  test('is not taken in bulk: one at a time, with a reason', async () => {
    const [one, two] = [await waiting(), await waiting()]
    const workIds = [`Match.${one.matchId}`, `Match.${two.matchId}`]
    const bulk = async (ids: string[], reason?: string) =>
      (
        await service.operations.operations.decideWork({
          workIds: ids,
          decision: 'Approved',
          ...(reason ? { reason } : {}),
        })
      ).data
    const both = await bulk(workIds, 'All seen.')
    assert.deepEqual(both.taken, [])
    assert.ok(both.refused.every(({ code, reason }) => code === 'ERR.1015' && /one by one/.test(reason)))
    assert.deepEqual(
      (await bulk(workIds.slice(0, 1))).refused.map(({ code }) => code),
      ['ERR.1000'],
    )
    assert.deepEqual((await bulk(workIds.slice(0, 1), 'Another person.')).taken, workIds.slice(0, 1))
    assert.equal((await read(service.alpha, one.accountNumber)).version, 2)
    assert.equal((await read(service.alpha, two.accountNumber)).version, 1)
  })
})

describe('an application', () => {
  const submit = async (owner: object) => {
    const { accountNumber } = await open(service.alpha, applicationOf({ ...listed, ...owner }))
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    return accountNumber
  }
  const decideOnboarding = (accountNumber: string, decision: 'Approved' | 'Rejected') =>
    service.operations.operations.decideOnboarding({ accountNumber, decision, reason: 'Looks right.' })

  test('is not approved while a match is open, and no match is cleared by the way', async () => {
    const accountNumber = await submit({})
    const [match] = await openMatches(accountNumber)
    const refused = await refusalOf(decideOnboarding(accountNumber, 'Approved'))
    assert.deepEqual([refused.status, refused.has('ERR.2010')], [409, true])
    assert.ok(refused.rejections[0]?.reason.includes(match?.matchId ?? 'no match'))
    const bulk = (
      await service.operations.operations.decideWork({
        workIds: [`Application.${accountNumber}`],
        decision: 'Approved',
        reason: 'Looks right.',
      })
    ).data
    assert.deepEqual([bulk.taken, bulk.refused.map(({ code }) => code)], [[], ['ERR.2010']])
    assert.equal((await openMatches(accountNumber)).length, 1)
    await clearAll(accountNumber)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('that is rejected confirms nobody', async () => {
    const accountNumber = await submit({})
    await decideOnboarding(accountNumber, 'Rejected')
    assert.deepEqual(
      (await matchesOf(accountNumber)).map(({ decision }) => decision),
      ['Dropped'],
    )
    assert.deepEqual(await work(accountNumber), [])
  })

  test('with a name in another alphabet waits for a decision on it', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ firstName: '王', lastName: '小明' }))
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    assert.ok((await refusalOf(decideOnboarding(accountNumber, 'Approved'))).has('ERR.2010'))
    await clearAll(accountNumber)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  const box = { ...address, street: 'PO Box 12' }
  for (const how of ['update-account', 'answer-follow-up'] as const) {
    test(`whose name and address are changed by ${how} while it waits is screened with them`, async () => {
      const { accountNumber } = await open(service.alpha, applicationOf({ legalAddress: box }))
      const { followUps } = await follow(service.alpha, accountNumber)
      const change = (owner: object) =>
        how === 'update-account'
          ? update(accountNumber, { primaryOwner: owner })
          : service.alpha.answerFollowUp({
              accountNumber,
              followUpId: followUps[0]?.id ?? '',
              changes: { primaryOwner: owner },
            })
      await change({ ...listed, legalAddress: { street: '14 Pier Lane' } })
      const result = await follow(service.alpha, accountNumber)
      assert.equal(result.currentState, 'ManualReview')
      assert.equal((await openMatches(accountNumber)).length, 1)
      await clearAll(accountNumber)
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    })
  }

  test('that moves to a sanctioned country while it waits is reviewed', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ legalAddress: box }))
    await follow(service.alpha, accountNumber)
    await update(accountNumber, {
      primaryOwner: { legalAddress: { street: 'Valiasr Avenue 9', city: 'Tehran', country: 'IR' } },
    })
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    assert.deepEqual(result.followUps.at(-1)?.code, 'IdentityReview')
  })

  test('is screened once more before it opens, when a list has gained its name meanwhile', async () => {
    const slow = await open(
      service.alpha,
      applicationOf({ taxIdNumber: '000000008', lastName: 'Pennyfarthing' }),
    )
    await service.operations.operations.loadWatchList({
      listName: 'MEANWHILE',
      lines: {
        csv: '88002,"PENNYFARTHING, Ada","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
      },
    })
    const result = await follow(service.alpha, slow.accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    assert.deepEqual(
      (await openMatches(slow.accountNumber)).map(({ entryId }) => entryId),
      ['88002'],
    )
    await clearAll(slow.accountNumber)
    assert.equal((await follow(service.alpha, slow.accountNumber)).currentState, 'CreationComplete')
  })
})
