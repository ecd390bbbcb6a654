import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findDuplicateKeys, locateSyntaxError } from './json-syntax.ts'
import { parseJson } from './json-text.ts'

function reasonOf(text: string) {
  const parsed = parseJson(text)
  return 'rejections' in parsed ? parsed.rejections[0]?.reason : undefined
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('any JSON value parses to itself, without duplicates', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
      const text = JSON.stringify(json)
      assert.deepEqual(parseJson(text), { json: JSON.parse(text), duplicates: [] })
    }),
  )
})

test('a position is returned only for texts that are not JSON', () => {
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      'u00e9',
      'a',
      '0',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\n',
      '\0',
    ],
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.tuple(fc.jsonValue(), fc.nat(200), piece).map(([json, at, cut]) => {
      const whole = JSON.stringify(json)
      return whole.slice(0, at) + cut + whole.slice(at + 1)
    }),
  )
  fc.assert(
    fc.property(text, (given) => {
      const position = locateSyntaxError(given)
      assert.equal(position === -1, isJson(given))
      assert.ok(position <= given.length)
    }),
    { numRuns: 5_000 },
  )
})

test('an error names line and column and never quotes the text', () => {
  assert.equal(reasonOf('{"ssn": 219-09-9998}'), 'The body is not valid JSON at line 1, column 12.')
  assert.equal(reasonOf('{\n  "a": tru\n}'), 'The body is not valid JSON at line 2, column 11.')
  assert.equal(reasonOf('{\n\n  "a": tru\n}'), 'The body is not valid JSON at line 3, column 11.')
  assert.equal(
    reasonOf('{"a": "secret'),
    'The body is not valid JSON at line 1, column 14: it ends too early.',
  )
  assert.equal(reasonOf(' \n'), 'The body is empty; a JSON object is required.')
})

test('duplicate keys are found at every depth, also when one is written with escapes', () => {
  assert.deepEqual(findDuplicateKeys('{"a":1,"b":[{"c":1,"\\u0063":2}],"a":{"d":1},"a":3}'), [
    ['b', 0, 'c'],
    ['a'],
  ])
  assert.deepEqual(findDuplicateKeys('{"a":{"a":1},"b":{"a":1}}'), [])
  assert.deepEqual(findDuplicateKeys('{"__proto__":1,"__proto__":2}'), [['__proto__']])
  const parsed = parseJson('{"x":{"__proto__":1,"a":":","a":"\\":"}}')
  assert.deepEqual('duplicates' in parsed && parsed.duplicates, [['x', 'a']])
})

test('text that is not JSON is rejected as a whole', () => {
  const parsed = parseJson('{')
  assert.deepEqual('rejections' in parsed && parsed.rejections.map(({ code, field }) => [code, field]), [
    ['ERR.2004', ''],
  ])
})

test('an escape has four hexadecimal digits in either letter case', () => {
  for (const digit of ['/', '0', '9', ':', '@', 'A', 'F', 'G', '`', 'a', 'f', 'g', '"', '~', ' '])
    for (const place of [0, 1, 2, 3]) {
      const digits = `0000`.slice(0, place) + digit + '0000'.slice(place + 1)
      const text = `["\\u${digits}"]`
      assert.equal(locateSyntaxError(text), isJson(text) ? -1 : 4 + place, text)
    }
  assert.equal(locateSyntaxError('"\\u12'), 5)
  assert.equal(locateSyntaxError('"\\'), 2)
})

test('every white space of JSON is accepted between values, and the letter of an exponent in either case', () => {
  for (const text of ['\t[\r1\n,\t2 ]\r', '[1E5,1e5,1E+5,1e-05]'])
    assert.deepEqual([locateSyntaxError(text), isJson(text)], [-1, true])
  for (const text of ['[1\v]', '[1\f]', '[1E]', '[1e+]']) assert.notEqual(locateSyntaxError(text), -1)
})

test('a key that is repeated often costs no more work for a long path', (context) => {
  const render = context.mock.method(JSON, 'stringify')
  const times = 2_000
  const text = `{"${'k'.repeat(10_000)}":{"a":{${Array.from({ length: times }, () => '"x":1').join()}}}}`
  assert.deepEqual(
    findDuplicateKeys(text).map((path) => path.slice(1)),
    [['a', 'x']],
  )
  assert.equal(render.mock.callCount(), 0)
})

test('at most a hundred duplicate keys are reported', () => {
  const twice = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":1,"k${index}":2`).join()}}`
  assert.equal(findDuplicateKeys(twice(100)).length, 100)
  assert.equal(findDuplicateKeys(twice(101)).length, 100)
})

test('32 levels are accepted and 33 are rejected, and brackets in strings do not count', () => {
  assert.equal(reasonOf('['.repeat(32) + ']'.repeat(32)), undefined)
  assert.equal(reasonOf('['.repeat(33) + ']'.repeat(33)), 'The body is nested deeper than 32 levels.')
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.equal(reasonOf(objects(32)), undefined)
  assert.equal(reasonOf(objects(33)), 'The body is nested deeper than 32 levels.')
  assert.equal(reasonOf(`[${'[],{},'.repeat(100)}1]`), undefined)
  for (const string of ['""', '"\\\\"', '"\\\\\\""', '"a\\\\\\\\"'])
    assert.match(reasonOf(`[${string},${'['.repeat(33)}${']'.repeat(33)}]`) ?? '', /deeper than 32/, string)
  assert.match(reasonOf(`["\\"",${'['.repeat(33)}${']'.repeat(33)}]`) ?? '', /deeper than 32/)
  assert.equal(reasonOf(`{"a":"${'[{'.repeat(100)}"}`), undefined)
  assert.equal(reasonOf(`["\\"${'['.repeat(100)}"]`), undefined)
})

test('hostile texts of a megabyte are read in linear time', { timeout: 20_000 }, () => {
  const size = 1_048_576
  for (const piece of ['[', '{"a":', '"', '\\', '"\\', '\\"', ':', '{"a":1},', '0', '[1,', '" ', '"a":']) {
    assert.ok(reasonOf(piece.repeat(size / piece.length)) !== undefined || piece === '0')
  }
  const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`
  assert.equal(reasonOf(keys(50_000)), undefined)
  assert.equal(reasonOf(keys(50_001)), 'The body has more than 50000 properties.')
})

test('a byte order mark before the text is removed, and a byte order mark alone is an empty body', () => {
  assert.deepEqual(parseJson('\ufeff{}'), { json: {}, duplicates: [] })
  assert.equal(reasonOf('\ufeff'), 'The body is empty; a JSON object is required.')
})
