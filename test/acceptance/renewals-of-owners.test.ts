/**
 * Facts of the owners that fall due in the year of an account: a move out of the registration, and the form of a
 * foreign entity.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, newTaxId } from './applications.ts'
import { openAndFollow, read, rejectionsOf, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
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
async function resultOf(accountNumber: string) {
  return (await service.alpha.onboardingResult({ accountNumber })).data
}
async function followUpOf(accountNumber: string, code: string) {
  return (await resultOf(accountNumber)).followUps.findLast((one) => one.code === code)
}
async function renewalOf(accountNumber: string, kind: string) {
  const { data } = await service.operations.operations.listRenewals({ accountNumber })
  return data.renewals.find((one) => one.kind === kind)
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
/** A document that operations approve. */
async function giveDocument(accountNumber: string, documentTypeName: string, reference: string) {
  const file = { name: `${reference}.pdf`, content: new Uint8Array(samplePdf()) }
  const { data } = await service.alpha.addDocument({ accountNumber, documentTypeName, reference, file })
  const { documentId } = data
  await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
}

test('a corporation of another country certifies on Form W-8BEN-E, which lapses', async () => {
  const application = applicationFor('Corporation')
  const primaryOwner = { ...application.primaryOwner, citizenshipCountry: 'DE' }
  const accountNumber = await openAndFollow(service.alpha, { ...application, primaryOwner } as never)
  const asked = await followUpOf(accountNumber, 'W8EntityCertification')
  assert.deepEqual(
    [asked?.status, asked?.blocking, asked?.acceptedDocuments],
    ['Open', false, ['W8BEN-E', 'W8IMY', 'W8EXP', 'W8ECI']],
  )
  assert.equal(await followUpOf(accountNumber, 'W9Certification'), undefined)
  await giveDocument(accountNumber, 'New Accounts Documents', 'W8BEN-E')
  await until(
    () => renewalOf(accountNumber, 'W8EntityCertification'),
    (one) => one?.state === 'Coming',
  )
  const lapses = `${Number((await dayIn(0)).slice(0, 4)) + 4}-01-01`
  assert.equal((await renewalOf(accountNumber, 'W8EntityCertification'))?.fallsOn, lapses)
})

test('a corporation of another country without an EIN opens once its government’s document is approved', async () => {
  const application = applicationFor('Corporation')
  const { taxIdType: _, taxIdNumber: __, ...owner } = application.primaryOwner as Record<string, unknown>
  const governmentId1 = { idType: 'CompanyRegistration', idNumber: 'HRB 12345', idLocation: 'DE' }
  const open = (changes: object) =>
    service.alpha.newAccount({
      ...application,
      primaryOwner: { ...owner, citizenshipCountry: 'DE', ...changes },
    } as never)
  assert.deepEqual(await rejectionsOf(open({})), [
    'ERR.1000 primaryOwner.taxIdNumber',
    'ERR.1000 primaryOwner.taxIdType',
  ])
  const { data } = await open({ governmentIdentification: { governmentId1 } })
  const { accountNumber } = 'message' in data ? data.message : data
  const asked = () => followUpOf(accountNumber, 'EntityDocument')
  await until(
    async () => (await asked())?.status ?? '',
    (status) => status === 'Open',
  )
  assert.deepEqual([(await asked())?.blocking, (await asked())?.acceptedDocuments], [true, ['CREG']])
  await giveDocument(accountNumber, 'Identity Documents', 'CREG')
  await until(
    () => statusOf(accountNumber),
    (status) => status === 'Open',
  )
  assert.equal((await followUpOf(accountNumber, 'W8EntityCertification'))?.status, 'Open')
})

test('a Form W-8BEN lapses at the end of the third year after the day of its signature', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
  const today = await dayIn(0)
  const year = Number(today.slice(0, 4))
  const add = async (reference: string) => {
    const documentTypeName = 'New Accounts Documents'
    const file = { name: `${reference}.pdf`, content: new Uint8Array(samplePdf()) }
    return (await service.alpha.addDocument({ accountNumber, documentTypeName, reference, file })).data
  }
  const decide = (documentId: string, more: object) =>
    service.operations.operations.decideDocument({
      accountNumber,
      documentId,
      decision: 'Approved',
      ...more,
    } as never)
  const { documentId: form } = await add('W8BE')
  const refused: [more: object, expected: string][] = [
    [{ signedOn: await dayIn(2) }, 'ERR.1024 signedOn'],
    [{ signedOn: `${year - 4}-12-31` }, 'ERR.1024 signedOn'],
    [{ signedOn: today, decision: 'Rejected', rejectionCode: 'UNSIGNED' }, 'ERR.1015 signedOn'],
  ]
  for (const [more, expected] of refused) assert.deepEqual(await rejectionsOf(decide(form, more)), [expected])
  const { documentId: other } = await add('FASF')
  assert.deepEqual(await rejectionsOf(decide(other, { signedOn: today })), ['ERR.1015 signedOn'])
  const { data } = await decide(form, { signedOn: `${year - 1}-12-31` })
  assert.equal(data.signedOn, `${year - 1}-12-31`)
  const renewed = () => renewalOf(accountNumber, 'W8Certification')
  await until(renewed, (one) => one?.state === 'Coming')
  assert.equal((await renewed())?.fallsOn, `${year + 3}-01-01`)
  const { documentId: newer } = await add('W8BE')
  await decide(newer, { signedOn: await dayIn(1) })
  const nextYear = Number((await dayIn(1)).slice(0, 4))
  await until(renewed, (one) => one?.fallsOn === `${nextYear + 4}-01-01`)
})

test('two foreign owners each certify on Form W-8BEN, and each form settles the request to its owner', async () => {
  const application = applicationFor('IndividualJointForeign')
  const owner = application.primaryOwner as object
  const spouse = { ...owner, firstName: 'Luc', taxIdNumber: newTaxId(), role: 'Secondary' }
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    associatedParties: [spouse],
  } as never)
  const asked = async () =>
    (await resultOf(accountNumber)).followUps
      .filter(({ code }) => code === 'W8Certification')
      .map(({ field, status, blocking }) => `${field} ${status} ${blocking}`)
  assert.deepEqual(await asked(), ['primaryOwner Open false', 'associatedParties[0] Open false'])
  const renewals = async () =>
    (await service.operations.operations.listRenewals({ accountNumber })).data.renewals
      .filter(({ kind }) => kind === 'W8Certification')
      .map(({ field, state }) => `${field} ${state}`)
      .toSorted()
  await giveDocument(accountNumber, 'New Accounts Documents', 'W8BE')
  assert.deepEqual(await asked(), ['primaryOwner Accepted false', 'associatedParties[0] Open false'])
  await until(renewals, (states) => states.includes('primaryOwner Coming'))
  assert.deepEqual(await renewals(), ['associatedParties[0] Asked', 'primaryOwner Coming'])
  await giveDocument(accountNumber, 'New Accounts Documents', 'W8BE')
  await until(renewals, (states) => states.every((state) => state.endsWith('Coming')))
  assert.deepEqual(await asked(), ['primaryOwner Accepted false', 'associatedParties[0] Accepted false'])
})

test('spouses who move to a state without community property record the address, and are asked what becomes of the account', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('JointCP'))
  await giveDocument(accountNumber, 'New Accounts Documents', 'W9')
  const move = (mailingAddress: object) =>
    service.alpha.updateAccount({ accountNumber, mailingAddress } as never)
  const { data } = await move({ city: 'Atlanta', stateProvince: 'GA', postalCode: '30303' })
  assert.equal(data.mailingAddress.stateProvince, 'GA')
  const found = (await resultOf(accountNumber)).findings.filter(({ rule }) => rule === 'OwnersResidence')
  assert.equal(found.length, 1)
  // The review after the change may have asked already.
  assert.ok(['note', 'ask'].includes(found[0]?.effect ?? ''))
  await goPastClose(service, await dayIn(1))
  const asked = await followUpOf(accountNumber, 'OwnerInstruction')
  assert.deepEqual([asked?.status, asked?.blocking, asked?.field], ['Open', false, 'registrationType'])
  const { dueOn } = (await renewalOf(accountNumber, 'OwnersResidence')) ?? {}
  await goPastClose(service, addDays(dueOn ?? '', 1))
  assert.equal((await renewalOf(accountNumber, 'OwnersResidence'))?.state, 'Overdue')
  assert.equal(await statusOf(accountNumber), 'Open')
  await giveDocument(accountNumber, 'Account Maintenance', 'LOA')
  await until(
    () => renewalOf(accountNumber, 'OwnersResidence'),
    (one) => one?.state === 'Settled',
  )
  await move({ city: 'Reno', stateProvince: 'NV', postalCode: '89501' })
  await until(
    () => renewalOf(accountNumber, 'OwnersResidence'),
    (one) => one === undefined,
  )
  assert.ok(!(await resultOf(accountNumber)).findings.some(({ effect }) => effect === 'note'))
})

/** The fields that open follow-ups ask for once the account is open. */
async function fieldsAsked(accountNumber: string) {
  const { followUps } = await resultOf(accountNumber)
  return followUps
    .filter(({ code, status }) => code === 'FieldCompletion' && status === 'Open')
    .map(({ field, blocking }) => `${field} ${blocking}`)
}

test('the employer is asked for after the occupation, and an owner who is added is asked for the occupation', async () => {
  const application = applicationFor('JointWROS')
  const accountNumber = await openAndFollow(service.alpha, application)
  const employment = async () =>
    (await fieldsAsked(accountNumber)).filter((one) => /occupation|employerName/.test(one)).sort()
  const become = (expected: string[]) =>
    until(employment, (found) => JSON.stringify(found) === JSON.stringify(expected))
  const second = 'associatedParties[0].occupation false'
  await become([second, 'primaryOwner.occupation false'])
  const change = (primaryOwner: object) =>
    service.alpha.updateAccount({ accountNumber, primaryOwner } as never)
  await change({ occupation: 'Engineering' })
  await become([second, 'primaryOwner.employerName false'])
  await change({ employerName: 'Acme' })
  await become([second])
  await service.alpha.updateAccount({
    accountNumber,
    associatedParties: [
      { ...application.primaryOwner, firstName: 'Lucien', taxIdNumber: newTaxId(), role: 'Secondary' },
    ],
  } as never)
  await become([second, 'associatedParties[1].occupation false'])
  assert.equal(await statusOf(accountNumber), 'Open')
})
