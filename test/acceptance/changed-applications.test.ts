/**
 * A change of the record of an application that has passed checks leads it back through them: what a change can cause,
 * and operations review, is reviewed at every stage at which the firm may be asked for a field.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { accountRules } from '@clearing/protocol'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { type Application, applicationFor, newTaxId, type RegistrationType } from './applications.ts'
import { follow, openAndFollow, read, until } from './calling.ts'
import {
  type Change,
  clearAll,
  eventsOf,
  openMatches,
  service,
  startBeforeTests,
  tehran,
  update,
  work,
} from './screened-changes.ts'

startBeforeTests()

interface Case {
  readonly rule: string
  readonly of: RegistrationType
  readonly change: (accountNumber: string) => Change | Promise<Change>
}

const cases: readonly Case[] = [
  {
    rule: 'PlaceNotSanctioned',
    of: 'Individual',
    change: () => ({ primaryOwner: { legalAddress: { ...tehran, street: '12 Azadi Avenue' } } }),
  },
  {
    rule: 'PoliticalForeign',
    of: 'IndividualJointForeign',
    change: () => ({ primaryOwner: { affiliation: { political: 'true' } } }) as Change,
  },
  {
    rule: 'NameIsName',
    of: 'Individual',
    change: () => ({ primaryOwner: { firstName: 'Unknown', lastName: 'Unknown' } }),
  },
  {
    rule: 'IdNumberIsNumber',
    of: 'Individual',
    change: () => {
      const { primaryOwner } = applicationFor('Individual')
      const governmentId1 = { idType: 'Passport', idNumber: 'UNKNOWN', idLocation: 'US' }
      const party = { ...primaryOwner, role: 'InterestedParty', governmentIdentification: { governmentId1 } }
      return { associatedParties: [party] } as Change
    },
  },
  {
    rule: 'AddressIsPlace',
    of: 'Individual',
    change: () => ({
      primaryOwner: {
        legalAddress: {
          street: 'General Delivery',
          city: 'Jersey City',
          stateProvince: 'NJ',
          country: 'US',
          postalCode: '07302',
        },
      },
    }),
  },
  {
    rule: 'ForeignWithSsn',
    of: 'Individual',
    change: () => ({ primaryOwner: { caisInformation: { customerType: ['Foreign'] } } }) as Change,
  },
  {
    rule: 'BirthDateOfMinor',
    of: 'CustodialUtma',
    change: () => ({ primaryOwner: { birthDate: `${new Date().getUTCFullYear() - 5}-03-04` } }),
  },
  {
    rule: 'CustodianTrustCompany',
    of: 'CustodialUtma',
    change: async (accountNumber) => {
      const [custodian] = (await read(service.alpha, accountNumber)).associatedParties
      const company = {
        role: 'Custodian',
        nameType: 'Entity',
        name1: 'Foo Gym',
        citizenshipCountry: 'US',
        legalAddress: {},
        taxIdType: 'TaxId',
        taxIdNumber: newTaxId(),
        phoneNumberBusiness: '2015550177',
      }
      return {
        associatedParties: [{ customerId: custodian?.customerId, role: 'InterestedParty' }, company],
      } as Change
    },
  },
]

test('every rule that operations review in the sandbox is in the table', () => {
  const reviewed = accountRules
    .filter(({ effects, sandbox }) => effects.opening === 'review' && sandbox === '')
    .map(({ value }) => value as string)
  assert.deepEqual(cases.map(({ rule }) => rule).sort(), reviewed.sort())
})

const described = { primaryOwner: { otherSourceOfFund: 'Sale of a boat' } } as Change
const untold = { sourceOfFunds: ['Other'] }
const matched = { taxIdNumber: '000000005' }

function merged(a: Change, b: Change): Change {
  return { ...a, ...b, primaryOwner: { ...a.primaryOwner, ...b.primaryOwner } } as Change
}
function application(of: RegistrationType, owner: object): Application {
  const made = applicationFor(of)
  return { ...made, primaryOwner: { ...made.primaryOwner, ...owner } } as Application
}
function ask(accountNumber: string, field: string) {
  const requests = [{ code: 'FieldCorrection', field, reason: 'The passport has another one.' }]
  return service.operations.operations.requestInformation({ accountNumber, requests })
}
/** What a rule found that waits for a decision. */
async function reviewsOf(accountNumber: string) {
  const { followUps, findings, currentState } = await follow(service.alpha, accountNumber)
  const waiting = new Set(followUps.filter(({ status }) => status === 'Open').map(({ id }) => id))
  const rules = findings.filter(({ followUpId }) => waiting.has(followUpId)).map(({ rule }) => rule)
  return [currentState, ...new Set(rules)]
}
async function assertReviewed({ rule, change }: Case, accountNumber: string, answer: Change) {
  await update(accountNumber, merged(answer, await change(accountNumber)))
  assert.deepEqual(await reviewsOf(accountNumber), ['ManualReview', rule])
  // Its matches are decided first.
  await clearAll(accountNumber)
  assert.deepEqual(
    (await work(accountNumber)).map(({ queue }) => queue),
    ['Application'],
  )
}

describe('an answer that causes a reviewed finding is reviewed', () => {
  for (const one of cases) {
    test(`${one.rule}, when the identity asked for a field`, async () => {
      const accountNumber = await openAndFollow(service.alpha, application(one.of, untold))
      await assertReviewed(one, accountNumber, described)
    })
    test(`${one.rule}, when operations asked for a field in the review of a match`, async () => {
      const accountNumber = await openAndFollow(service.alpha, application(one.of, matched))
      await ask(accountNumber, 'primaryOwner.email')
      await assertReviewed(one, accountNumber, { primaryOwner: { email: 'ada@example.com' } })
    })
  }

  describe('when the last stage asked for a field', () => {
    const waiting = new Map<Case, string>()
    let withMatch = ''
    const renewed = { idType: 'Passport', idNumber: 'K1', idLocation: 'CA', idExpiration: '2041-03-01' }
    const answer = {
      primaryOwner: { governmentIdentification: { governmentId1: renewed } },
    } as Change
    before(async () => {
      const { now } = (await service.alpha.sandbox.getClock({})).data
      const idExpiration = addDays(easternDay(new Date(now)), 1)
      const governmentIdentification = { governmentId1: { ...renewed, idNumber: 'K0', idExpiration } }
      for (const one of cases) {
        const owner = { ...untold, governmentIdentification }
        waiting.set(one, await openAndFollow(service.alpha, application(one.of, owner)))
      }
      const owner = { ...untold, ...matched, governmentIdentification }
      withMatch = await openAndFollow(service.alpha, application('Individual', owner))
      await service.alpha.sandbox.advanceClock({ days: 3 })
    })
    for (const one of cases) {
      test(one.rule, async () => {
        const accountNumber = waiting.get(one) ?? ''
        await update(accountNumber, described)
        const { followUps, currentState } = await follow(service.alpha, accountNumber)
        assert.equal(currentState, 'ActionRequired')
        assert.match(followUps.at(-1)?.field ?? '', /idExpiration$/)
        await assertReviewed(one, accountNumber, answer)
        // An approval is of the finding, once: the other stages run, and the account opens.
        await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
        assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
      })
    }
    test('a match that was cleared stays cleared', async () => {
      await update(withMatch, described)
      await follow(service.alpha, withMatch)
      await clearAll(withMatch)
      assert.equal((await follow(service.alpha, withMatch)).currentState, 'ActionRequired')
      await update(withMatch, answer)
      assert.equal((await follow(service.alpha, withMatch)).currentState, 'CreationComplete')
      const events = await eventsOf(withMatch)
      assert.equal(events.filter((type) => type === 'application.submitted').length, 1)
      assert.equal(events.filter((type) => type === 'application.approved').length, 2)
    })
  })
})

describe('a change that causes nothing', () => {
  test('opens the account, with one event of the submission', async () => {
    const accountNumber = await openAndFollow(service.alpha, application('Individual', matched))
    await ask(accountNumber, 'primaryOwner.email')
    await update(accountNumber, { primaryOwner: { email: 'ada@example.com' } })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    await clearAll(accountNumber)
    const { currentState, state } = await follow(service.alpha, accountNumber)
    assert.equal(currentState, 'CreationComplete')
    assert.ok(state.every(({ status }) => status === 'Success'))
    const events = await eventsOf(accountNumber)
    assert.equal(events.filter((type) => type === 'application.submitted').length, 1)
    assert.equal(events.filter((type) => type === 'application.resumed').length, 1)
    assert.equal(events.filter((type) => type === 'application.approved').length, 1)
  })

  test('keeps what operations approved', async () => {
    const owner = { ...matched, firstName: 'Unknown', lastName: 'Unknown' }
    const accountNumber = await openAndFollow(service.alpha, application('Individual', owner))
    await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
    await follow(service.alpha, accountNumber)
    assert.equal((await openMatches(accountNumber)).length, 1)
    await ask(accountNumber, 'primaryOwner.email')
    await update(accountNumber, { primaryOwner: { email: 'ada@example.com' } })
    const { followUps } = await follow(service.alpha, accountNumber)
    assert.deepEqual(
      followUps.map(({ code, status }) => `${code} ${status}`),
      [
        'IdentityReview Accepted',
        'WatchlistReview Waived',
        'FieldCorrection Accepted',
        'WatchlistReview Open',
      ],
    )
    // Another placeholder is another name.
    await ask(accountNumber, 'primaryOwner.firstName')
    await update(accountNumber, { primaryOwner: { firstName: 'None', lastName: 'None' } })
    assert.deepEqual(await reviewsOf(accountNumber), ['ManualReview', 'NameIsName'])
  })
})

test('a changed record is checked although the request is waived', async () => {
  const accountNumber = await openAndFollow(service.alpha, application('Individual', matched))
  await ask(accountNumber, 'primaryOwner.birthDate')
  await update(accountNumber, { primaryOwner: { legalAddress: { ...tehran, street: '12 Azadi Avenue' } } })
  const { followUps } = await follow(service.alpha, accountNumber)
  const followUpId = followUps.at(-1)?.id ?? ''
  await service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason: 'Known.' })
  assert.deepEqual(await reviewsOf(accountNumber), ['ManualReview', 'PlaceNotSanctioned'])
})

test('an answer to one question leaves the date of another', async () => {
  const box = { street: 'PO Box 12', city: 'Newark', stateProvince: 'NJ', country: 'US', postalCode: '07102' }
  const owner = { ...untold, legalAddress: box }
  const accountNumber = await openAndFollow(service.alpha, application('Individual', owner))
  await update(accountNumber, described)
  await service.alpha.sandbox.advanceClock({ days: 29 })
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  await service.alpha.sandbox.advanceClock({ days: 2 })
  const { currentState, followUps } = await until(
    () => follow(service.alpha, accountNumber),
    (result) => result.currentState !== 'ActionRequired',
  )
  assert.equal(currentState, 'ManualReview')
  assert.deepEqual(followUps.map(({ status }) => status).sort(), ['Accepted', 'Expired', 'Open'])
})
