// The suggested name differs in at most a third of the sent letters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearestName } from './nearest-name.ts'

const rows: readonly [spelled: string, names: string[], meant: string | undefined][] = [
  ['cty', ['city'], 'city'],
  ['CTY', ['city'], 'city'],
  ['ciyt', ['city'], 'city'],
  ['icty', ['city'], 'city'],
  ['yitc', ['city'], undefined],
  ['ct', ['cat'], undefined],
  ['abcdef', ['abxyef'], 'abxyef'],
  ['abcdef', ['axyzef'], undefined],
  ['abcdefg', ['axyzefg'], undefined],
  ['abcdef', ['abcd'], 'abcd'],
  ['abcdef', ['abc'], undefined],
  ['abcx', ['abcd', 'abce'], 'abcd'],
  ['abcdefx', ['abcdeyz', 'abcdefz'], 'abcdefz'],
  ['abcdefx', ['abcdefz', 'abcdeyz'], 'abcdefz'],
  [`${'x'.repeat(39)}y`, ['x'.repeat(40)], 'x'.repeat(40)],
  [`${'x'.repeat(40)}y`, ['x'.repeat(40)], undefined],
  ['nonsense', ['city', 'country'], undefined],
]
for (const [spelled, names, meant] of rows) {
  test(`the name nearest to ${spelled.slice(0, 20)} in ${names.join(', ').slice(0, 30)} is ${meant?.slice(0, 20) ?? 'none'}`, () => {
    assert.equal(nearestName(spelled, names), meant)
  })
}

/** The edit distance by its recursive definition. */
function changes(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length
  const [a, b] = [left.slice(0, -1), right.slice(0, -1)]
  const steps = [changes(a, right) + 1, changes(left, b) + 1]
  steps.push(changes(a, b) + (left.at(-1) === right.at(-1) ? 0 : 1))
  if (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-2) && left.at(-2) === right.at(-1))
    steps.push(changes(a.slice(0, -1), b.slice(0, -1)) + 1)
  return Math.min(...steps)
}

test('a name is suggested if changes of at most a third of the letters give it', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 3, maxLength: 6 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      const [spelled, name] = [one.join(''), other.join('')]
      const isNear = changes(spelled, name) <= Math.floor(spelled.length / 3)
      assert.equal(nearestName(spelled, [name]), isNear ? name : undefined)
    }),
    { numRuns: 1_000 },
  )
})
