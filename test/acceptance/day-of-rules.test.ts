/**
 * Between midnight in UTC and midnight in New York every rule counts by the day in New York: ages, birth dates, identification
 * that expires, tax certifications. The sandbox's clock is set, so that the hour at which the tests run does not matter.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, rejectionsOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
/** 31 December in New York, and the day in UTC: 1 January. */
let eve: string
let newYear: string
before(async () => {
  service = await startRunningService()
  const year = new Date().getUTCFullYear() + 1
  eve = `${year - 1}-12-31`
  newYear = `${year}-01-01`
  await service.alpha.sandbox.freezeClock({})
  await service.alpha.sandbox.setClock({ now: `${newYear}T00:05:00Z` })
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
    () => passport(`${eve.slice(0, 8)}30`),
    'ERR.1024 primaryOwner.governmentIdentification.governmentId1.idExpiration',
  ],
  [
    'a passport that is issued tomorrow',
    () => passport('2050-01-01', newYear),
    'ERR.1024 primaryOwner.governmentIdentification.governmentId1.idIssueDate',
  ],
  ['an owner who is 18 today', () => ({ birthDate: yearsBefore(eve, 18) })],
  [
    'an owner who is 18 tomorrow',
    () => ({ birthDate: yearsBefore(newYear, 18) }),
    'ERR.1012 primaryOwner.birthDate',
  ],
  ['an owner who is born tomorrow', () => ({ birthDate: newYear }), 'ERR.1012 primaryOwner.birthDate'],
]

for (const time of ['00:05', '04:55'] as const) {
  describe(`at ${time} UTC, the evening of 31 December in New York`, () => {
    before(() => service.alpha.sandbox.setClock({ now: `${newYear}T${time}:00Z` }))

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

test('a Form W-8BEN that comes on the evening of 31 December lapses after three years, not after four', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'New Accounts Documents',
    reference: 'W8BE',
    file: { name: 'W8BE.pdf', content: new Uint8Array(samplePdf()) },
  })
  const { operations } = service.operations
  await operations.decideDocument({ accountNumber, documentId: data.documentId, decision: 'Approved' })
  const lapse = await until(
    async () =>
      (await operations.listRenewals({ accountNumber })).data.renewals.find(
        ({ kind }) => kind === 'W8Certification',
      ),
    (one) => one?.state === 'Coming',
  )
  assert.equal(lapse?.fallsOn, `${Number(eve.slice(0, 4)) + 4}-01-01`)
})
