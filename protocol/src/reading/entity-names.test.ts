// The reasons of an entity's name in a request speak of its two lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../operations/index.ts'
import { readRequest } from './read-request.ts'

function reasons(primaryOwner: object, operation: 'new-account' | 'update-account' = 'new-account') {
  return readRequest(operations[operation].request, { accountNumber: '30100001', primaryOwner })
    .rejections.filter(({ field }) => field.startsWith('primaryOwner') && !field.endsWith('legalAddress'))
    .map(({ code, field, reason }) => [code, field, reason])
}
const first = "The first line of the entity's name"
const second = "The second line of the entity's name"
const marks =
  "must contain letters, digits, spaces and the marks ' - / # . , & ( ) + ! @ : and · within a word only."

for (const [what, name, expected] of [
  ['30 characters in a line', { name1: 'x'.repeat(30), name3: 'y'.repeat(30) }, []],
  [
    '31 characters in the first line',
    { name1: 'x'.repeat(31) },
    [['ERR.1010', 'firstName', `${first} must be at most 30 characters; got 31. Put the rest in name3.`]],
  ],
  [
    '31 characters in the second line',
    { name1: 'A', name3: 'y'.repeat(31) },
    [['ERR.1010', 'lastName', `${second} must be at most 30 characters; got 31.`]],
  ],
  ['another mark', { name1: 'A', name3: 'a_b' }, [['ERR.1016', 'lastName', `${second} ${marks}`]]],
  ['marks alone', { name1: '&' }, [['ERR.1016', 'firstName', `${first} must contain a letter or a digit.`]]],
  [
    'a middle name that cannot be right',
    { name1: 'A', name2: 'y'.repeat(31) },
    [['ERR.1010', 'middleName', 'Middle name must be at most 30 characters; got 31.']],
  ],
  [
    'a line given twice',
    { name1: 'A', NAME1: 'a' },
    [['ERR.1014', 'firstName', 'First name is given twice.']],
  ],
] as const) {
  test(`an entity's name with ${what} ${expected.length === 0 ? 'is accepted' : 'is rejected as such'}`, () => {
    const given = expected.map(([code, part, reason]) => [code, `primaryOwner.${part}`, reason])
    for (const owner of [
      { nameType: 'Entity', ...name },
      { ...name, NameType: 'entity' },
    ]) {
      assert.deepEqual(reasons(owner), given)
      assert.deepEqual(reasons(owner, 'update-account'), given)
    }
  })
}

test('the reasons of a person stay', () => {
  assert.deepEqual(reasons({ nameType: 'Individual', name1: 'x'.repeat(31) }), [
    ['ERR.1010', 'primaryOwner.firstName', 'First name must be at most 30 characters; got 31.'],
  ])
})
