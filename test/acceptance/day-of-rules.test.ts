/**
 * Between midnight in UTC and midnight in New York, every rule uses the day in New York: ages, birth dates, expiring
 * identification. The sandbox's clock is set, so that the hour at which the tests run does not matter.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
/** The day in New York, the day before it, and the day in UTC. */
let eve: string
let yesterday: string
let nextDay: string
const dayMs = 86_400_000

function dayOf(ms: number) {
  return new Date(ms).toISOString().slice(0, 10)
}

before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
  // Neither day is a 29 February, on which no person turns 18.
  let next = Date.now() + 2 * dayMs
  while ([dayOf(next), dayOf(next - dayMs)].some((day) => day.endsWith('-02-29'))) next += dayMs
  nextDay = dayOf(next)
  eve = dayOf(next - dayMs)
  yesterday = dayOf(next - 2 * dayMs)
  await service.alpha.sandbox.setClock({ now: `${nextDay}T00:05:00Z` })
})
after(() => service?.stop())

function passport(idExpiration: string, idIssueDate = '2016-01-01') {
  return {
    governmentIdentification: {
      governmentId1: {
        idType: 'Passport',
        idNumber: 'P8812345',
        idLocation: 'US',
        idIssueDate,
        idExpiration,
      },
    },
  }
}
function yearsBefore(day: string, years: number) {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`
}

type Row = readonly [what: string, owner: () => object, ...refused: string[]]
const rows: readonly Row[] = [
  ['a passport that is valid until today', () => passport(eve)],
  [
    'a passport that was valid until yesterday',
    () => passport(yesterday),
    'ERR.1024 primaryOwner.governmentIdentification.governmentId1.idExpiration',
  ],
  [
    'a passport that is issued tomorrow',
    () => passport('2050-01-01', nextDay),
    'ERR.1024 primaryOwner.governmentIdentification.governmentId1.idIssueDate',
  ],
  ['an owner who is 18 today', () => ({ birthDate: yearsBefore(eve, 18) })],
  [
    'an owner who is 18 tomorrow',
    () => ({ birthDate: yearsBefore(nextDay, 18) }),
    'ERR.1012 primaryOwner.birthDate',
  ],
  ['an owner who is born tomorrow', () => ({ birthDate: nextDay }), 'ERR.1012 primaryOwner.birthDate'],
]

const fiveMinutesMs = 300_000
const moments: readonly (readonly [name: string, at: () => number])[] = [
  ['after midnight in UTC', () => Date.parse(nextDay) + fiveMinutesMs],
  // At 03:55 UTC in summer, and at 04:55 UTC in winter.
  ['before midnight in New York', () => startOfEasternDay(nextDay).getTime() - fiveMinutesMs],
]
for (const [name, at] of moments) {
  describe(`five minutes ${name}`, () => {
    before(() => service.alpha.sandbox.setClock({ now: new Date(at()).toISOString() }))

    for (const [what, owner, ...refused] of rows) {
      test(`${what}: ${refused.join() || 'accepted'}, by each operation`, async () => {
        const application = applicationOf(owner())
        const { data } = await service.alpha.openAccounts({ accounts: [applicationOf(owner())] } as never)
        const batch = data.results[0]?.errors.map(({ code, field }) => `${code} ${field}`)
        assert.deepEqual(batch, refused)
        const changed = await openAndFollow(service.alpha, applicationOf({}))
        const change = {
          accountNumber: changed,
          associatedParties: [{ ...applicationOf(owner()).primaryOwner, role: 'PowerOfAttorney' }],
        } as Request<'update-account'>
        const ofParty = refused.map((one) => one.replace('primaryOwner', 'associatedParties[0]'))
        if (refused.length === 0) {
          await service.alpha.validateAccount(application)
          await openAndFollow(service.alpha, application)
          await service.alpha.updateAccount(change)
        } else {
          assert.deepEqual(await rejectionsOf(service.alpha.validateAccount(application)), refused)
          assert.deepEqual(await rejectionsOf(service.alpha.newAccount(application)), refused)
          assert.deepEqual(await rejectionsOf(service.alpha.updateAccount(change)), ofParty)
        }
      })
    }
  })
}
