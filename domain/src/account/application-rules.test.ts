/**
 * The rules of an application at their boundaries, one row per case: whether it is accepted, or the fields at which
 * it is rejected.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { change, individual, joint, submit, today } from './testing/applications.ts'

type Row = readonly [what: string, changes: Record<string, unknown>, codes: readonly string[]]

/** Each row is a change of a valid application and all errors that it causes. */
function table(about: string, base: unknown, rows: readonly Row[]): void {
  describe(about, () => {
    for (const [what, changes, codes] of rows) {
      test(`${what} ${codes.length === 0 ? 'is accepted' : `is rejected with ${codes.join(', ')}`}`, () => {
        assert.deepEqual(submit(change(base, changes)).codes, codes)
      })
    }
  })
}

function owner(changes: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [`primaryOwner.${name}`, value]))
}

table('the birth date of an owner', individual, [
  ['of today', owner({ birthDate: today }), ['ERR.1012 primaryOwner.birthDate']],
  ['of tomorrow', owner({ birthDate: '2026-11-21' }), ['ERR.1012 primaryOwner.birthDate']],
  ['of an 18th birthday tomorrow', owner({ birthDate: '2008-11-21' }), ['ERR.1012 primaryOwner.birthDate']],
  ['of an 18th birthday today', owner({ birthDate: '2008-11-20' }), []],
  ['of an 18th birthday yesterday', owner({ birthDate: '2008-11-19' }), []],
  ['on the last day of 1899', owner({ birthDate: '1899-12-31' }), ['ERR.1012 primaryOwner.birthDate']],
])

function id(changes: Record<string, unknown>) {
  return owner({
    governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'X123', ...changes } },
  })
}
const idField = 'primaryOwner.governmentIdentification.governmentId1'

table('an identification', individual, [
  ['that expired yesterday', id({ idExpiration: '2026-11-19' }), [`ERR.1024 ${idField}.idExpiration`]],
  ['that expires today', id({ idExpiration: today }), []],
  ['that expires tomorrow', id({ idExpiration: '2026-11-21' }), []],
  ['issued yesterday', id({ idIssueDate: '2026-11-19' }), []],
  ['issued today', id({ idIssueDate: today }), []],
  ['issued tomorrow', id({ idIssueDate: '2026-11-21' }), [`ERR.1024 ${idField}.idIssueDate`]],
  [
    'that expires the day before its issue date',
    id({ idIssueDate: '2026-11-21', idExpiration: '2026-11-20' }),
    [`ERR.1024 ${idField}.idIssueDate`, `ERR.1025 ${idField}.idExpiration`],
  ],
  [
    'that expires on its issue date',
    id({ idIssueDate: today, idExpiration: today }),
    [`ERR.1025 ${idField}.idExpiration`],
  ],
  [
    'that expires the day after its issue date',
    id({ idIssueDate: '2026-11-20', idExpiration: '2026-11-21' }),
    [],
  ],
  ['without a type', id({ idType: undefined }), [`ERR.1000 ${idField}.idType`]],
  ['without a number', id({ idNumber: undefined }), [`ERR.1000 ${idField}.idNumber`]],
  ['with a masked number', id({ idNumber: '****3' }), [`ERR.1016 ${idField}.idNumber`]],
  ['issued in a state', id({ idLocation: 'NJ' }), []],
  ['issued in a province of Canada', id({ idLocation: 'ON' }), []],
  ['issued in a country', id({ idLocation: 'FR' }), []],
  ['issued in an unknown place', id({ idLocation: 'ZZ' }), [`ERR.1015 ${idField}.idLocation`]],
  [
    'without a number, as the second one',
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
    'with only a driver license',
    { ...owner({ citizenshipCountry: 'FR' }), ...id({ idType: 'DriversLicense' }) },
    [`ERR.1015 ${idField}.idType`],
  ],
])
table('a citizen of the United States', individual, [
  ['without an identification', {}, []],
  ['with a driver license', id({ idType: 'DriversLicense' }), []],
])

table('the phones of an owner:', individual, [
  [
    'no phone',
    owner({ phoneRegionCell: undefined, phoneNumberCell: undefined }),
    ['ERR.1017 primaryOwner.phoneNumberCell'],
  ],
  ['an unreadable number', owner({ phoneNumberCell: '12' }), ['ERR.1011 primaryOwner.phoneNumberCell']],
  [
    'only a home phone',
    owner({
      phoneRegionCell: undefined,
      phoneNumberCell: undefined,
      phoneRegionHome: '1',
      phoneNumberHome: '2015550123',
    }),
    [],
  ],
  [
    'only a business phone',
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
    'a region with an unreadable number',
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
    'a home number abroad with the region of the address',
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

table('the names of an owner:', individual, [
  ['no first name', owner({ firstName: undefined }), ['ERR.1000 primaryOwner.firstName']],
  [
    'an unreadable first name, reported once,',
    owner({ firstName: '8' }),
    ['ERR.1016 primaryOwner.firstName'],
  ],
  ['no last name', owner({ lastName: undefined }), ['ERR.1000 primaryOwner.lastName']],
  [
    'the last name that delays stages in the sandbox, outside the sandbox,',
    owner({ middleName: 'SLOW30' }),
    ['ERR.1016 primaryOwner.middleName'],
  ],
])

table('a tax id', individual, [
  ['without a type', owner({ taxIdType: undefined }), ['ERR.1000 primaryOwner.taxIdType']],
  ['without a number', owner({ taxIdNumber: undefined }), ['ERR.1000 primaryOwner.taxIdNumber']],
  [
    'without type and number',
    owner({ taxIdType: undefined, taxIdNumber: undefined }),
    ['ERR.1000 primaryOwner.taxIdType', 'ERR.1000 primaryOwner.taxIdNumber'],
  ],
  ['with area 001', owner({ taxIdNumber: '001129998' }), []],
  ['with area 000', owner({ taxIdNumber: '000129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with area 665', owner({ taxIdNumber: '665129998' }), []],
  ['with area 666', owner({ taxIdNumber: '666129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with area 667', owner({ taxIdNumber: '667129998' }), []],
  ['with area 899', owner({ taxIdNumber: '899129998' }), []],
  ['with area 900', owner({ taxIdNumber: '900129998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with group 00', owner({ taxIdNumber: '219009998' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with group 01', owner({ taxIdNumber: '219019998' }), []],
  ['with serial 0000', owner({ taxIdNumber: '219120000' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with serial 0001', owner({ taxIdNumber: '219120001' }), []],
  ['with nine equal digits', owner({ taxIdNumber: '222222222' }), ['ERR.1016 primaryOwner.taxIdNumber']],
  ['with eight equal digits', owner({ taxIdNumber: '222222223' }), []],
])

const french = { street: '1 Rue du Port', city: 'Lyon', country: 'FR', postalCode: '69001' }
const nowhere = { ...french, street: undefined }
table('the addresses of an owner:', individual, [
  ['no legal address', owner({ legalAddress: undefined }), ['ERR.1000 primaryOwner.legalAddress']],
  ['an empty legal address, which means the mailing address,', owner({ legalAddress: {} }), []],
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
    'with an industry without its required members',
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
    'with politics and a name in one field',
    owner({
      affiliation: {
        political: { associated: true, name: 'Ana Sol', organization: 'House', relationship: 'Parent' },
      },
    }),
    [],
  ],
  [
    'with politics and a name in parts',
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
    'with politics and only a first name',
    owner({
      affiliation: {
        political: { associated: true, lastName: 'Sol', organization: 'House', relationship: 'Parent' },
      },
    }),
    [`ERR.1000 ${affiliation}.political.firstName`],
  ],
  [
    'with politics and a first name, an organization and a relationship',
    owner({
      affiliation: {
        political: { associated: true, firstName: 'Ana', organization: 'House', relationship: 'Parent' },
      },
    }),
    [`ERR.1000 ${affiliation}.political.lastName`],
  ],
  [
    'that says "not associated" without other members',
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
    'that is requested without any email address',
    { ...owner({ email: undefined }), electronicDelivery: { ...delivery, confirms: 'true' } },
    ['ERR.1000 electronicDelivery.email'],
  ],
  [
    'that is requested with the email address of the owner',
    { electronicDelivery: { ...delivery, confirms: 'true' } },
    [],
  ],
  [
    'that is requested with its own email address',
    { ...owner({ email: undefined }), electronicDelivery: { email: 'a@example.com', confirms: 'true' } },
    [],
  ],
  [
    'that is not requested, without an email address,',
    { ...owner({ email: undefined }), electronicDelivery: delivery },
    [],
  ],
  ['that is unreadable, reported once,', { electronicDelivery: 'all' }, ['ERR.2002 electronicDelivery']],
  [
    'with an unreadable member',
    { electronicDelivery: { confirms: 'perhaps' } },
    ['ERR.1015 electronicDelivery.confirms'],
  ],
  ['that is absent from shape 1', { electronicDelivery: undefined }, ['ERR.1000 electronicDelivery']],
  ['that is empty in shape 1', { electronicDelivery: {} }, ['ERR.1000 electronicDelivery']],
  [
    'that is absent from shape 1, with another block that is unreadable,',
    { electronicDelivery: undefined, financialProfile: 'none' },
    ['ERR.2002 financialProfile', 'ERR.1000 electronicDelivery'],
  ],
  ['that is empty in shape 2', { accountNumber: '12345678', electronicDelivery: {} }, []],
])

function trader(changes: Record<string, unknown>) {
  return {
    largeTraders: [{ largeTraderId: '12345678-0000', effectiveDate: '2026-01-05', ...changes }],
  }
}
const bad = ['ERR.1016 largeTraders[0].largeTraderId']
table('a large trader', individual, [
  ['with a number', trader({}), []],
  ['with the form of an unidentified trader', trader({ largeTraderId: 'ULT0000001' }), []],
  ['without an id', trader({ largeTraderId: undefined }), ['ERR.1000 largeTraders[0].largeTraderId']],
  [
    'that is null, with other errors,',
    { largeTraders: [null], electronicDelivery: {} },
    ['ERR.2002 largeTraders[0]', 'ERR.1000 electronicDelivery'],
  ],
  ['with one digit less', trader({ largeTraderId: '1234567-0000' }), bad],
  ['with one digit more', trader({ largeTraderId: '123456789-0000' }), bad],
  ['with a suffix of three digits', trader({ largeTraderId: '12345678-000' }), bad],
  ['with a suffix of five digits', trader({ largeTraderId: '12345678-00000' }), bad],
  ['with a letter before the form of an unidentified trader', trader({ largeTraderId: 'XULT1' }), bad],
  [
    'that ends the day before its effective date',
    trader({ endDate: '2026-01-04' }),
    ['ERR.1025 largeTraders[0].endDate'],
  ],
  ['that ends on its effective date', trader({ endDate: '2026-01-05' }), []],
  ['that ends the day after its effective date', trader({ endDate: '2026-01-06' }), []],
])

function heirs(...items: Record<string, unknown>[]) {
  return {
    beneficiaries: items.map((item, index) => ({ name: `Heir ${'ABCDE'[index]}`, ...item })),
  }
}
table('the beneficiaries of an account:', individual, [
  ['a list with two halves', heirs({ percentageAllocation: '50' }, { percentageAllocation: '50' }), []],
  [
    'a list with 99.99 percent',
    heirs({ percentageAllocation: '50' }, { percentageAllocation: '49.99' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'a list with 100.01 percent',
    heirs({ percentageAllocation: '50' }, { percentageAllocation: '50.01' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'a share of 0 percent',
    heirs({ percentageAllocation: '100' }, { percentageAllocation: '0' }),
    ['ERR.1015 beneficiaries[1].percentageAllocation'],
  ],
  ['a share of 0.01 percent', heirs({ percentageAllocation: '99.99' }, { percentageAllocation: '0.01' }), []],
  [
    'a beneficiary without a share',
    heirs({ percentageAllocation: '100' }, {}),
    ['ERR.1000 beneficiaries[1].percentageAllocation'],
  ],
  [
    'a list of contingent beneficiaries only',
    heirs({ percentageAllocation: '100', primaryContingent: 'Contingent' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'a list with 99 percent for contingent beneficiaries',
    heirs(
      { percentageAllocation: '100' },
      { percentageAllocation: '50', primaryContingent: 'Contingent' },
      { percentageAllocation: '49', primaryContingent: 'Contingent' },
    ),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'a beneficiary born tomorrow',
    heirs({ percentageAllocation: '100', birthDate: '2026-11-21' }),
    ['ERR.1012 beneficiaries[0].birthDate'],
  ],
  ['a beneficiary born today', heirs({ percentageAllocation: '100', birthDate: today }), []],
  [
    'a beneficiary whose address has no city',
    heirs({ percentageAllocation: '100', address: { street: '1 Rue du Port', country: 'FR' } }),
    ['ERR.1000 beneficiaries[0].address.city'],
  ],
  [
    'a beneficiary with an invalid SSN',
    heirs({ percentageAllocation: '100', taxIdType: 'SSN', taxIdNumber: '666129998' }),
    ['ERR.1016 beneficiaries[0].taxIdNumber'],
  ],
  [
    'a beneficiary with the same number and no tax id type',
    heirs({ percentageAllocation: '100', taxIdNumber: '666129998' }),
    [],
  ],
  [
    'a beneficiary with the tax id of the owner',
    heirs({ percentageAllocation: '100', taxIdNumber: '219099998' }),
    ['ERR.1014 beneficiaries[0].taxIdNumber'],
  ],
  [
    'a beneficiary who occurs twice',
    heirs(
      { percentageAllocation: '50', taxIdNumber: '219099981' },
      { percentageAllocation: '50', taxIdNumber: '219099981' },
    ),
    ['ERR.1014 beneficiaries[1].taxIdNumber'],
  ],
  [
    'a person as primary and as contingent beneficiary',
    heirs(
      { percentageAllocation: '100', taxIdNumber: '219099981' },
      { percentageAllocation: '100', taxIdNumber: '219099981', primaryContingent: 'Contingent' },
    ),
    [],
  ],
])

table('ids in an application:', individual, [
  [
    'an id of a beneficiary that is not its customer id',
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
  ['without a birth date', second({ birthDate: undefined }), ['ERR.1000 associatedParties[0].birthDate']],
  [
    'with an 18th birthday tomorrow',
    second({ birthDate: '2008-11-21' }),
    ['ERR.1012 associatedParties[0].birthDate'],
  ],
  ['with an 18th birthday today', second({ birthDate: '2008-11-20' }), []],
  [
    'who is foreign and has no identification',
    second({ citizenshipCountry: 'FR' }),
    ['ERR.1000 associatedParties[0].governmentIdentification.governmentId1'],
  ],
])
