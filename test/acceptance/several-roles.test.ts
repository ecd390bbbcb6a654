/**
 * A company whose only owner also controls it: the person is identified once, and a renewed passport is that of both
 * roles.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor } from './applications.ts'
import { follow, open, openAndFollow, read, rejectionsOf, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

let serial = 0
function company(governmentIdentification?: object) {
  serial += 1
  const owner = {
    ...applicationFor('Individual').primaryOwner,
    firstName: 'Amelie',
    lastName: 'Garnier',
    citizenshipCountry: 'FR',
    taxIdType: 'TaxId',
    taxIdNumber: `9${(process.pid % 90) + 10}70${1_000 + serial}`,
    ...(governmentIdentification && { governmentIdentification }),
  }
  return applicationFor('Llc', {
    associatedParties: [
      { ...owner, role: 'ControlPerson' },
      { ...owner, role: 'BeneficialOwner', ownershipPercent: '100' },
    ],
  })
}
async function dayIn(days: number) {
  const { now } = (await service.alpha.sandbox.getClock({})).data
  return addDays(easternDay(new Date(now)), days)
}
async function addPassport(accountNumber: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    file: { name: 'passport.pdf', content: new Uint8Array(samplePdf()) },
  })
  return { accountNumber, documentId: data.documentId, decision: 'Approved' }
}
async function requestsOf(accountNumber: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  return data.followUps
    .filter(({ field }) => field.endsWith('governmentIdentification'))
    .map(({ code, field, status }) => `${code} ${field} ${status}`)
}
const asked = 'ForeignIdentityDocument associatedParties[0].governmentIdentification'

test('an application asks for one passport, and its approval opens the account', async () => {
  const { accountNumber } = await open(service.alpha, company())
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  assert.deepEqual(await requestsOf(accountNumber), [`${asked} Open`])
  await service.operations.operations.decideDocument(await addPassport(accountNumber))
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
})

test('a renewed passport is asked for once, written to both roles, and no restriction follows', async () => {
  const lastDay = await dayIn(5)
  const id = { idType: 'Passport', idNumber: 'P1112223', idLocation: 'FR', idIssueDate: '2017-01-05' }
  const accountNumber = await openAndFollow(
    service.alpha,
    company({ governmentId1: { ...id, idExpiration: lastDay } }),
  )
  await goPastClose(service, addDays(lastDay, 1))
  await until(
    () => requestsOf(accountNumber),
    (requests) => requests.length > 0,
  )
  assert.deepEqual(await requestsOf(accountNumber), [`${asked} Open`])
  const passport = await addPassport(accountNumber)
  const { decideDocument, listRestrictions } = service.operations.operations
  const shown = { idNumber: 'P9998887', idLocation: 'FR', idIssueDate: await dayIn(-1) }
  const nowhere = { ...passport, ...shown, idLocation: 'QQ', idExpiration: await dayIn(3_650) }
  assert.deepEqual(await rejectionsOf(decideDocument(nowhere)), ['ERR.1015 idLocation'])
  await decideDocument({ ...passport, ...shown, idExpiration: await dayIn(3_650) })
  const { associatedParties } = await read(service.alpha, accountNumber)
  const expirations = associatedParties.map(
    ({ governmentIdentification: ids }) => ids?.governmentId1?.idExpiration,
  )
  assert.deepEqual(expirations, Array(2).fill(await dayIn(3_650)))
  await goPastClose(service, await dayIn(40))
  assert.deepEqual(await requestsOf(accountNumber), [`${asked} Accepted`])
  // Form W-9 was not sent.
  const { restrictions } = (await listRestrictions({ accountNumber })).data
  assert.deepEqual(
    restrictions.map(({ restrictionCode }) => restrictionCode),
    ['MissingTaxForm'],
  )
})
