import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules } from '@clearing/protocol'
import type { AccountRecord } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { findingOf } from './finding.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { add, all, found, only, owner, production, sandbox } from './testing/changed-accounts.ts'

describe('the effect of account policy', () => {
  test('for a published number is a review in production and a note in the sandbox', () => {
    const record = owner({ taxIdNumber: '078051120' })(rightAccount('Individual'))
    const effects = [production, sandbox].map(
      (facts) => judgeAccount(record, facts).find(({ rule }) => rule === 'PublishedNumber')?.effect,
    )
    assert.deepEqual(effects, ['review', 'note'])
  })

  test('for the number of another person is a review in production, a note in the sandbox, and none for an entity', () => {
    const effects = (record: AccountRecord) =>
      [production, sandbox].map(
        (facts) =>
          judgeAccount(record, { ...facts, numbersOfOthers: new Set(['1']) }).find(
            ({ rule }) => rule === 'TaxIdOfAnother',
          )?.effect,
      )
    assert.deepEqual(effects(owner({ customerId: '1' })(rightAccount('Individual'))), ['review', 'note'])
    assert.deepEqual(effects(owner({ customerId: '2' })(rightAccount('Individual'))), [undefined, undefined])
    const company = owner({ customerId: '1', birthDate: '2017-01-01' })(rightAccount('Corporation'))
    assert.deepEqual(effects(company), [undefined, undefined])
    const magic = owner({ customerId: '1', taxIdNumber: '000000004' })(rightAccount('Individual'))
    assert.deepEqual(effects(magic), [undefined, undefined])
  })

  test('for the EIN of an entity with another name is a note, and none for its other parties and for the number of a grantor', () => {
    const effects = (record: AccountRecord) =>
      [production, sandbox].map(
        (facts) =>
          judgeAccount(record, { ...facts, numbersOfOthers: new Set(['1']) }).find(
            ({ rule }) => rule === 'EinOfAnother',
          )?.effect,
      )
    assert.deepEqual(effects(owner({ customerId: '1' })(rightAccount('Corporation'))), ['note', 'note'])
    assert.deepEqual(effects(owner({ customerId: '2' })(rightAccount('Corporation'))), [undefined, undefined])
    assert.deepEqual(effects(owner({ customerId: '1' })(rightAccount('Individual'))), [undefined, undefined])
    const partner = add(entity({ role: 'Partner', customerId: '1' }))(rightAccount('Partnership'))
    assert.deepEqual(effects(partner), [undefined, undefined])
    const number = { taxIdType: 'TaxId', taxIdNumber: '912881234' }
    const lent = all(owner({ customerId: '1', ...number }), add(person({ role: 'Grantor', ...number })))
    assert.deepEqual(effects(lent(rightAccount('Trust'))), [undefined, undefined])
  })

  test('for the name TEST TEST is none in the sandbox', () => {
    const record = owner({ firstName: 'TEST', lastName: 'TEST' })(rightAccount('Individual'))
    assert.deepEqual(found(record, sandbox), [])
  })

  test('for a magic tax id is none, also for the tax form', () => {
    const record = owner({ taxIdNumber: '000000004' })(rightAccount('Individual'))
    assert.deepEqual(judgeAccount(record, sandbox), [])
  })

  test('for a path that the reader rejected is none', () => {
    const record = only()(rightAccount('JointWROS'))
    const facts = { ...production, isUnknown: (path: string) => path === 'associatedParties' }
    assert.deepEqual(found(record, facts), [])
  })

  test('for a missing tax form is a follow-up that does not hold up the account, and the form depends on the owner', () => {
    const asked = (registration: Registration, citizenshipCountry?: string) => {
      const changes = citizenshipCountry === undefined ? {} : { citizenshipCountry }
      const record = owner(changes)(rightAccount(registration))
      return judgeAccount(record, production)
        .filter(({ asks }) => asks.endsWith('Certification'))
        .map(({ asks, holdsUp }) => [asks, holdsUp])
    }
    assert.deepEqual(asked('Individual'), [['W9Certification', false]])
    assert.deepEqual(asked('Trust'), [['W9Certification', false]])
    assert.deepEqual(asked('IndividualJointForeign'), [['W8Certification', false]])
    assert.deepEqual(asked('Corporation', 'DE'), [['W8EntityCertification', false]])
  })
})

test('only a refusal has a code and applies in the sandbox, only a question requests something, and a rule without an effect at a moment finds nothing', () => {
  for (const { value, effects, sandbox: there, code, asks } of accountRules) {
    assert.equal(Object.values(effects).includes('refuse') && there !== '', false, `${value} is milder`)
    for (const moment of ['opening', 'change', 'day'] as const) {
      for (const sandbox of [false, true]) {
        const finding = findingOf(value, 'field', 'reason', { moment, sandbox })
        const effect = effects[moment] && sandbox && there !== '' ? there : effects[moment]
        assert.deepEqual(
          [finding?.effect, finding?.code, finding?.asks],
          effect === undefined
            ? [undefined, undefined, undefined]
            : [effect, effect === 'refuse' ? code : '', effect === 'ask' ? asks : ''],
          `${value} ${moment}`,
        )
      }
    }
  }
})

/** A statute, a regulation, a rule of FINRA, a publication of an agency, a uniform act, or a reading. */
const citation =
  /^(?:\d+ (?:CFR|USC) |FINRA Rule \d|Reading \d|Regulation T, 12 CFR |Internal Revenue Service, |Social Security Administration, |United States Postal Service, |Uniform \w+ (?:to Minors|Security Registration) |State law of )/

test('each rule of account policy cites its source and the day since when it is in the table', () => {
  for (const { value, source, since } of accountRules) {
    for (const part of source.split('; ')) assert.match(part, citation, value)
    assert.match(since, /^\d/, value)
  }
})
