/**
 * The account record as it is returned: both shapes have every field of the specification, with the submitted values.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Application, applicationFor, fullApplication } from './applications.ts'
import { follow, open, openAndFollow, read, readShape1, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Json = Record<string, unknown>

let service: RunningService
let application: Application
let accountNumber: string
let shape1: Json
let shape2: Json
before(async () => {
  service = await startRunningService()
  application = fullApplication()
  accountNumber = (await open(service.alpha, application)).accountNumber
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  shape1 = (await readShape1(service.alpha, accountNumber)) as unknown as Json
  shape2 = (await read(service.alpha, accountNumber)) as unknown as Json
})
after(() => service?.stop())

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')

/** The names in the first column of the table below a heading of the specification. */
function fieldsUnder(heading: string): string[] {
  const section = specification.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? ''
  const rows = section.match(/^\|.*\|$/gm) ?? []
  const names = rows.slice(2).flatMap((row) => (row.split('|')[1] ?? '').split(','))
  assert.ok(names.length > 0, `no table under ${heading}`)
  return names.map((name) => name.trim().replace(/ \(.*\)$/, '')).filter((name) => name !== '')
}

function at(record: Json, path: string): Json {
  let value: unknown = record
  for (const step of path.split('.')) value = (value as Json | undefined)?.[step]
  assert.ok(typeof value === 'object' && value !== null, `${path} is not there`)
  return value as Json
}

/**
 * For each block: where the specification lists its fields, its place in each shape, and the fields of the other shape.
 */
const onlyShape1 = ['firstName', 'middleName', 'lastName', 'suffix', 'caisInformation']
const onlyShape2 = ['name1', 'name2', 'name3', 'name4', 'caisCustomerType']
const onlyParties = ['role', 'tradingAuthority', 'financialProfile.investmentExperience']
const blocks: [heading: string, shape: 1 | 2, path: string, except: string[]][] = [
  ['Main', 1, 'main', []],
  ['Main', 2, 'main', []],
  ['Electronic Delivery', 1, 'electronicDelivery', []],
  ['Electronic Delivery', 2, 'electronicDelivery', []],
  ['Address (', 1, 'mailingAddress', []],
  ['Address (', 2, 'mailingAddress', []],
  ['Address (', 2, 'primaryOwner.legalAddress', []],
  ['Address (', 2, 'primaryOwner.employerAddress', []],
  ['Address (', 2, 'primaryOwner.trustedContact.address', []],
  ['Address (', 2, 'primaryOwner.affiliation.address', []],
  ['Financial Profile', 1, 'financialProfile', []],
  ['Financial Profile', 2, 'financialProfile', []],
  ['Primary Owner and', 1, 'primaryOwner', [...onlyShape2, ...onlyParties, 'employer']],
  ['Primary Owner and', 2, 'primaryOwner', [...onlyShape1, ...onlyParties, 'employer']],
  ['Primary Owner and', 1, 'associatedParties.0', [...onlyShape2, 'employer']],
  ['Primary Owner and', 2, 'associatedParties.0', [...onlyShape1, 'employer']],
  ['Beneficiary (', 1, 'beneficiaries.0', []],
]

describe('the record of an account with every field', () => {
  for (const [heading, shape, path, except] of blocks) {
    test(`has in shape ${shape} every field of ${path} that the specification lists`, () => {
      const block = at(shape === 1 ? shape1 : shape2, path)
      for (const field of fieldsUnder(heading).filter((name) => !except.includes(name))) {
        const value = field
          .split('.')
          .reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], block)
        assert.ok(value !== undefined && value !== '', `${path}.${field} is ${JSON.stringify(value)}`)
      }
    })
  }

  test('has every field of shape 2, and retirementBenes for the masked one', () => {
    const section = specification.slice(specification.indexOf('Shape 2 (get-account'))
    const rows = section.slice(0, section.indexOf('Fields of largeTraders')).match(/^\| (\S.*?) \|/gm) ?? []
    const fields = rows.map((row) => row.replaceAll('|', '').trim()).filter((row) => !/^(-+|Field)/.test(row))
    assert.ok(fields.length >= 15)
    for (const field of fields) {
      assert.ok((field === 'the service' ? 'retirementBenes' : field) in shape2, `${field} is not there`)
    }
  })

  test('has every field of a T.O.D. beneficiary', () => {
    const list = /### T\.O\.D\. beneficiary \(shape 2\)\s+(.*)/.exec(specification)?.[1] ?? ''
    const [item] = shape2.transferOfDeathBeneficiaries as Json[]
    const fields = list
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((name) => name.replace('.', '').trim())
    assert.ok(fields.length >= 12)
    for (const field of fields) assert.ok(field in (item ?? {}), field)
    assert.match(String(item?.customerId), /^[0-9]{18}$/)
    assert.equal(item?.percentAllocation, '60.50')
  })

  test('has the fields of shape 1 and no others', () => {
    assert.deepEqual(Object.keys(shape1).sort(), [
      'accountNumber',
      'associatedParties',
      'beneficiaries',
      'electronicDelivery',
      'entityNumber',
      'financialProfile',
      'mailingAddress',
      'main',
      'primaryOwner',
      'registrationType',
    ])
  })

  test('returns names, texts, codes and flags as they were submitted, in the form of responses', () => {
    const owner = at(shape2, 'primaryOwner')
    assert.deepEqual([owner.name1, owner.name2, owner.name3, owner.name4], ['NOOR', 'LEE', 'HADDAD', 'JR'])
    assert.equal(owner.email, 'Noor@example.com')
    assert.equal(owner.jobTitle, 'HEAD NURSE')
    assert.equal(owner.occupation, 'MedicalOrDental')
    assert.equal(owner.sourceOfFunds, 'Employment, Gift')
    assert.equal(owner.taxIdNumber, application.primaryOwner.taxIdNumber)
    assert.deepEqual(owner.caisCustomerType, ['Advisor', 'Employee'])
    assert.equal(at(owner, 'affiliation').political, 'False')
    assert.equal(at(owner, 'governmentIdentification.governmentId1').idNumber, 'D5512345')
    const owner1 = at(shape1, 'primaryOwner')
    assert.deepEqual(owner1.sourceOfFunds, ['Employment', 'Gift'])
    assert.deepEqual(owner1.caisInformation, {
      customerType: ['Advisor', 'Employee'],
      accountType: ['Institution'],
      role: 'Auth',
    })
    assert.deepEqual(at(shape2, 'main'), {
      repCode: 'JC02',
      proxyDisclosure: 'Y',
      marginIndicator: 'true',
      optionTradingLevel: '2',
      optionTradingIndicator: 'true',
      sweepIndicator: 'true',
      catAccountIdentifier: 'CAT-77',
    })
    assert.deepEqual(at(shape2, 'electronicDelivery'), {
      email: 'Noor.Haddad@example.com',
      statements: 'True',
      confirms: 'False',
      serviceCommunications: 'True',
      investorCommunications: 'False',
      prospectus: 'True',
      taxDocuments: 'True',
    })
    assert.equal(shape2.accountName, 'N HADDAD & S HADDAD JTWROS')
    assert.equal(shape2.subNumber, '301')
    assert.equal(shape2.mailingAddressString, '12 HARBOR STREET JERSEY CITY NJ UNITED STATES 07302')
    assert.deepEqual(shape2.largeTraders, [
      {
        largeTraderId: '12345678-0001',
        effectiveDate: '2024-02-01',
        endDate: '2026-02-01',
        endReason: 'MOVED',
      },
    ])
    const [party] = shape2.associatedParties as Json[]
    assert.equal(party?.role, 'Secondary')
    assert.equal(party?.tradingAuthority, 'Full')
  })

  test('is the same in both shapes except for the names of its fields', () => {
    for (const block of [
      'main',
      'electronicDelivery',
      'mailingAddress',
      'financialProfile',
      'registrationType',
    ]) {
      assert.deepEqual(shape1[block], shape2[block], block)
    }
    const { sourceOfFunds: _1, ...common1 } = at(shape1, 'primaryOwner')
    const owner2 = at(shape2, 'primaryOwner')
    for (const [field, value] of Object.entries(common1)) {
      if (!onlyShape1.includes(field)) assert.deepEqual(owner2[field], value, field)
    }
  })
})

test('an empty entity number asks for neither shape, and null counts as absent', async () => {
  const { rejections } = await refusalOf(service.alpha.getAccount({ accountNumber, entityNumber: '' }))
  assert.deepEqual(
    rejections.map(({ code, field }) => [code, field]),
    [['ERR.1001', 'entityNumber']],
  )
  const { data } = await service.alpha.getAccount({ accountNumber, entityNumber: null as never })
  assert.deepEqual(data, shape2)
})

test('an address in two lines is returned in two lines, and in one line in mailingAddressString', async () => {
  const mailingAddress = { ...application.mailingAddress, street: '12 Harbor Street\nApt 4' }
  const number = await openAndFollow(service.alpha, applicationFor('Individual', { mailingAddress }))
  const record = await read(service.alpha, number)
  assert.equal(record.mailingAddress.street, '12 HARBOR STREET\nAPT 4')
  assert.doesNotMatch(record.mailingAddressString, /\n/)
})

test('foreign addresses have no state, and are written with the name of their country', async () => {
  const mailingAddress = {
    street: '5 Rue Haute',
    city: 'Lyon',
    stateProvince: '',
    country: 'fr',
    postalCode: '69001',
  }
  const foreign = applicationFor('IndividualJointForeign', { mailingAddress })
  const withRegion = { ...foreign.primaryOwner, phoneRegionCell: '33', phoneNumberCell: '612345678' }
  const number = await openAndFollow(service.alpha, { ...foreign, primaryOwner: withRegion } as Application)
  const record = await read(service.alpha, number)
  assert.equal(record.mailingAddressString, '5 RUE HAUTE LYON FRANCE 69001')
  assert.equal(record.mailingAddress.country, 'FR')
  assert.equal(record.accountStatus, 'Open')
})
