import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { operations } from '../operations/index.ts'
import { redactAnswer, redactedNames, redactRequest } from './redact.ts'

const application = operations['new-account'].examples[0].request
const schema = operations['new-account'].request
function redact(json: unknown, lengthMax = 100_000) {
  return redactRequest(schema, json, lengthMax)
}

test('a request is stored with the names that the caller used, without personal numbers', () => {
  const { primaryOwner } = application
  const kept = JSON.parse(redact(application))
  const {
    taxIdNumber: _tax,
    birthDate: _birth,
    governmentIdentification,
    ...rest
  } = primaryOwner as Record<string, unknown>
  const { taxIdNumber, birthDate, governmentIdentification: ids, ...keptRest } = kept.primaryOwner
  assert.deepEqual([taxIdNumber, birthDate], ['[redacted]', '[redacted]'])
  assert.deepEqual(keptRest, rest)
  if (governmentIdentification !== undefined) assert.equal(ids.governmentId1.idNumber, '[redacted]')
})

const secretOnes: [string, unknown][] = [
  ['under a name in capitals', { PRIMARYOWNER: { TAXIDNUMBER: '219099998' } }],
  ['as a number', { primaryOwner: { taxIdNumber: 219099998 } }],
  ['in a list', { primaryOwner: { taxIdNumber: ['219099998'] } }],
  ['under an unknown name', { primaryOwner: { ssn: '219099998' } }],
  ['within an unknown name', { person: { taxIdNumber: '219099998' } }],
  ['as an unknown name', { '219099998': true }],
  ['in another field', { primaryOwner: { firstName: 'my number is 219-09-9998, yes' } }],
  ['in another field as a number', { repCode: 219099998 }],
  ['as an EIN in another field', { primaryOwner: { lastName: '21-9099998' } }],
  ['in place of a text', { primaryOwner: { firstName: { is: '219099998' } } }],
  ['in place of the request', '219099998'],
  ['as an alias', { todBeneficiaries: [{ taxIdNumber: '219099998' }] }],
]
for (const [where, request] of secretOnes) {
  test(`a tax id ${where} is not stored`, () => {
    assert.doesNotMatch(redact(request).replace(/[- ]/g, ''), /219099998/)
    JSON.parse(redact(request))
  })
}

test('lists are stored item by item', () => {
  const types = ['account.*', 'document.*']
  assert.equal(
    redactRequest(operations['create-webhook'].request, { types }, 1_000),
    '{"types":["account.*","document.*"]}',
  )
  const owner = { primaryOwner: { sourceOfFunds: ['Wages', { taxIdNumber: '219099998' }] } }
  assert.equal(redact(owner), '{"primaryOwner":{"sourceOfFunds":["Wages","[unknown field]"]}}')
})

test('ids and account numbers are not personal numbers', () => {
  const { request } = operations['get-document']
  const one = { accountNumber: '30100001', documentId: '0199c2d1-1234-7123-8123-a123456789b0' }
  assert.deepEqual(JSON.parse(redactRequest(request, one, 1_000)), one)
})

test('the stored text is truncated at its maximum length, and never in the middle of a secret', () => {
  const answer = JSON.stringify({ a: 'x', taxIdNumber: '219099998', secret: 'whsec_abc\\"def', list: [1] })
  for (let length = 0; length <= answer.length; length++) {
    const kept = redactAnswer(answer, length)
    assert.doesNotMatch(kept, /2190|whsec/, `cut at ${length}`)
  }
  assert.equal(
    redactAnswer(answer, 1_000),
    '{"a":"x","taxIdNumber":"[redacted]","secret":"[redacted]","list":[1]}',
  )
  for (const length of [0, 1, 10, 200]) assert.ok(redact(application, length).length <= length)
})

test('a stored response can have the maximum length, and a personal number in it is redacted', () => {
  assert.equal(redactAnswer('x'.repeat(100), 50), 'x'.repeat(50))
  assert.equal(redactAnswer('x'.repeat(50), 50), 'x'.repeat(50))
  assert.equal(redactAnswer('{"reason":"219-09-9998 it was"}', 100), '{"reason":"[redacted] it was"}')
  assert.equal(redactAnswer('{"reason":"219-09-9998"}', 12), '{"reason":"[')
})

test('a personal number that is null or empty is stored unchanged, and an unknown name is truncated to 100 characters', () => {
  assert.equal(redact({ primaryOwner: { taxIdNumber: null } }), '{"primaryOwner":{"taxIdNumber":null}}')
  assert.equal(redact({ primaryOwner: { taxIdNumber: '' } }), '{"primaryOwner":{"taxIdNumber":""}}')
  assert.equal(redact({ ['x'.repeat(101)]: 1 }), `{"${'x'.repeat(100)}":"[unknown field]"}`)
  assert.equal(redact({ ['x'.repeat(100)]: 1 }), `{"${'x'.repeat(100)}":"[unknown field]"}`)
})

test('the stored text of any request has at most the maximum length', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false }), fc.nat(300), (value, length) => {
      const json = JSON.parse(JSON.stringify(value) ?? 'null')
      const kept = redact(json, length)
      assert.ok(kept.length <= length && kept.isWellFormed())
    }),
  )
})

/**
 * Names that resemble personal or secret fields but are not. Birth dates and numbers in the plural belong to entries
 * of published sanctions lists.
 */
const harmless = new Set([
  ...['taxIdType', 'secretId', 'secrets', 'resetPassword'],
  ...['birthDates', 'idNumbers'],
  ...['boundTokens', 'endTokens'],
])
const sounds = /tax.?id|ssn|birth|passport|id.?number|secret|password|passcode|token|credential.?key|private/i

test('every field of every operation with a personal or secret name is redacted', () => {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'properties') for (const field of Object.keys(inner as object)) found.add(field)
      walk(inner)
    }
  }
  for (const { request, data } of Object.values(operations)) {
    walk(request)
    walk(data)
  }
  assert.ok(found.has('taxIdNumber') && found.has('secret'))
  const open = [...found].filter(
    (name) => sounds.test(name) && !redactedNames.has(name) && !harmless.has(name),
  )
  assert.deepEqual(open, [])
})

test('a truncated text keeps no long request or response in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  const kept = Array.from({ length: 100 }, (_, at) => [
    redact({ primaryOwner: { firstName: `${at}`.repeat(500_000) } }, 1_000),
    redactAnswer(JSON.stringify({ note: `${at}`.repeat(500_000) }), 1_000),
  ])
  assert.ok(used() - before < 5_000_000)
  assert.deepEqual([...new Set(kept.flat().map(({ length }) => length))], [1_000])
})
