/**
 * Applications that wait for operations or for the firm past the day on which a rule ends to hold: the rules of the day
 * on which the account would open decide.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { follow, open, rejectionsOf } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

const idExpiration = 'primaryOwner.governmentIdentification.governmentId1.idExpiration'

async function dayIn(days: number) {
  const { now } = (await service.alpha.sandbox.getClock({})).data
  return addDays(easternDay(new Date(now)), days)
}
function goOn(days: number) {
  return service.alpha.sandbox.advanceClock({ days })
}
function passport(lastDay: string) {
  return {
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber: 'P8812345', idLocation: 'US', idExpiration: lastDay },
    },
  }
}
/** Waits for a decision of operations: the tax id of the sandbox says so. */
async function forReview(application: object) {
  const { accountNumber } = await open(service.alpha, application as never)
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
  return accountNumber
}
function approve(accountNumber: string) {
  const decided = { accountNumber, decision: 'Approved', reason: 'The papers were seen.' } as const
  return service.operations.operations.decideOnboarding(decided)
}
function update(accountNumber: string, primaryOwner: object) {
  return service.alpha.updateAccount({ accountNumber, primaryOwner } as never)
}
async function stateOf(accountNumber: string) {
  const { currentState, followUps } = await follow(service.alpha, accountNumber)
  return [
    currentState,
    ...followUps.filter(({ code }) => code === 'FieldCorrection').map((one) => `${one.field} ${one.status}`),
  ]
}
/** A custodial application under the law of New Jersey whose owner is 21 in a number of days. */
async function minorUntil(days: number, changes: object = {}) {
  const inDays = await dayIn(days)
  // Only leap years have a 29 February.
  const ofAge = inDays.endsWith('02-29') ? addDays(inDays, 1) : inDays
  const birthDate = `${Number(ofAge.slice(0, 4)) - 21}${ofAge.slice(4)}`
  const application = applicationFor('CustodialUtma')
  const primaryOwner = { ...application.primaryOwner, birthDate, ...changes }
  return { ofAge, application: { ...application, primaryOwner } }
}

describe('an application that waits for operations past the last day of a passport', () => {
  for (const [when, days] of [
    ['before the day', 1],
    ['on the day', 2],
    ['after the day', 3],
  ] as const) {
    test(`and is approved ${when}`, async () => {
      const magic = { taxIdNumber: '000000004' }
      const accountNumber = await forReview(applicationOf({ ...magic, ...passport(await dayIn(2)) }))
      await goOn(days)
      await approve(accountNumber)
      if (days < 3) return assert.deepEqual(await stateOf(accountNumber), ['CreationComplete'])
      assert.deepEqual(await stateOf(accountNumber), ['ActionRequired', `${idExpiration} Open`])
      await update(accountNumber, passport(await dayIn(900)))
      assert.deepEqual(await stateOf(accountNumber), ['CreationComplete', `${idExpiration} Accepted`])
    })
  }
})

test('an application that waits for the firm is judged by the day on which the firm answers', async () => {
  const application = applicationOf({ sourceOfFunds: ['Other'], ...passport(await dayIn(0)) })
  const { accountNumber } = await open(service.alpha, application)
  assert.deepEqual(await stateOf(accountNumber), ['ActionRequired', 'primaryOwner.otherSourceOfFund Open'])
  await goOn(1)
  await update(accountNumber, { otherSourceOfFund: 'Lottery' })
  const asked = `${idExpiration} Open`
  assert.deepEqual((await stateOf(accountNumber)).at(-1), asked)
  assert.deepEqual((await stateOf(accountNumber))[0], 'ActionRequired')
})

describe('a custodial application that waits until the owner comes of age', () => {
  test('asks the firm, and does not open with the birth date of an adult', async () => {
    const { application } = await minorUntil(1, { taxIdNumber: '000000004', taxIdType: 'SSN' })
    const accountNumber = await forReview(application)
    await goOn(1)
    await approve(accountNumber)
    const asked = ['ActionRequired', 'primaryOwner.birthDate Open']
    assert.deepEqual(await stateOf(accountNumber), asked)
    const refused = await rejectionsOf(update(accountNumber, { birthDate: '1990-01-01' }))
    assert.deepEqual(refused, ['ERR.1012 primaryOwner.birthDate'])
    await update(accountNumber, { birthDate: '2015-01-01' })
    assert.deepEqual(await stateOf(accountNumber), ['CreationComplete', 'primaryOwner.birthDate Accepted'])
  })
  test('opens if operations waive the correction, and asks the owner at the next close', async () => {
    const { application, ofAge } = await minorUntil(1, { taxIdNumber: '000000004', taxIdType: 'SSN' })
    const accountNumber = await forReview(application)
    await goOn(1)
    await approve(accountNumber)
    const { followUps } = await follow(service.alpha, accountNumber)
    const followUpId = followUps.at(-1)?.id ?? ''
    await service.operations.operations.waiveFollowUp({
      accountNumber,
      followUpId,
      reason: 'By the transfer.',
    })
    assert.deepEqual(await stateOf(accountNumber), ['CreationComplete', 'primaryOwner.birthDate Waived'])
    await goPastClose(service, addDays(ofAge, 4))
    const result = (await service.alpha.onboardingResult({ accountNumber })).data
    assert.ok(result.followUps.some(({ code, status }) => code === 'OwnerInstruction' && status === 'Open'))
  })
})
