/**
 * correct-identity for one person in several roles, for an entity with the number of a person, for a person who
 * becomes a citizen, and for the country of an entity.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, newTaxId } from './applications.ts'
import { openAndFollow, read, rejectionsOf } from './calling.ts'
import { changesOf, operator, principal, service, startBeforeTests } from './screened-changes.ts'

startBeforeTests()

const reason = 'The owner certified it on a new form.'
type Asked = Omit<Request<'correct-identity'>, 'accountNumber' | 'reason'>
function correct(accountNumber: string, asked: Asked) {
  return service.operations.operations.correctIdentity({ accountNumber, reason, ...asked })
}

async function shown(accountNumber: string, reference: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'New Accounts Documents',
    reference,
    file: { name: 'scan.pdf', content: samplePdf() },
  })
  const { documentId } = data
  await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
  return documentId
}

function person(changes: object = {}) {
  return { ...applicationFor('Individual').primaryOwner, ...changes }
}

async function numbers(accountNumber: string) {
  const { primaryOwner, associatedParties } = await read(service.alpha, accountNumber)
  return [primaryOwner, ...associatedParties].map(({ taxIdNumber }) => taxIdNumber)
}

async function partyOf(accountNumber: string, role: string) {
  const { associatedParties } = await read(service.alpha, accountNumber)
  return associatedParties.find((party) => party.role === role)?.customerId ?? ''
}

/** An account of an entity with the number of a person. */
function lent(registrationType: 'Trust' | 'Llc', lender: string, other: string) {
  const taxIdNumber = newTaxId()
  const { primaryOwner } = applicationFor(registrationType)
  return openAndFollow(
    service.alpha,
    applicationFor(registrationType, {
      primaryOwner: { ...primaryOwner, taxIdType: 'SSN', taxIdNumber },
      associatedParties: [
        person({ role: lender, taxIdNumber }),
        person({ role: other, firstName: 'Chidi', lastName: 'Okafor' }),
      ],
    }),
  )
}

test('the number of a grantor or only member is corrected together with that of the entity, from either side', async () => {
  for (const [type, lender, other] of [
    ['Trust', 'Grantor', 'Trustee'],
    ['Llc', 'Member', 'ControlPerson'],
  ] as const) {
    const accountNumber = await lent(type, lender, other)
    const documentIds = [await shown(accountNumber, 'W9')]
    const [, , third] = await numbers(accountNumber)
    const [first, second, own] = [newTaxId(), newTaxId(), '821234567']
    const { data } = await correct(accountNumber, { taxIdNumber: first, documentIds })
    assert.equal(data.change, null)
    assert.deepEqual(await numbers(accountNumber), [first, first, third])
    const customerId = await partyOf(accountNumber, lender)
    await correct(accountNumber, { customerId, taxIdNumber: second, documentIds })
    assert.deepEqual(await numbers(accountNumber), [second, second, third])
    // The entity gets a number of its own: the person keeps the number.
    await correct(accountNumber, { taxIdType: 'TaxId', taxIdNumber: own, documentIds })
    assert.deepEqual(await numbers(accountNumber), [own, second, third])
    await correct(accountNumber, { customerId, taxIdNumber: first, documentIds })
    assert.deepEqual(await numbers(accountNumber), [own, first, third])
  }
})

test('a person has the new number in each role, and the person who decides sees each', async () => {
  const owner = applicationFor('CustodialUtma').primaryOwner
  const [custodian] = applicationFor('CustodialUtma').associatedParties ?? []
  const custodial = await openAndFollow(
    service.alpha,
    applicationFor('CustodialUtma', {
      primaryOwner: owner,
      associatedParties: [custodian, { ...owner, role: 'Minor' }],
    }),
  )
  const child = newTaxId()
  const [, of] = await numbers(custodial)
  await correct(custodial, {
    customerId: await partyOf(custodial, 'Minor'),
    taxIdNumber: child,
    documentIds: [await shown(custodial, 'W9')],
  })
  assert.deepEqual(await numbers(custodial), [child, of, child])

  const member = person()
  const company = await openAndFollow(
    service.alpha,
    applicationFor('Llc', {
      associatedParties: [
        { ...member, role: 'ControlPerson' },
        { ...member, role: 'Member', ownershipPercent: '60' },
        { ...member, role: 'BeneficialOwner', ownershipPercent: '60' },
      ],
    }),
  )
  const [own] = await numbers(company)
  const taxIdNumber = newTaxId()
  const asked = {
    accountNumber: company,
    customerId: await partyOf(company, 'Member'),
    taxIdNumber,
    documentIds: [await shown(company, 'W9')],
    reason,
  }
  const { change } = (await operator.call('correct-identity', asked)).json.data
  const fields = change.fields.map(({ field }: { field: string }) => field.replace(/\[.*\]/, ''))
  assert.deepEqual(
    fields.filter((field: string) => field !== 'document'),
    Array(3).fill('associatedParties.taxIdNumber'),
  )
  const approval = { changeId: change.changeId, decision: 'Approved', reason: 'Seen the form.' }
  assert.equal((await principal.call('decide-change', approval)).json.data.state, 'Approved')
  assert.deepEqual(await numbers(company), [own, taxIdNumber, taxIdNumber, taxIdNumber])
})

/** A person without a number, who is reported as a foreign person. */
function foreigner(customerType = ['Foreign']) {
  const { primaryOwner } = applicationFor('IndividualJointForeign')
  const { taxIdType: _, taxIdNumber: __, ...owner } = primaryOwner as Record<string, unknown>
  return openAndFollow(
    service.alpha,
    applicationFor('Individual', { primaryOwner: { ...owner, caisInformation: { customerType } } }),
  )
}

test('a person who becomes a citizen is reported as a foreign person no longer', async () => {
  for (const [before, after] of [
    [['Foreign'], ['NotApplicable']],
    [['Foreign', 'Accredited'], ['Accredited']],
  ] as const) {
    const accountNumber = await foreigner([...before])
    const documentIds = [await shown(accountNumber, 'W9')]
    const asked = { citizenshipCountry: 'US', taxIdType: 'SSN', taxIdNumber: newTaxId(), documentIds }
    assert.equal((await correct(accountNumber, asked)).data.change, null)
    const { primaryOwner } = await read(service.alpha, accountNumber)
    assert.deepEqual(primaryOwner.caisCustomerType, after)
    assert.deepEqual(
      [primaryOwner.citizenshipCountry, primaryOwner.taxIdNumber],
      [asked.citizenshipCountry, asked.taxIdNumber],
    )
  }
})

test('the social security number of a foreign person waits for operations, who review the fact', async () => {
  const accountNumber = await foreigner()
  const documentIds = [await shown(accountNumber, 'W8BE')]
  const taxIdNumber = newTaxId()
  const { change } = (await correct(accountNumber, { taxIdType: 'SSN', taxIdNumber, documentIds })).data
  assert.deepEqual(change?.subjects, ['Identity', 'ReviewedFacts'])
  assert.match(change?.fields.find(({ field }) => field === 'finding')?.after ?? '', /^ForeignWithSsn: /)
  const approval = { changeId: change?.changeId, decision: 'Approved', reason: 'A student who works.' }
  assert.equal((await principal.call('decide-change', approval)).json.data.state, 'Approved')
  assert.deepEqual(await numbers(accountNumber), [taxIdNumber])
  // A later correction keeps the fact, and waits no more.
  const next = newTaxId()
  assert.equal((await correct(accountNumber, { taxIdNumber: next, documentIds })).data.change, null)
  assert.deepEqual(await numbers(accountNumber), [next])
  assert.equal((await changesOf(accountNumber)).length, 1)
})

test('the country of an entity needs its form or its registration, and a citizenship also takes an identity card', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Corporation'))
  const [w9, passport, form, register] = [
    await shown(accountNumber, 'W9'),
    await shown(accountNumber, 'PASS'),
    await shown(accountNumber, 'W8BEN-E'),
    await shown(accountNumber, 'CREG'),
  ]
  const to = (citizenshipCountry: string, ...documentIds: string[]) =>
    correct(accountNumber, { citizenshipCountry, documentIds })
  assert.deepEqual(await rejectionsOf(to('KY', w9, passport)), ['ERR.2053 documentIds'])
  assert.equal((await to('KY', form)).data.citizenshipCountry, 'KY')
  assert.equal((await to('BM', register)).data.citizenshipCountry, 'BM')
  assert.deepEqual(await rejectionsOf(to('US', form)), ['ERR.2053 documentIds'])
  assert.equal((await to('US', w9)).data.citizenshipCountry, 'US')

  const person = await openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
  const [card, own] = [await shown(person, 'NATL'), await shown(person, 'W8BE')]
  const citizen = (documentId: string) =>
    correct(person, { citizenshipCountry: 'DE', documentIds: [documentId] })
  assert.deepEqual(await rejectionsOf(citizen(own)), ['ERR.2053 documentIds'])
  assert.equal((await citizen(card)).data.citizenshipCountry, 'DE')
})
