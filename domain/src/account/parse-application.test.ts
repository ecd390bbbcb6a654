// The defaults of a new account for values that the application omits, and the submitted values that are kept.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { amendAccount } from './amend-account.ts'
import { completeBeneficiary, completeParty, parseApplication, withRole } from './application.ts'
import { approvalSubjectsOf } from './approval-subjects.ts'
import { rightAccount, today } from './testing/right-accounts.ts'

function parse(request: object) {
  return parseApplication(request as never, () => '9')
}

test('an application without preferences selects paper delivery, no margin, no options and no sweep', () => {
  const { record, accountNumber, electronicDeliveryGiven } = parse({})
  assert.deepEqual(record, {
    registrationType: '',
    entityNumber: '',
    main: {
      proxyDisclosure: 'L',
      marginIndicator: 'false',
      optionTradingIndicator: 'false',
      sweepIndicator: 'false',
    },
    electronicDelivery: {
      statements: 'False',
      confirms: 'False',
      serviceCommunications: 'False',
      investorCommunications: 'False',
      prospectus: 'False',
      taxDocuments: 'False',
    },
    mailingAddress: {},
    primaryOwner: { nameType: 'Individual', customerId: '9' },
    associatedParties: [],
    financialProfile: {},
    beneficiaries: [],
    largeTraders: [],
  })
  assert.deepEqual([accountNumber, electronicDeliveryGiven], [undefined, false])
  assert.equal(parse({ accountNumber: '' }).accountNumber, undefined)
  assert.equal(parse({ accountNumber: '30100001' }).accountNumber, '30100001')
})

describe('the option indicator', () => {
  for (const [level, indicator, expected] of [
    [undefined, undefined, 'false'],
    ['', undefined, 'false'],
    ['0', undefined, 'false'],
    ['1', undefined, 'true'],
    ['1', 'false', 'false'],
    ['0', 'true', 'true'],
  ] as const) {
    test(`is ${expected} for level ${level ?? 'none'} and indicator ${indicator ?? 'none'}`, () => {
      const { main } = parse({
        main: { optionTradingLevel: level, optionTradingIndicator: indicator },
      }).record
      assert.equal(main.optionTradingIndicator, expected)
    })
  }
})

describe('the id of a beneficiary', () => {
  for (const [what, given, ...codes] of [
    ['that equals its customer id', { id: '1', customerId: '1' }],
    ['that differs from its customer id', { id: '1', customerId: '2' }, 'ERR.1015 retirementBenes[0].id'],
    ['without a customer id', { id: '1' }, 'ERR.1015 retirementBenes[0].id'],
    ['that is absent', { customerId: '2' }],
  ] as const) {
    test(`${what} ${codes.length === 0 ? 'is accepted' : 'is rejected'}`, () => {
      const { rejections } = parse({ retirementBenes: [{ ...given, name1: 'LUIS' }] })
      assert.deepEqual(
        rejections.map(({ code, field }) => `${code} ${field}`),
        codes,
      )
    })
  }
})

test('a party without a role has the default role of the registration', () => {
  const roleOf = (registrationType: string) =>
    withRole({}, { registrationType, associatedParties: [{}] }).role
  assert.equal(roleOf('JointTIC'), 'Secondary')
  assert.equal(roleOf('CustodialUtma'), 'Custodian')
  assert.equal(roleOf('Individual'), undefined)
  assert.equal(roleOf('Tontine'), undefined)
})

describe('the region of a phone number', () => {
  const numbers = {
    phoneNumberCell: '2015550111',
    phoneNumberHome: '2015550112',
    phoneNumberBusiness: '2015550113',
    employerPhoneNumber: '2015550114',
  }
  const names = [
    'phoneRegionCell',
    'phoneRegionHome',
    'phoneRegionBusiness',
    'employerPhoneRegionCode',
  ] as const
  const regionsOf = (legal: string | undefined, mail: string | undefined, given: object = numbers) => {
    const party = { ...given, ...(legal ? { legalAddress: { country: legal } } : {}) }
    const completed = completeParty(party, mail ? { country: mail } : {}, () => '9')
    return names.map((name) => completed[name])
  }
  for (const [what, legal, mail, regions] of [
    ['of an owner in the United States', 'US', undefined, ['1', '1', '1', '1']],
    ['of an owner in Canada', 'CA', 'US', ['1', '1', '1', '1']],
    ['of an owner with only a mailing address in the United States', undefined, 'US', ['1', '1', '1', '1']],
    ['of an owner in Germany', 'DE', 'US', [undefined, '49', '49', undefined]],
    ['of an owner without a country', undefined, undefined, [undefined, undefined, undefined, undefined]],
    ['of an owner in an unknown country', 'QQ', 'US', [undefined, undefined, undefined, undefined]],
  ] as const) {
    test(`${what} is ${regions[1] ?? 'absent'}`, () => assert.deepEqual(regionsOf(legal, mail), regions))
  }

  test('that was sent stays, and no region is added without a number', () => {
    const given = { phoneNumberCell: '2015550111', phoneRegionCell: '44' }
    assert.deepEqual(regionsOf('US', undefined, given), ['44', undefined, undefined, undefined])
  })

  test('of a trusted contact comes from the address of the contact, otherwise of the owner', () => {
    const regionOf = (contact: object, country = 'US') => {
      const party = { legalAddress: { country }, trustedContact: contact }
      return completeParty(party, {}, () => '9').trustedContact?.phoneRegionCode
    }
    const phoneNumber = '2015550111'
    assert.equal(regionOf({ phoneNumber }), '1')
    assert.equal(regionOf({ phoneNumber, address: { country: 'DE' } }), undefined)
    assert.equal(regionOf({ phoneNumber, address: { country: 'CA' } }, 'DE'), '1')
    assert.equal(regionOf({ phoneNumber, phoneRegionCode: '44' }), '44')
    assert.equal(regionOf({ email: 'a@example.com' }), undefined)
  })
})

test('a beneficiary is by default a primary person, and its share has two decimals', () => {
  const complete = (given: object) => completeBeneficiary(given, () => '9')
  const usual = { nameType: 'Individual', primaryContingent: 'Primary', customerId: '9' }
  for (const [given, kept] of [
    ['50', '50.00'],
    ['33.3', '33.30'],
    ['100.00', '100.00'],
    ['33.333', '33.333'],
    ['1000', '1000'],
    ['half', 'half'],
  ] as const)
    assert.deepEqual(complete({ percentageAllocation: given }), { ...usual, percentageAllocation: kept })
  assert.deepEqual(complete({}), usual)
  assert.deepEqual(complete({ nameType: 'Entity', primaryContingent: 'Contingent', customerId: '3' }), {
    nameType: 'Entity',
    primaryContingent: 'Contingent',
    customerId: '3',
  })
})

describe('an update', () => {
  const right = rightAccount('Individual')
  const luis = { customerId: '3', firstName: 'LUIS', percentageAllocation: '100.00' }
  const codesOf = (request: object, record: typeof right = right) => {
    const composed = { accountStatus: 'Open', accountName: 'NOOR HADDAD', mailingAddressString: 'X' }
    const settings = {
      today,
      magicTaxIds: new Set<string>(),
      refusedPaths: new Set<string>(),
      nextCustomerId: () => '9',
    }
    const outcome = amendAccount(record, composed, request as never, settings)
    return 'rejections' in outcome ? outcome.rejections.map(({ code, field }) => `${code} ${field}`) : []
  }
  const pay = { ...right, beneficiaries: [luis] }
  const ira = { ...rightAccount('IraRoth'), beneficiaries: [luis] }
  const rows: readonly [what: string, request: object, record: typeof right, ...codes: string[]][] = [
    [
      'of the option level is rejected',
      { main: { optionTradingLevel: '2' } },
      right,
      'ERR.1021 main.optionTradingLevel',
    ],
    [
      'that contains one property with two values is rejected',
      { primaryOwner: { employerName: 'A', employer: { employerName: 'B' } } },
      right,
      'ERR.1014 primaryOwner.employerName',
    ],
    [
      'that deletes the trusted contact is rejected',
      { trustedContact: null },
      right,
      'ERR.1020 trustedContact',
    ],
    [
      'that deletes an absent trusted contact is accepted',
      { trustedContact: null },
      { ...right, primaryOwner: { ...right.primaryOwner, trustedContact: {} } },
    ],
    ['that deletes the owner is rejected', { primaryOwner: null }, right, 'ERR.1020 primaryOwner'],
    [
      'that empties the beneficiaries is rejected',
      { transferOfDeathBeneficiaries: [] },
      pay,
      'ERR.1020 transferOfDeathBeneficiaries',
    ],
    [
      'that empties the beneficiaries of shape 1 is rejected',
      { beneficiaries: [] },
      pay,
      'ERR.1020 beneficiaries',
    ],
    ['that empties the list of an IRA in another account is accepted', { retirementBenes: [] }, pay],
    ['that empties the list of an IRA is rejected', { retirementBenes: [] }, ira, 'ERR.1020 retirementBenes'],
    ['that empties the other list of an IRA is accepted', { transferOfDeathBeneficiaries: [] }, ira],
    ['that empties an empty list is accepted', { associatedParties: [], largeTraders: [] }, right],
  ]
  for (const [what, request, record, ...codes] of rows) {
    test(what, () => assert.deepEqual(codesOf(request, record), codes))
  }
})

test('a change in any of the three lists of beneficiaries has the subject Beneficiaries, and a change of similar fields has not', () => {
  const subjectsOf = (field: string) => approvalSubjectsOf([{ field, from: undefined, to: 'A' }])
  for (const list of ['beneficiaries', 'retirementBenes', 'transferOfDeathBeneficiaries']) {
    for (const field of [list, `${list}[3]`, `${list}[3].firstName`])
      assert.deepEqual(subjectsOf(field), ['Beneficiaries'])
    assert.deepEqual(subjectsOf(`primaryOwner.${list}`), [])
  }
})
