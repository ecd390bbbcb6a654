// Any valid application of any registration type passes every rule. Any single defect is found by its rule and by no
// other rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AccountRule, accountRules, codeLists, operations, readRequest } from '@clearing/protocol'
import fc from 'fast-check'
import { checkApplication, parseApplication } from '../application.ts'
import { type AnyApplication, anyApplication } from '../testing/any-application.ts'
import { type Break, defectByRule } from '../testing/any-defect.ts'
import { judgeAccount } from './judge-account.ts'

const today = '2026-11-20'
const none: ReadonlySet<string> = new Set()
let customer = 0
function nextCustomerId() {
  return String(++customer).padStart(18, '1')
}

/** The application as the service reads it, with the rejected paths. */
function readOf(application: AnyApplication) {
  const reading = readRequest(operations['new-account'].request, JSON.parse(JSON.stringify(application)))
  return { reading, parsed: parseApplication(reading.value as never, nextCustomerId) }
}
function findingsOf(application: AnyApplication) {
  return judgeAccount(readOf(application).parsed.record, {
    moment: 'opening',
    today,
    sandbox: false,
    magicTaxIds: none,
    wasRefused: () => false,
    isUnknown: () => false,
  })
}
function rejectionsOf(application: AnyApplication) {
  const { reading, parsed } = readOf(application)
  const settings = { today, magicTaxIds: none, refusedPaths: reading.refusedPaths }
  return [...reading.rejections, ...checkApplication(parsed, settings)]
}

/** The follow-ups that a valid application may get after its opening. */
const openedFirst: readonly AccountRule[] = accountRules
  .filter(({ effects, holdsUp }) => effects.opening === 'ask' && !holdsUp)
  .map(({ value }) => value)

function rulesOf(application: AnyApplication): AccountRule[] {
  return [
    ...new Set(
      findingsOf(application)
        .map(({ rule }) => rule)
        .filter((rule) => !openedFirst.includes(rule)),
    ),
  ]
}

describe('any valid application of', () => {
  for (const { value } of codeLists.registrationType) {
    test(`${value} passes every rule and is not held up`, () => {
      fc.assert(
        fc.property(anyApplication(value, 2026), (application) => {
          assert.deepEqual(rejectionsOf(application), [])
          assert.deepEqual(rulesOf(application), [])
        }),
        { numRuns: 60 },
      )
    })
  }
})

describe('a defect in a valid application', () => {
  for (const [rule, broken] of Object.entries(defectByRule) as [AccountRule, Break][]) {
    test(`is found by ${rule} and by no other rule`, () => {
      let shown = 0
      for (const { value } of codeLists.registrationType) {
        fc.assert(
          fc.property(anyApplication(value, 2026), (application) => {
            const changes = broken(application as never)
            if (changes === undefined) return
            shown += 1
            const defective = { ...application, ...changes } as AnyApplication
            const expected: AccountRule[] = openedFirst.includes(rule) ? [] : [rule]
            assert.deepEqual(rulesOf(defective), expected)
            if (expected.length === 0) assert.ok(findingsOf(defective).some((found) => found.rule === rule))
          }),
          { numRuns: 15 },
        )
      }
      assert.ok(shown > 0, 'some application has the defect')
    })
  }
})

test('every rule of an application has a defect', () => {
  const missing = accountRules
    .filter(({ effects }) => effects.opening !== undefined)
    .map(({ value }) => value)
    // The service knows the other accounts of the firm. A change causes the last one.
    .filter((value) => !['PossibleDuplicate', 'EinOfAnother', 'BirthDateOfMinor'].includes(value))
    .filter((value) => !(value in defectByRule))
  assert.deepEqual(missing, [])
})
