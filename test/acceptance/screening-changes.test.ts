/**
 * Screening continues after the opening. A change that adds a listed name or a sanctioned place waits. It takes effect
 * when its matches are cleared. When one is confirmed, the change is refused and the account restricted.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, refusalOf } from './calling.ts'
import {
  attorney,
  type Change,
  changesOf,
  clearAll,
  decide,
  eventsOf,
  listed,
  matchesOf,
  newAccount,
  openMatches,
  service,
  startBeforeTests,
  tehran,
  update,
  work,
} from './screened-changes.ts'

startBeforeTests()

/** The record of the account after the change shows whether the change was made. */
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
    'a residence in Sevastopol, in Cyrillic letters',
    () => ({
      primaryOwner: { legalAddress: { street: 'вул. Леніна 2', city: 'Севастополь', country: 'UA' } },
    }),
    (record) => record.includes('СЕВАСТОПОЛЬ'),
  ],
  [
    'a listed employer',
    () => ({ primaryOwner: { employerName: 'Qorvelis Petrochemical Shipping LLC' } }),
    (record) => record.includes('QORVELIS'),
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
    'a passport of Iran as the second identification',
    () => ({
      primaryOwner: {
        governmentIdentification: {
          governmentId2: {
            idType: 'Passport',
            idNumber: 'P4711',
            idLocation: 'IR',
            idExpiration: '2040-01-01',
          },
        },
      },
    }),
    (record) => record.includes('P4711') || record.includes('4711'),
  ],
  [
    'an attorney who is a citizen of North Korea',
    () =>
      ({
        associatedParties: [attorney({ firstName: 'Eva', lastName: 'Moreno', citizenshipCountry: 'KP' })],
      }) as Change,
    (record) => record.includes('EVA'),
  ],
  [
    'an attorney of a listed name, surname first',
    () =>
      ({
        associatedParties: [
          attorney({ firstName: 'Zerkalov', lastName: 'Ruslan', birthDate: listed.birthDate }),
        ],
      }) as Change,
    (record) => record.includes('ZERKALOV'),
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

  test('takes effect at once if it changes no name and no address, or causes no match', async () => {
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
    const [change] = await changesOf(accountNumber)
    const [made] = (await service.alpha.accountHistory({ accountNumber })).data.history
    assert.deepEqual(
      [made?.actor, made?.changeId, made?.requestedBy, made?.approvedBy],
      ['operations', change?.changeId, 'alpha', null],
    )
  })

  test('that was cleared is remembered for the person and the entry, and takes effect at once the next time', async () => {
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

  test('under one idempotency key is one change, whose response is returned again', async () => {
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
