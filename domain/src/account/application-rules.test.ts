/** The rules of an application at their boundaries, a row a case: what is accepted, and what is refused at which field. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { change, individual, joint, submit, today } from './testing/applications.ts'

type Row = readonly [what: string, changes: Record<string, unknown>, codes: readonly string[]]

/** Each row is a change of an application that is right, and every error that it brings. */
function table(about: string, base: unknown, rows: readonly Row[]): void {
  describe(about, () => {
    for (const [what, changes, codes] of rows) {
      test(`${what}: ${codes.length === 0 ? 'accepted' : codes.join(', ')}`, () => {
        assert.deepEqual(submit(change(base, changes)).codes, codes)
      })
    }
  })
}

function owner(changes: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [`primaryOwner.${name}`, value]))
}

table('the birth date of an owner', individual, [
  ['born today, no adult', owner({ birthDate: today }), ['ERR.1012 primaryOwner.birthDate']],
  ['born tomorrow', owner({ birthDate: '2026-11-21' }), ['ERR.1012 primaryOwner.birthDate']],
  ['18 tomorrow', owner({ birthDate: '2008-11-21' }), ['ERR.1012 primaryOwner.birthDate']],
  ['18 today', owner({ birthDate: '2008-11-20' }), []],
  ['18 since yesterday', owner({ birthDate: '2008-11-19' }), []],
  ['the last day of 1899', owner({ birthDate: '1899-12-31' }), ['ERR.1012 primaryOwner.birthDate']],
])

function id(changes: Record<string, unknown>) {
  return owner({
    governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'X123', ...changes } },
  })
}
const idField = 'primaryOwner.governmentIdentification.governmentId1'

table('an identification', individual, [
  ['expired yesterday', id({ idExpiration: '2026-11-19' }), [`ERR.1024 ${idField}.idExpiration`]],
  ['expires today', id({ idExpiration: today }), []],
  ['expires tomorrow', id({ idExpiration: '2026-11-21' }), []],
  ['issued yesterday', id({ idIssueDate: '2026-11-19' }), []],
  ['issued today', id({ idIssueDate: today }), []],
  ['issued tomorrow', id({ idIssueDate: '2026-11-21' }), [`ERR.1024 ${idField}.idIssueDate`]],
  [
    'expires the day before it was issued',
    id({ idIssueDate: '2026-11-21', idExpiration: '2026-11-20' }),
    [`ERR.1024 ${idField}.idIssueDate`, `ERR.1025 ${idField}.idExpiration`],
  ],
  [
    'expires the day it was issued',
    id({ idIssueDate: today, idExpiration: today }),
    [`ERR.1025 ${idField}.idExpiration`],
  ],
  ['expires the day after it was issued', id({ idIssueDate: '2026-11-20', idExpiration: '2026-11-21' }), []],
  ['without a type', id({ idType: undefined }), [`ERR.1000 ${idField}.idType`]],
  ['without a number', id({ idNumber: undefined }), [`ERR.1000 ${idField}.idNumber`]],
  ['a number that is masked', id({ idNumber: '****3' }), [`ERR.1016 ${idField}.idNumber`]],
  ['issued in a state', id({ idLocation: 'NJ' }), []],
  ['issued in a province of Canada', id({ idLocation: 'ON' }), []],
  ['issued in a country', id({ idLocation: 'FR' }), []],
  ['issued nowhere', id({ idLocation: 'ZZ' }), [`ERR.1015 ${idField}.idLocation`]],
  [
    'a second one without a number',
    owner({ governmentIdentification: { governmentId2: { idType: 'DriversLicense' } } }),
    ['ERR.1000 primaryOwner.governmentIdentification.governmentId2.idNumber'],
  ],
])

table('a citizen of another country', individual, [
  ['without identification', owner({ citizenshipCountry: 'FR' }), [`ERR.1000 ${idField}`]],
  ['with a passport', { ...owner({ citizenshipCountry: 'FR' }), ...id({ idLocation: 'FR' }) }, []],
  [
    'with a national id',
    { ...owner({ citizenshipCountry: 'FR' }), ...id({ idType: 'NationalId', idLocation: 'FR' }) },
    [],
  ],
  [
    'with a driving licence alone',
    { ...owner({ citizenshipCountry: 'FR' }), ...id({ idType: 'DriversLicense' }) },
    [`ERR.1015 ${idField}.idType`],
  ],
])
table('a citizen of the United States', individual, [
  ['needs no identification', {}, []],
  ['may give a driving licence', id({ idType: 'DriversLicense' }), []],
])

table('phones', individual, [
  [
    'none',
    owner({ phoneRegionCell: undefined, phoneNumberCell: undefined }),
    ['ERR.1017 primaryOwner.phoneNumberCell'],
  ],
  ['one that cannot be read', owner({ phoneNumberCell: '12' }), ['ERR.1011 primaryOwner.phoneNumberCell']],
  [
    'a home phone alone',
    owner({
      phoneRegionCell: undefined,
      phoneNumberCell: undefined,
      phoneRegionHome: '1',
      phoneNumberHome: '2015550123',
    }),
    [],
  ],
  [
    'a business phone alone',
    owner({
      phoneRegionCell: undefined,
      phoneNumberCell: undefined,
      phoneRegionBusiness: '1',
      phoneNumberBusiness: '2015550123',
    }),
    [],
  ],
  ['a region without its number', owner({ phoneRegionHome: '1' }), ['ERR.1011 primaryOwner.phoneNumberHome']],
  [
    'a region whose number cannot be read',
    owner({ phoneRegionHome: '1', phoneNumberHome: '12' }),
    ['ERR.1011 primaryOwner.phoneNumberHome'],
  ],
  [
    'a number abroad without its region',
    {
      ...owner({
        phoneRegionCell: undefined,
        phoneNumberCell: '3312345678',
        legalAddress: { street: '1 Rue du Port', city: 'Lyon', country: 'FR', postalCode: '69001' },
      }),
    },
    ['ERR.1013 primaryOwner.phoneRegionCell'],
  ],
  [
    'a home number abroad, whose region is that of the address',
    {
      ...owner({
        phoneRegionHome: undefined,
        phoneNumberHome: '3312345678',
        legalAddress: { street: '1 Rue du Port', city: 'Lyon', country: 'FR', postalCode: '69001' },
      }),
    },
    [],
  ],
])

table('names', individual, [
  ['no first name', owner({ firstName: undefined }), ['ERR.1000 primaryOwner.firstName']],
  [
    'a first name that cannot be read, reported once',
    owner({ firstName: '8' }),
    ['ERR.1016 primaryOwner.firstName'],
  ],
  ['no last name', owner({ lastName: undefined }), ['ERR.1000 primaryOwner.lastName']],
  [
    'the name that makes stages slow, outside the sandbox',
    owner({ middleName: 'SLOW30' }),
    ['ERR.1016 primaryOwner.middleName'],
  ],
])

table('a tax id', individual, [
  ['no type', owner({ taxIdType: undefined }), ['ERR.1000 primaryOwner.taxIdType']],
  ['no number', owner({ taxIdNumber: undefined }), ['ERR.1000 primaryOwner.taxIdNumber']],
  [
    'neither',
    owner({ taxIdType: undefined, taxIdNumber: undefined }),
    ['ERR.1000 primaryOwner.taxIdType', 'ERR.1000 primaryOwner.taxIdNumber'],
  ],
  ['area 001', owner({ taxIdNumber: '001129998' }), []],
  ['area 000', owner({ taxIdNumber: '000129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['area 665', owner({ taxIdNumber: '665129998' }), []],
  ['area 666', owner({ taxIdNumber: '666129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['area 667', owner({ taxIdNumber: '667129998' }), []],
  ['area 899', owner({ taxIdNumber: '899129998' }), []],
  ['area 900', owner({ taxIdNumber: '900129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['group 00', owner({ taxIdNumber: '219009998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['group 01', owner({ taxIdNumber: '219019998' }), []],
  ['serial 0000', owner({ taxIdNumber: '219120000' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['serial 0001', owner({ taxIdNumber: '219120001' }), []],
  ['nine times the same digit', owner({ taxIdNumber: '222222222' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['eight times the same digit', owner({ taxIdNumber: '222222223' }), []],
])

const french = { street: '1 Rue du Port', city: 'Lyon', country: 'FR', postalCode: '69001' }
const nowhere = { ...french, street: undefined }
table('addresses of an owner', individual, [
  ['no legal address', owner({ legalAddress: undefined }), ['ERR.1000 primaryOwner.legalAddress']],
  ['an empty one, which is the mailing address', owner({ legalAddress: {} }), []],
  [
    'a legal address without a street',
    owner({ legalAddress: nowhere }),
    ['ERR.1000 primaryOwner.legalAddress.street'],
  ],
  [
    'an employer without a street',
    owner({ employerAddress: nowhere }),
    ['ERR.1000 primaryOwner.employerAddress.street'],
  ],
  ['an employer with an empty address', owner({ employerAddress: {} }), []],
  [
    'a trusted contact without a street',
    owner({ trustedContact: { name: 'Luis Moreno', address: nowhere } }),
    ['ERR.1000 primaryOwner.trustedContact.address.street'],
  ],
  [
    'an affiliation without a street',
    owner({ affiliation: { address: nowhere } }),
    ['ERR.1000 primaryOwner.affiliation.address.street'],
  ],
])

table('a trusted contact', individual, [
  [
    'without a name',
    owner({ trustedContact: { email: 'luis@example.com' } }),
    ['ERR.1000 primaryOwner.trustedContact.name'],
  ],
  ['that is empty', owner({ trustedContact: {} }), []],
])

const affiliation = 'primaryOwner.affiliation'
table('an affiliation', individual, [
  [
    'with an industry, its members required',
    owner({ affiliation: { industry: { associated: true } } }),
    [`ERR.1000 ${affiliation}.industry.firmClearing`, `ERR.1000 ${affiliation}.industry.companyName`],
  ],
  [
    'with a public company',
    owner({ affiliation: { publicCompany: { associated: true } } }),
    [`ERR.1000 ${affiliation}.publicCompany.name`, `ERR.1000 ${affiliation}.publicCompany.symbol`],
  ],
  [
    'with a service',
    owner({ affiliation: { service: { associated: true } } }),
    [
      `ERR.1000 ${affiliation}.service.name`,
      `ERR.1000 ${affiliation}.service.position`,
      `ERR.1000 ${affiliation}.service.relationship`,
      `ERR.1000 ${affiliation}.service.affiliatedEntity`,
    ],
  ],
  [
    'with politics',
    owner({ affiliation: { political: { associated: true } } }),
    [
      `ERR.1000 ${affiliation}.political.name`,
      `ERR.1000 ${affiliation}.political.organization`,
      `ERR.1000 ${affiliation}.political.relationship`,
    ],
  ],
  [
    'with politics, named in one',
    owner({
      affiliation: {
        political: { associated: true, name: 'Ana Sol', organization: 'House', relationship: 'Parent' },
      },
    }),
    [],
  ],
  [
    'with politics, named in parts',
    owner({
      affiliation: {
        political: {
          associated: true,
          firstName: 'Ana',
          lastName: 'Sol',
          organization: 'House',
          relationship: 'Parent',
        },
      },
    }),
    [],
  ],
  [
    'with politics and half a name',
    owner({
      affiliation: {
        political: { associated: true, lastName: 'Sol', organization: 'House', relationship: 'Parent' },
      },
    }),
    [`ERR.1000 ${affiliation}.political.name`],
  ],
  [
    'with politics and the other half',
    owner({
      affiliation: {
        political: { associated: true, firstName: 'Ana', organization: 'House', relationship: 'Parent' },
      },
    }),
    [`ERR.1000 ${affiliation}.political.name`],
  ],
  [
    'not associated, nothing required',
    owner({
      affiliation: {
        industry: { associated: false },
        publicCompany: { associated: false },
        political: { associated: false },
        service: { associated: false },
      },
    }),
    [],
  ],
])

const delivery = { email: undefined, statements: 'false', confirms: 'false' }
table('electronic delivery', individual, [
  [
    'asked for without an e-mail address anywhere',
    { ...owner({ email: undefined }), electronicDelivery: { ...delivery, confirms: 'true' } },
    ['ERR.1000 electronicDelivery.email'],
  ],
  ['asked for, with the address of the owner', { electronicDelivery: { ...delivery, confirms: 'true' } }, []],
  [
    'asked for, with an address of its own',
    { ...owner({ email: undefined }), electronicDelivery: { email: 'a@example.com', confirms: 'true' } },
    [],
  ],
  ['not asked for, without an address', { ...owner({ email: undefined }), electronicDelivery: delivery }, []],
  ['that cannot be read, reported once', { electronicDelivery: 'all' }, ['ERR.2002 electronicDelivery']],
  [
    'a member that cannot be read',
    { electronicDelivery: { confirms: 'perhaps' } },
    ['ERR.1015 electronicDelivery.confirms'],
  ],
  ['absent from shape 1', { electronicDelivery: undefined }, ['ERR.1000 electronicDelivery']],
  ['empty in shape 1', { electronicDelivery: {} }, ['ERR.1000 electronicDelivery']],
  [
    'absent from shape 1 beside another block that cannot be read',
    { electronicDelivery: undefined, financialProfile: 'none' },
    ['ERR.2002 financialProfile', 'ERR.1000 electronicDelivery'],
  ],
  ['empty in shape 2', { accountNumber: '12345678', electronicDelivery: {} }, []],
])

function trader(changes: Record<string, unknown>) {
  return {
    largeTraders: [{ largeTraderId: '12345678-0000', effectiveDate: '2026-01-05', ...changes }],
  }
}
const bad = ['ERR.1016 largeTraders[0].largeTraderId']
table('a large trader', individual, [
  ['by number', trader({}), []],
  ['by the form of those unidentified', trader({ largeTraderId: 'ULT0000001' }), []],
  ['without an id', trader({ largeTraderId: undefined }), ['ERR.1000 largeTraders[0].largeTraderId']],
  [
    'that is null, beside other errors',
    { largeTraders: [null], electronicDelivery: {} },
    ['ERR.2002 largeTraders[0]', 'ERR.1000 electronicDelivery'],
  ],
  ['one digit less', trader({ largeTraderId: '1234567-0000' }), bad],
  ['one digit more', trader({ largeTraderId: '123456789-0000' }), bad],
  ['a suffix of three', trader({ largeTraderId: '12345678-000' }), bad],
  ['a suffix of five', trader({ largeTraderId: '12345678-00000' }), bad],
  ['something before the unidentified form', trader({ largeTraderId: 'XULT1' }), bad],
  [
    'that ends the day before it began',
    trader({ endDate: '2026-01-04' }),
    ['ERR.1025 largeTraders[0].endDate'],
  ],
  ['that ends the day it began', trader({ endDate: '2026-01-05' }), []],
  ['that ends the day after', trader({ endDate: '2026-01-06' }), []],
])

function heirs(...items: Record<string, unknown>[]) {
  return {
    beneficiaries: items.map((item, index) => ({ name: `Heir ${'ABCDE'[index]}`, ...item })),
  }
}
table('beneficiaries', individual, [
  ['two of a half', heirs({ percentageAllocation: '50' }, { percentageAllocation: '50' }), []],
  [
    'a cent of a percent less',
    heirs({ percentageAllocation: '50' }, { percentageAllocation: '49.99' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'a cent of a percent more',
    heirs({ percentageAllocation: '50' }, { percentageAllocation: '50.01' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'of nothing',
    heirs({ percentageAllocation: '100' }, { percentageAllocation: '0' }),
    ['ERR.1015 beneficiaries[1].percentageAllocation'],
  ],
  ['of the least part', heirs({ percentageAllocation: '99.99' }, { percentageAllocation: '0.01' }), []],
  [
    'without a part',
    heirs({ percentageAllocation: '100' }, {}),
    ['ERR.1000 beneficiaries[1].percentageAllocation'],
  ],
  [
    'contingent alone',
    heirs({ percentageAllocation: '100', primaryContingent: 'Contingent' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'contingent ones of 99 beside a primary one',
    heirs(
      { percentageAllocation: '100' },
      { percentageAllocation: '50', primaryContingent: 'Contingent' },
      { percentageAllocation: '49', primaryContingent: 'Contingent' },
    ),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'born tomorrow',
    heirs({ percentageAllocation: '100', birthDate: '2026-11-21' }),
    ['ERR.1012 beneficiaries[0].birthDate'],
  ],
  ['born today', heirs({ percentageAllocation: '100', birthDate: today }), []],
  [
    'whose address has no city',
    heirs({ percentageAllocation: '100', address: { street: '1 Rue du Port', country: 'FR' } }),
    ['ERR.1000 beneficiaries[0].address.city'],
  ],
  [
    'whose tax id cannot be one',
    heirs({ percentageAllocation: '100', taxIdType: 'SSN', taxIdNumber: '666129998' }),
    ['ERR.1016 beneficiaries[0].taxIdNumber'],
  ],
  [
    'whose tax id type is absent, and no SSN is asked of it',
    heirs({ percentageAllocation: '100', taxIdNumber: '666129998' }),
    [],
  ],
  [
    'who is the owner',
    heirs({ percentageAllocation: '100', taxIdNumber: '219099998' }),
    ['ERR.1014 beneficiaries[0].taxIdNumber'],
  ],
  [
    'given twice',
    heirs(
      { percentageAllocation: '50', taxIdNumber: '219099981' },
      { percentageAllocation: '50', taxIdNumber: '219099981' },
    ),
    ['ERR.1014 beneficiaries[1].taxIdNumber'],
  ],
  [
    'primary and contingent at once',
    heirs(
      { percentageAllocation: '100', taxIdNumber: '219099981' },
      { percentageAllocation: '100', taxIdNumber: '219099981', primaryContingent: 'Contingent' },
    ),
    [],
  ],
])

table('an account number', individual, [
  [
    'a beneficiary’s id that is not its customer id',
    {
      todBenes: [{ id: '123456789012345678', name1: 'Luis', name3: 'Moreno', percentAllocation: '100' }],
      beneficiaries: undefined,
    },
    ['ERR.1015 transferOfDeathBeneficiaries[0].id'],
  ],
])

function second(changes: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [`associatedParties.0.${name}`, value]),
  )
}
table('the second owner of a joint account', joint, [
  [
    'is asked as the first: no birth date',
    second({ birthDate: undefined }),
    ['ERR.1000 associatedParties[0].birthDate'],
  ],
  ['18 tomorrow', second({ birthDate: '2008-11-21' }), ['ERR.1012 associatedParties[0].birthDate']],
  ['18 today', second({ birthDate: '2008-11-20' }), []],
  [
    'a foreigner without identification',
    second({ citizenshipCountry: 'FR' }),
    ['ERR.1000 associatedParties[0].governmentIdentification.governmentId1'],
  ],
])
