/** The tax forms of foreign owners: the forms that answer a request, and the changes that make a form unreliable. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

async function dayIn(days: number) {
  const { now } = (await service.alpha.sandbox.getClock({})).data
  return addDays(easternDay(new Date(now)), days)
}
async function followUpOf(accountNumber: string, code: string) {
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  return followUps.findLast((one) => one.code === code)
}
async function renewalOf(accountNumber: string, kind: string) {
  const { data } = await service.operations.operations.listRenewals({ accountNumber })
  return data.renewals.find((one) => one.kind === kind) ?? null
}
/** A form that operations approve. */
async function give(accountNumber: string, reference: string, more: { signedOn?: string } = {}) {
  const documentTypeName = ['PASS', 'NATL'].includes(reference)
    ? 'Identity Documents'
    : 'New Accounts Documents'
  const file = { name: `${reference}.pdf`, content: new Uint8Array(samplePdf()) }
  const { data } = await service.alpha.addDocument({ accountNumber, documentTypeName, reference, file })
  const decision = { accountNumber, documentId: data.documentId, decision: 'Approved', ...more } as const
  await service.operations.operations.decideDocument(decision)
}
function isSettled(accountNumber: string, kind: string) {
  return until(
    () => renewalOf(accountNumber, kind),
    (one) => one === null,
  )
}

test('a Form W-9 that is later than the Form W-8BEN ends the request for the latter', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
  assert.equal((await renewalOf(accountNumber, 'W8Certification'))?.state, 'Asked')
  await give(accountNumber, 'W9')
  await isSettled(accountNumber, 'W8Certification')
  assert.equal((await followUpOf(accountNumber, 'W8Certification'))?.status, 'Accepted')
  await give(accountNumber, 'W8BE', { signedOn: await dayIn(1) })
  await until(
    () => renewalOf(accountNumber, 'W8Certification'),
    (one) => one?.state === 'Coming',
  )
})

test('a Form W-8ECI answers the request to a person or an entity, and lapses', async () => {
  for (const [registration, kind] of [
    ['IndividualJointForeign', 'W8Certification'],
    ['Corporation', 'W8EntityCertification'],
  ] as const) {
    const application = applicationFor(registration)
    const primaryOwner = { ...application.primaryOwner, citizenshipCountry: 'CA' }
    const accountNumber = await openAndFollow(service.alpha, { ...application, primaryOwner } as never)
    assert.ok((await followUpOf(accountNumber, kind))?.acceptedDocuments.includes('W8ECI'))
    const today = await dayIn(0)
    await give(accountNumber, 'W8ECI', { signedOn: today })
    await until(
      () => renewalOf(accountNumber, kind),
      (one) => one?.state === 'Coming' && one.fallsOn === `${Number(today.slice(0, 4)) + 4}-01-01`,
    )
  }
})

test('a Form W-8EXP answers the request to an entity, and lapses only if its day of signature is stated', async () => {
  const application = applicationFor('Corporation')
  const primaryOwner = { ...application.primaryOwner, citizenshipCountry: 'NO' }
  const foreign = { ...application, primaryOwner } as never
  const government = await openAndFollow(service.alpha, foreign)
  await give(government, 'W8EXP')
  await isSettled(government, 'W8EntityCertification')
  assert.equal((await followUpOf(government, 'W8EntityCertification'))?.status, 'Accepted')
  const second = applicationFor('Corporation')
  const foundation = await openAndFollow(service.alpha, {
    ...second,
    primaryOwner: { ...second.primaryOwner, name1: 'Nordlys Foundation', citizenshipCountry: 'NO' },
  } as never)
  const today = await dayIn(0)
  await give(foundation, 'W8EXP', { signedOn: today })
  await until(
    () => renewalOf(foundation, 'W8EntityCertification'),
    (one) => one?.fallsOn === `${Number(today.slice(0, 4)) + 4}-01-01`,
  )
})

const abroad = {
  street: '1 Rue Oberkampf',
  city: 'Paris',
  stateProvince: '',
  country: 'FR',
  postalCode: '75011',
}
const passport = { governmentId1: { idType: 'Passport', idNumber: 'X1234567', idLocation: 'FR' } }

/** A French citizen with an ITIN. CAIS is optional. */
function french(taxIdNumber: string) {
  const citizen = { citizenshipCountry: 'FR', governmentIdentification: passport, phoneRegionCell: '1' }
  return { ...citizen, taxIdType: 'TaxId', taxIdNumber, birthDate: '1981-09-12', legalAddress: {} }
}

test('owners who are not US citizens and live abroad are asked for Form W-8BEN, each of them', async () => {
  const application = applicationFor('JointWROS', { mailingAddress: abroad })
  const [second] = application.associatedParties as [object]
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    primaryOwner: { ...application.primaryOwner, ...french('912701301') },
    associatedParties: [{ ...second, ...french('912701302') }],
  } as never)
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  const asked = followUps.filter(({ code }) => code.endsWith('Certification'))
  assert.deepEqual(
    asked.map(({ code, field, blocking }) => [code, field, blocking]),
    [
      ['W8Certification', 'primaryOwner', false],
      ['W8Certification', 'associatedParties[0]', false],
    ],
  )
  await give(accountNumber, 'W8BE')
  await give(accountNumber, 'W8BE')
  const { renewals } = await until(
    async () => (await service.operations.operations.listRenewals({ accountNumber })).data,
    (data) => data.renewals.filter(({ state }) => state === 'Coming').length === 2,
  )
  const fields = renewals.filter(({ kind }) => kind === 'W8Certification').map(({ field }) => field)
  assert.deepEqual(fields.sort(), ['associatedParties[0]', 'primaryOwner'])
})

test('an owner who is not a US citizen and lives in the United States certifies on Form W-9 or on Form W-8BEN', async () => {
  const opened = async (taxIdNumber: string) => {
    const application = applicationFor('Individual')
    const primaryOwner = { ...application.primaryOwner, ...french(taxIdNumber) }
    return await openAndFollow(service.alpha, { ...application, primaryOwner } as never)
  }
  const resident = await opened('912701303')
  const asked = await followUpOf(resident, 'W9OrW8Certification')
  assert.deepEqual([asked?.acceptedDocuments, asked?.blocking], [['W9', 'W8BE', 'W8ECI'], false])
  assert.equal(await followUpOf(resident, 'W9Certification'), undefined)
  await give(resident, 'W9')
  await isSettled(resident, 'W9OrW8Certification')
  assert.equal((await followUpOf(resident, 'W9OrW8Certification'))?.status, 'Accepted')
  assert.equal(await renewalOf(resident, 'W8Certification'), null)
  const student = await opened('912701304')
  await give(student, 'W8BE')
  await until(
    () => renewalOf(student, 'W8Certification'),
    (one) => one?.state === 'Coming',
  )
  assert.equal((await followUpOf(student, 'W9OrW8Certification'))?.status, 'Accepted')
  assert.equal(await renewalOf(student, 'W9OrW8Certification'), null)
})

test('a foreign owner who moves to the United States signs a new Form W-8BEN and shows a passport', async () => {
  const application = applicationFor('IndividualJointForeign', { mailingAddress: abroad })
  const primaryOwner = { ...application.primaryOwner, phoneRegionCell: '1' }
  const accountNumber = await openAndFollow(service.alpha, { ...application, primaryOwner } as never)
  const signedOn = await dayIn(-1)
  await give(accountNumber, 'W8BE', { signedOn })
  const isState = (kind: string, state: string) =>
    until(
      () => renewalOf(accountNumber, kind),
      (one) => one?.state === state,
    )
  await isState('W8Certification', 'Coming')
  const home = {
    street: '12 Harbor Street',
    city: 'Jersey City',
    stateProvince: 'NJ',
    country: 'US',
    postalCode: '07302',
  }
  await service.alpha.updateAccount({ accountNumber, mailingAddress: home } as never)
  await isState('W8Certification', 'Asked')
  const evidence = await renewalOf(accountNumber, 'ForeignStatusEvidence')
  assert.deepEqual([evidence?.state, evidence?.fallsOn], ['Asked', await dayIn(0)])
  assert.deepEqual((await followUpOf(accountNumber, 'ForeignIdentityDocument'))?.acceptedDocuments, [
    'PASS',
    'NATL',
  ])
  await give(accountNumber, 'W8BE', { signedOn: await dayIn(0) })
  await isState('W8Certification', 'Coming')
  assert.equal((await renewalOf(accountNumber, 'ForeignStatusEvidence'))?.state, 'Asked')
  await give(accountNumber, 'PASS')
  await isSettled(accountNumber, 'ForeignStatusEvidence')
})
