/**
 * Any bytes in the body of any operation get a response in the envelope, never a 5xx. The grammar of JSON has its own
 * tests in `server/src/http/body`. These tests use the whole service.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits, type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import fc from 'fast-check'
import { repetitions, someOf } from '../repetitions.ts'
import {
  answersWell,
  codesAt,
  seed,
  service,
  startBeforeTests,
  testThatNoFaultWasLogged,
} from './malformed-requests.ts'
import type { HttpBody, RawAnswer } from './running-service.ts'

startBeforeTests()

const table = Object.entries(operations) as [string, OperationDefinition][]
const jsonOperations = table.filter(([, { body }]) => body === 'json')

async function post(name: string, { audience }: OperationDefinition, body: HttpBody): Promise<RawAnswer> {
  return service.send(pathOf(name, audience), {
    headers: {
      authorization: `Bearer ${await service.token(audience === 'operations' ? 'operations' : 'alpha')}`,
      'content-type': 'application/json',
    },
    body,
  })
}

function bytes(...codes: number[]) {
  return new Uint8Array(codes)
}

/** Texts like those of the collections of JSON oddities. No operation may accept them as a request. */
const oddities: [what: string, body: HttpBody][] = [
  ['nothing', ''],
  ['spaces', '   '],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '42'],
  ['a number too large for any', '1e400'],
  ['a text', '"get-account"'],
  ['an array', '[]'],
  ['an array of requests', '[{"accountNumber":"30100001"}]'],
  ['an unclosed object', '{"accountNumber":"30100001"'],
  ['a comma too many', '{"accountNumber":"30100001",}'],
  ['a comment', '{/* */}'],
  ['single quotes', "{'accountNumber':'30100001'}"],
  ['names without quotes', '{accountNumber:"30100001"}'],
  ['two objects', '{}{}'],
  ['NaN', '{"accountNumber":NaN}'],
  ['a raw NUL', '{"accountNumber":"\0"}'],
  ['a raw line break in a text', '{"accountNumber":"3010\n0001"}'],
  ['UTF-16', new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))],
  ['a byte that is no UTF-8', bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['an overlong slash', bytes(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d)],
  ['half a character at the end', bytes(0x7b, 0x22, 0xe2, 0x82)],
  ['an escape of half a pair', '{"accountNumber":"\\ud800"}'],
  ['an escaped NUL', '{"accountNumber":"\\u0000"}'],
  ['__proto__', '{"__proto__":{"admin":true},"accountNumber":"30100001"}'],
  ['constructor.prototype', '{"constructor":{"prototype":{"admin":true}}}'],
  ['one name twice', '{"accountNumber":"30100001","accountNumber":"30100002"}'],
  ['one name in two cases', '{"accountNumber":"30100001","ACCOUNTNUMBER":"30100002"}'],
  ['arrays a hundred thousand deep', '['.repeat(100_000)],
  ['arrays a hundred thousand deep, closed', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['objects a hundred thousand deep', '{"a":'.repeat(100_000)],
  ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ['a megabyte of names', `{${Array.from({ length: 60_000 }, (_, at) => `"f${at}":${at}`).join(',')}}`],
  ['more than a megabyte', `{"a":"${'x'.repeat(limits.bodySizeBytesMax)}"}`],
  ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
]
/** All operations share the reading of the body. By day, a long text goes to some of them. */
const long = 50_000
describe('every operation refuses a body that is not a request', () => {
  for (const [what, body] of oddities) {
    test(what, async () => {
      const operationsAsked =
        typeof body === 'string' && body.length > long ? someOf(jsonOperations, 20) : jsonOperations
      for (const [name, operation] of operationsAsked) {
        const answer = await post(name, operation, body)
        answersWell(answer, name)
        assert.ok(
          [400, 404, 413].includes(answer.status),
          `${name}: ${answer.status} ${answer.text.slice(0, 300)}`,
        )
      }
      assert.equal(({} as { admin?: unknown }).admin, undefined)
    })
  }

  test(`any JSON value at all (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        // `reset` accepts an empty object, and removes everything that the other tests use.
        fc.constantFrom(...jsonOperations.filter(([name]) => name !== 'reset')),
        fc.jsonValue(),
        async ([name, operation], value) => {
          const answer = await post(name, operation, JSON.stringify(value))
          // An empty object can be a valid request. An export answers it with its file.
          if (answer.status !== 200 || (operation as OperationDefinition).answers !== 'file')
            answersWell(answer, name)
        },
      ),
      { seed, numRuns: repetitions(150, 300) },
    )
  })
})

describe('null and empty in a field that is not required', () => {
  /**
   * These operations move the clock, restore snapshots, end the credential of this test, or close a day. update-account
   * reads such values as deletions.
   */
  const apart = new Set([
    'close-business-day',
    'set-clock',
    'advance-clock',
    'freeze-clock',
    'reset',
    'restore-snapshot',
    'update-account',
  ])
  for (const [name, operation] of jsonOperations) {
    const { properties, required = [] } = operation.request as { properties: object; required?: string[] }
    const optionals = Object.keys(properties).filter((property) => !required.includes(property))
    const example = operation.examples[0]?.request as object | undefined
    if (optionals.length === 0 || example === undefined || apart.has(name)) continue
    test(`are ignored by ${name}`, async () => {
      for (const property of optionals) {
        const { [property]: _, ...without } = example as Record<string, unknown>
        const silent = await post(name, operation, JSON.stringify(without))
        for (const empty of [null, '']) {
          const answer = await post(name, operation, JSON.stringify({ ...without, [property]: empty }))
          const what = `${property}: ${JSON.stringify(empty)}: ${answer.text.slice(0, 500)}`
          assert.ok(answer.status < 500, what)
          if (empty !== null || answer.json === undefined) continue
          assert.deepEqual(codesAt(answer, property), codesAt(silent, property), what)
        }
      }
    })
  }
})

testThatNoFaultWasLogged()
