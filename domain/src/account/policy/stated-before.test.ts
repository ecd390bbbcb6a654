import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRecord } from '../record.ts'
import { rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import { statedBefore } from './stated-before.ts'
import { all, type Change, mailing, owner, production } from './testing/changed-accounts.ts'

function judged(record: AccountRecord) {
  return { record, findings: judgeAccount(record, { ...production, moment: 'opening' }) }
}
function shown(earlier: readonly AccountRecord[], present: AccountRecord): string[] {
  return statedBefore(earlier.map(judged), judged(present)).map(
    ({ finding: { rule, effect, field }, record }) =>
      [effect, rule, field, earlier.indexOf(record)].join(' '),
  )
}

const french = owner({ citizenshipCountry: 'FR' })(rightAccount('IndividualJointForeign'))
function office(organization: string): Change {
  return owner({ affiliation: { political: { associated: 'True', organization } } as never })
}
const minister = office('MINISTRY OF DEFENCE')(french)
const tehran = { street: '12 AZADI AVENUE', city: 'TEHRAN', country: 'IR', postalCode: '11369' }
function passport(idLocation: string): Change {
  return owner({
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber: '19AB77881', idLocation, idExpiration: '2033-01-01' },
    },
  } as never)
}

test('an office, a sanctioned place or passport that an earlier version stated is found', () => {
  assert.deepEqual(shown([minister], french), [
    'review PoliticalForeign primaryOwner.affiliation.political 0',
  ])
  assert.deepEqual(shown([owner({ legalAddress: tehran })(french)], french), [
    'review PlaceNotSanctioned primaryOwner.legalAddress 0',
  ])
  const [iranian] = shown([passport('IR')(french)], passport('FR')(french))
  assert.match(iranian ?? '', /^review PlaceNotSanctioned primaryOwner\.governmentIdentification/)
})

test('it says that it is not stated any more', () => {
  const [found] = statedBefore([judged(minister)], judged(french))
  assert.equal(
    found?.finding.reason,
    'A foreign person declares a political office or a tie to one. This was stated in the application and is not any more.',
  )
})

test('each value is found once, and not if it is still stated', () => {
  assert.deepEqual(shown([], minister), [])
  assert.deepEqual(shown([minister], minister), [])
  assert.deepEqual(shown([french, minister, minister], french), [
    'review PoliticalForeign primaryOwner.affiliation.political 1',
  ])
  const mayor = office('TOWN OF VIF')(french)
  assert.deepEqual(shown([minister, mayor], mayor), [
    'review PoliticalForeign primaryOwner.affiliation.political 0',
  ])
  assert.equal(shown([minister, mayor], french).length, 2)
})

test('what a correction answers is not found again', () => {
  const nowhere = { street: 'GENERAL DELIVERY', city: 'HOBOKEN', stateProvince: 'NJ', country: 'US' }
  const wrong = all(
    owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN', birthDate: '1910-01-01', legalAddress: {} }),
    mailing(nowhere),
  )
  assert.deepEqual(shown([wrong(rightAccount('Individual'))], rightAccount('Individual')), [])
})
