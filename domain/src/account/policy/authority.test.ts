// The parties who show by which authority they act for the owner, and the document.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Party } from '../record.ts'
import { type Changes, person, rightAccount } from '../testing/right-accounts.ts'
import { type AuthorityRule, authoritiesOf, authorityReasons, proofsOfAuthority } from './authority.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { add, all, type Change, only, owner, production } from './testing/changed-accounts.ts'

function found(registration: Registration, change: Change, facts = production): string[] {
  return judgeAccount(change(rightAccount(registration)), facts)
    .filter(({ rule }) => rule in authorityReasons)
    .map(({ rule, field, asks, holdsUp }) => `${rule} ${field} ${asks} ${holdsUp}`)
}
function party(role: string, tradingAuthority?: string, more: Changes<Party> = {}) {
  return person({ role, tradingAuthority, ...more })
}
const agent = 'AuthorityDocumented associatedParties[0] AuthorityDocument false'
const grantors = '401125555'
const own = { taxIdNumber: grantors }
const trustee = party('Trustee', 'Full', own)
const itself: Changes<Party> = { nameType: 'Entity', taxIdNumber: '841234567' }

describe('the authority of', () => {
  const rows: readonly [what: string, registration: Registration, change: Change, ...expected: string[]][] = [
    ['an attorney', 'Individual', add(party('PowerOfAttorney')), agent],
    ['an authorized signer of a person', 'IraRoth', add(party('AuthorizedSigner')), agent],
    ['an associate with full authority', 'Individual', add(party('Associate', 'Full')), agent],
    [
      'an interested party with limited authority',
      'Individual',
      add(party('InterestedParty', 'Limited')),
      agent,
    ],
    ['an interested party without authority', 'Individual', add(party('InterestedParty', 'None'))],
    ['an associate without a stated authority', 'Individual', add(party('Associate'))],
    [
      'two attorneys, each with a document',
      'Individual',
      add(party('PowerOfAttorney'), party('PowerOfAttorney')),
      agent,
      agent.replace('[0]', '[1]'),
    ],
    [
      'an attorney who is the owner',
      'Individual',
      all(
        owner({ taxIdNumber: '401125555' }),
        add(party('PowerOfAttorney', 'Full', { taxIdNumber: '401125555' })),
      ),
    ],
    ['a joint owner with full authority', 'JointWROS', only(party('Secondary', 'Full'))],
    ['an associate in place of the joint owner', 'JointWROS', only(party('Associate', 'Full'))],
    [
      'an associate beside the joint owner',
      'JointWROS',
      add(party('Associate', 'Full')),
      agent.replace('[0]', '[1]'),
    ],
    ['a custodian with full authority', 'CustodialUtma', only(party('Custodian', 'Full'))],
    ['a custodian and a successor', 'CustodialUtma', add(party('SuccessorCustodian'))],
    [
      'a successor custodian with full authority',
      'CustodialUtma',
      add(party('SuccessorCustodian', 'Full')),
      agent.replace('[0]', '[1]'),
    ],
    ['a custodian of an adult', 'Individual', add(party('Custodian'))],
    ['a custodian of an adult with full authority', 'Individual', add(party('Custodian', 'Full')), agent],
    [
      'a custodian of joint owners with limited authority',
      'JointWROS',
      add(party('Custodian', 'Limited')),
      agent.replace('[0]', '[1]'),
    ],
    [
      'a custodian of an IRA whose owner is 18 today',
      'IraRoth',
      all(owner({ birthDate: '2008-11-20' }), add(party('Custodian', 'Full'))),
      agent,
    ],
    [
      'a custodian of an IRA whose owner is 18 tomorrow',
      'IraRoth',
      all(owner({ birthDate: '2008-11-21' }), add(party('Custodian', 'Full'))),
    ],
    [
      'a custodian of an IRA whose owner has no birth date',
      'IraRoth',
      all(owner({ birthDate: undefined }), add(party('Custodian', 'Full'))),
    ],
    [
      'a successor trustee with full authority, beside the trustee',
      'Trust',
      add(party('SuccessorTrustee', 'Full')),
      'TrustDocumented associatedParties[0] TrustDocument false',
      agent.replace('[0]', '[1]'),
    ],
    [
      'a guardian',
      'Individual',
      add(party('Guardian', 'Full')),
      'GuardianshipDocumented associatedParties[0] GuardianshipDocument false',
    ],
    ['one executor', 'Estate', add(), 'LettersDocumented associatedParties[0] LettersDocument false'],
    [
      'two executors, whom the letters name together',
      'Estate',
      add(party('Executor', 'Full')),
      'LettersDocumented associatedParties[1] LettersDocument false',
    ],
    [
      'a trustee, and not of a successor',
      'Trust',
      add(party('SuccessorTrustee')),
      'TrustDocumented associatedParties[0] TrustDocument false',
    ],
    [
      'a trustee whose tax id the trust uses',
      'Trust',
      all(
        owner({ taxIdType: 'SSN', taxIdNumber: grantors }),
        only(trustee),
        add(party('Grantor', undefined, own)),
      ),
      'TrustDocumented associatedParties[0] TrustDocument false',
    ],
    [
      'a member whose tax id the company uses',
      'Llc',
      all(owner({ taxIdType: 'SSN', taxIdNumber: grantors }), add(party('Member', 'Full', own))),
      'ResolutionDocumented associatedParties[1] ResolutionDocument false',
    ],
    [
      'a member that is the company itself',
      'Llc',
      all(owner({ taxIdNumber: '841234567' }), add(party('Member', 'Full', itself))),
    ],
    ['a control person without authority', 'Llc', add()],
    [
      'an officer with limited authority',
      'Llc',
      add(party('Officer', 'Limited')),
      'ResolutionDocumented associatedParties[1] ResolutionDocument false',
    ],
    [
      'an authorized signer and an attorney of a corporation',
      'Corporation',
      add(party('AuthorizedSigner'), party('PowerOfAttorney')),
      'ResolutionDocumented associatedParties[1] ResolutionDocument false',
      'AuthorityDocumented associatedParties[2] AuthorityDocument false',
    ],
  ]
  for (const [what, registration, change, ...expected] of rows)
    test(`${what} in ${registration}`, () => {
      assert.deepEqual(found(registration, change), expected)
      assert.deepEqual(found(registration, change, { ...production, moment: 'day' }), expected)
      assert.deepEqual(found(registration, change, { ...production, moment: 'change' }), [])
    })
})

test('each rule has a document of its own in the catalogue', () => {
  const proofs: Record<AuthorityRule, string[]> = {
    AuthorityDocumented: ['POAT', 'TRAU'],
    GuardianshipDocumented: ['CORD'],
    LettersDocumented: ['LTTR'],
    ResolutionDocumented: ['RESO'],
    TrustDocumented: ['TRST', 'CERT'],
  }
  const records = [
    add(party('PowerOfAttorney'), party('Guardian'))(rightAccount('Individual')),
    rightAccount('Estate'),
    add(party('AuthorizedSigner'))(rightAccount('Llc')),
    rightAccount('Trust'),
  ]
  const shown = records.flatMap((record) => {
    const asked = new Map(judgeAccount(record, production).map(({ rule, asks }) => [rule, asks]))
    return authoritiesOf(record, production.today).map(({ rule }) => [
      rule,
      proofsOfAuthority(asked.get(rule) ?? ''),
    ])
  })
  assert.deepEqual(Object.fromEntries(shown), proofs)
  assert.deepEqual(proofsOfAuthority('W9Certification'), [])
  assert.deepEqual(proofsOfAuthority(''), [])
})
