import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Finding } from '../account/policy/finding.ts'
import { checkIdentity, type IdentityCase, type IdentityParty, judgeIdentity } from './identity-checks.ts'
import { type FollowUpRequest, judgeWatchlist } from './stage-outcome.ts'
import { isBoxOnly } from './street-address.ts'

const street = { street: '12 MAIN ST', city: 'BOSTON', stateProvince: 'MA', country: 'US' }
const boxed = { ...street, street: 'PO BOX 77' }
const owner: IdentityParty = {
  path: 'primaryOwner',
  citizenshipCountry: 'US',
  birthDate: '1980-05-05',
  legalAddress: {},
  taxIdNumber: '123456789',
}
const found: IdentityCase = {
  today: '2026-03-02',
  parties: [owner],
  mailingAddress: street,
  possibleDuplicates: 0,
  duplicatePolicy: 'Flag',
  policy: [],
}
const passport = { idType: 'Passport', idNumber: 'X1234567' }
function second(change: Partial<IdentityParty>): IdentityParty[] {
  return [owner, { ...owner, ...change, path: 'associatedParties[0]' }]
}

function foreigner(governmentId1: { idType: string; idNumber?: string }): IdentityParty {
  return { ...owner, citizenshipCountry: 'FR', governmentIdentification: { governmentId1 } }
}

/** what is so, the case, what the stage comes to: `asked code field`, `referred code`, `failed code`, `succeeded` */
const cases: [string, Partial<IdentityCase>, string][] = [
  ['nothing is wrong', {}, 'succeeded'],
  [
    'the mailing address is a box and is the legal one',
    { mailingAddress: boxed },
    'asked FieldCorrection primaryOwner.legalAddress',
  ],
  [
    'the mailing address is a box, the legal one is not',
    { mailingAddress: boxed, parties: [{ ...owner, legalAddress: street }] },
    'succeeded',
  ],
  [
    'the legal address is a box',
    { parties: [{ ...owner, legalAddress: boxed }] },
    'asked FieldCorrection primaryOwner.legalAddress',
  ],
  [
    'the legal address of another party is a box',
    { parties: second({ legalAddress: boxed }) },
    'asked FieldCorrection associatedParties[0].legalAddress',
  ],
  ['a person of 110 years', { parties: [{ ...owner, birthDate: '1915-03-03' }] }, 'succeeded'],
  [
    'a person of 111 years',
    { parties: [{ ...owner, birthDate: '1915-03-02' }] },
    'asked BirthDateDocument primaryOwner.birthDate',
  ],
  [
    'an entity founded long ago',
    { parties: second({ nameType: 'Entity', birthDate: '1901-01-01' }) },
    'succeeded',
  ],
  [
    'a foreign person without a document',
    { parties: [{ ...owner, citizenshipCountry: 'FR' }] },
    'asked ForeignIdentityDocument primaryOwner.governmentIdentification',
  ],
  [
    'a foreign person with a driver license only',
    {
      parties: [
        {
          ...owner,
          citizenshipCountry: 'FR',
          governmentIdentification: { governmentId1: { idType: 'DriversLicense', idNumber: 'D1' } },
        },
      ],
    },
    'asked ForeignIdentityDocument primaryOwner.governmentIdentification',
  ],
  [
    'a foreign person with a passport',
    {
      parties: [
        { ...owner, citizenshipCountry: 'FR', governmentIdentification: { governmentId2: passport } },
      ],
    },
    'succeeded',
  ],
  [
    'a foreign person with a national identity card',
    { parties: [foreigner({ idType: 'NationalId', idNumber: '12AB' })] },
    'succeeded',
  ],
  [
    'a foreign person with a passport whose number is missing',
    { parties: [foreigner({ idType: 'Passport' })] },
    'asked ForeignIdentityDocument primaryOwner.governmentIdentification',
  ],
  [
    'a foreign person with a passport whose number is empty',
    { parties: [foreigner({ idType: 'Passport', idNumber: '' })] },
    'asked ForeignIdentityDocument primaryOwner.governmentIdentification',
  ],
  ['a person without a citizenship', { parties: [{ path: 'primaryOwner' }] }, 'succeeded'],
  ['a foreign entity', { parties: second({ nameType: 'Entity', citizenshipCountry: 'FR' }) }, 'succeeded'],
  [
    'a tax id of one digit',
    { parties: [{ ...owner, taxIdNumber: '222222222' }] },
    'asked TaxIdDocument primaryOwner.taxIdNumber',
  ],
  [
    'a tax id of one digit but for the first',
    { parties: [{ ...owner, taxIdNumber: '122222222' }] },
    'succeeded',
  ],
  [
    'a tax id of one digit but for the last',
    { parties: [{ ...owner, taxIdNumber: '222222221' }] },
    'succeeded',
  ],
  [
    'a legal address that has empty texts only, beside a mailing address that is a box',
    { parties: [{ ...owner, legalAddress: { street: '', city: '' } }], mailingAddress: boxed },
    'asked FieldCorrection primaryOwner.legalAddress',
  ],
  [
    'an address in a sanctioned country',
    { parties: [{ ...owner, legalAddress: { street: 'CALLE 1', city: 'HAVANA', country: 'CU' } }] },
    'referred IdentityReview',
  ],
  [
    'an address in a sanctioned region',
    { mailingAddress: { street: 'UL LENINA 1', city: 'SIMFEROPOL', country: 'UA', postalCode: '95000' } },
    'referred IdentityReview',
  ],
  [
    'a citizenship of a sanctioned country',
    { otherAddresses: [{ country: 'KP' }] },
    'referred IdentityReview',
  ],
  ['a citizenship of another country', { otherAddresses: [{ country: 'KR' }] }, 'succeeded'],
  ['a duplicate that is flagged', { possibleDuplicates: 1 }, 'succeeded Possible duplicate of an account.'],
  [
    'a duplicate that is reviewed',
    { possibleDuplicates: 2, duplicatePolicy: 'Review' },
    'referred DuplicateReview',
  ],
  ['a duplicate that is refused', { possibleDuplicates: 1, duplicatePolicy: 'Refuse' }, 'failed ERR.2012'],
  [
    'what the firm can supply comes before a review',
    { possibleDuplicates: 1, duplicatePolicy: 'Review', mailingAddress: boxed },
    'asked FieldCorrection primaryOwner.legalAddress',
  ],
  [
    'a refusal comes before all',
    { possibleDuplicates: 1, duplicatePolicy: 'Refuse', mailingAddress: boxed },
    'failed ERR.2012',
  ],
]

function summary(change: Partial<IdentityCase>): string {
  const outcome = judgeIdentity(checkIdentity({ ...found, ...change }))
  switch (outcome.kind) {
    case 'asked':
      return `asked ${outcome.requests.map(({ code, field }) => `${code} ${field}`).join(', ')}`
    case 'referred':
      return `referred ${outcome.code}`
    case 'failed':
      return `failed ${outcome.errors.map(({ code }) => code).join(', ')}`
    case 'succeeded':
      return `succeeded ${outcome.reason}`.trim()
    default:
      return outcome.kind
  }
}

for (const [name, change, expected] of cases) {
  test(`${name}: ${expected}`, () => assert.equal(summary(change), expected))
}

test('all findings are reported at once', () => {
  const parties = [{ ...owner, birthDate: '1902-01-01', taxIdNumber: '222222222', citizenshipCountry: 'FR' }]
  assert.equal(
    summary({ parties, mailingAddress: boxed }),
    'asked FieldCorrection primaryOwner.legalAddress, BirthDateDocument primaryOwner.birthDate, ' +
      'ForeignIdentityDocument primaryOwner.governmentIdentification, TaxIdDocument primaryOwner.taxIdNumber',
  )
})

const finding: Finding = {
  rule: 'W9Form',
  source: 'The authority.',
  code: '',
  effect: 'ask',
  field: 'primaryOwner',
  reason: 'Not certified.',
  asks: 'W9Certification',
  holdsUp: false,
}

/** What the policy of the account found, and what the stage comes to, with what is asked once the account is open. */
const policyFindings: [string, Finding[], outcome: string, later: string][] = [
  ['nothing', [], 'succeeded ', ''],
  [
    'something to ask before the opening',
    [{ ...finding, holdsUp: true }],
    'asked W9Certification primaryOwner',
    '',
  ],
  ['something to ask later', [finding], 'succeeded ', 'W9Certification primaryOwner'],
  [
    'something for a person',
    [{ ...finding, effect: 'review' }],
    'referred IdentityReview Not certified.',
    '',
  ],
  [
    'something for a person and something to ask later',
    [{ ...finding, effect: 'review' }, finding],
    'referred IdentityReview Not certified.',
    'W9Certification primaryOwner',
  ],
  [
    'two things for a person',
    [
      { ...finding, effect: 'review' },
      { ...finding, effect: 'review', reason: 'Unclear.' },
    ],
    'referred IdentityReview Not certified. Unclear.',
    '',
  ],
  ['something to note', [{ ...finding, effect: 'note' }], 'succeeded Not certified.', ''],
  ['something that was refused before', [{ ...finding, effect: 'refuse' }], 'succeeded ', ''],
  ['something that restricts an open account', [{ ...finding, effect: 'restrict' }], 'succeeded ', ''],
]

for (const [what, policy, expected, later] of policyFindings) {
  test(`the policy finds ${what}: ${expected}`, () => {
    const outcome = judgeIdentity(checkIdentity({ ...found, policy }))
    const names = (requests: readonly FollowUpRequest[]) =>
      requests.map(({ code, field }) => `${code} ${field}`).join(', ')
    const result =
      outcome.kind === 'asked'
        ? names(outcome.requests)
        : outcome.kind === 'referred'
          ? `${outcome.code} ${outcome.reason}`
          : outcome.reason
    assert.equal(`${outcome.kind} ${result}`, expected)
    assert.equal('later' in outcome ? names(outcome.later ?? []) : '', later)
    if (outcome.kind === 'succeeded') assert.equal('later' in outcome, later !== '')
  })
}

test('a duplicate that is refused names the tax id', () => {
  const outcome = judgeIdentity(checkIdentity({ ...found, possibleDuplicates: 1, duplicatePolicy: 'Refuse' }))
  assert.deepEqual(outcome.kind === 'failed' && outcome.errors.map(({ field }) => field), [
    'primaryOwner.taxIdNumber',
  ])
})

test('a finding never repeats what was submitted', () => {
  const parties = [{ ...owner, birthDate: '1902-11-07', taxIdNumber: '222222222', citizenshipCountry: 'FR' }]
  const rendered = JSON.stringify(checkIdentity({ ...found, parties, mailingAddress: boxed }))
  assert.doesNotMatch(rendered, /1902|222222222|PO BOX 77/)
})

const streets: [string, boolean][] = [
  ['PO BOX 12', true],
  ['P.O. BOX 12-B', true],
  ['P O BOX 1234', true],
  ['POST OFFICE BOX 9', true],
  ['POB 77', true],
  ['BOX 120', true],
  ['PO BOX #12', true],
  ['APARTADO POSTAL 55', true],
  ['POSTFACH 1234', true],
  ['PO BOX 12, 34 MAIN ST', false],
  ['34 MAIN ST PO BOX 12', false],
  ['12 MAIN ST', false],
  ['12 BOXWOOD LN', false],
  ['1 POBLADO AVE', false],
  ['RR 2 BOX 152', false],
  ['HC 1 BOX 7', false],
  ['RURAL ROUTE 3 BOX 9', false],
  ['', false],
]

for (const [text, box] of streets) {
  test(`"${text}" is ${box ? 'a box only' : 'a place'}`, () => {
    assert.equal(isBoxOnly({ street: text, city: 'BOSTON', stateProvince: 'MA', country: 'US' }), box)
  })
}

test('the box of a member of the forces is an address', () => {
  assert.equal(
    isBoxOnly({ street: 'PSC 3 BOX 4120', city: 'APO', stateProvince: 'AE', country: 'US' }),
    false,
  )
  assert.equal(isBoxOnly({ street: 'BOX 4120', city: 'FPO', stateProvince: 'AP', country: 'US' }), false)
})

test('an address of any text is judged in a moment', () => {
  const part = fc.constantFrom('PO ', 'BOX ', '1', '-', 'A', ' ', 'POST ', '.', 'B.P.', '#')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      isBoxOnly({ street: parts.join('') })
    }),
  )
})

const findings: [number, number, number, string][] = [
  [0, 0, 0, 'succeeded'],
  [1, 0, 0, 'referred'],
  [0, 0, 1, 'referred'],
  [3, 1, 0, 'failed'],
]

for (const [open, confirmed, unscreenable, kind] of findings) {
  test(`${open} open and ${confirmed} confirmed matches, ${unscreenable} names not compared: ${kind}`, () => {
    assert.equal(judgeWatchlist({ open, confirmed, unscreenable }).kind, kind)
  })
}
