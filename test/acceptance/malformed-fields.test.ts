/** Any value in any field of an application is either rejected at its own path, or read back as it was returned. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newAccountRequest } from '@clearing/protocol'
import fc from 'fast-check'
import { repetitions } from '../repetitions.ts'
import { applicationFor, fullApplication } from './applications.ts'
import { read } from './calling.ts'
import {
  accountNumber,
  answersWell,
  codesAt,
  refusedAt,
  seed,
  service,
  startBeforeTests,
  testThatNoFaultWasLogged,
} from './malformed-requests.ts'

startBeforeTests()

// biome-ignore lint/suspicious/noExplicitAny: the members of a schema are read by name
type Schema = any
type Step = string | number

/** Every path of the request, with the first item of each list. */
function* placesOf(schema: Schema, steps: Step[] = []): Generator<{ steps: Step[]; schema: Schema }> {
  if (steps.length > 0 && (schema.type || schema.anyOf)) yield { steps, schema }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* placesOf(member, [...steps, name])
  if (schema.type === 'array' && schema.items) yield* placesOf(schema.items, [...steps, 0])
  for (const one of schema.anyOf ?? [])
    if (one.properties) yield* placesOf({ properties: one.properties }, steps)
}
function pathTo(steps: Step[]): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)
}

const places = [
  ...new Map([...placesOf(newAccountRequest)].map((place) => [pathTo(place.steps), place])).values(),
]

/** The request with another value at a path. Missing blocks and lists on the way are created. */
function withValue(request: unknown, [step, ...rest]: Step[], value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const items = Array.isArray(request) ? [...request] : []
    items[step] = withValue(items[step], rest, value)
    return items
  }
  const block = typeof request === 'object' && request !== null && !Array.isArray(request) ? request : {}
  return { ...block, [step]: withValue((block as Record<string, unknown>)[step], rest, value) }
}

/** The JSON types that a path accepts. */
function typesOf(schema: Schema): string[] {
  return schema.anyOf ? schema.anyOf.flatMap(typesOf) : schema.type ? [schema.type] : []
}

const wrongTypes: [type: string, values: unknown[]][] = [
  ['number', [0, -1, 1.5, 1e308, 12345678]],
  ['boolean', [true, false]],
  ['array', [[[]], [1], ['AAAAAAAA'], [null]]],
  ['object', [{ a: 1 }, { toString: 'x' }, { $ne: null }]],
  ['string', ['text', "' or 1=1 --", '#{7*7}', '../../etc/passwd']],
]

/** Groups of paths of which none contains another, so that one request can have a wrong value at each. */
function apart(all: typeof places, sizeMax = all.length): (typeof places)[] {
  const groups: (typeof places)[] = []
  for (const place of all) {
    const path = pathTo(place.steps)
    const within = (one: string, other: string) => one.startsWith(`${other}.`) || one.startsWith(`${other}[`)
    const free = groups.find(
      (group) =>
        group.length < sizeMax &&
        group.every(({ steps }) => !within(path, pathTo(steps)) && !within(pathTo(steps), path)),
    )
    if (free) free.push(place)
    else groups.push([place])
  }
  return groups
}
function withAll(request: unknown, group: typeof places, value: unknown): unknown {
  return group.reduce((now, { steps }) => withValue(now, steps, value), request)
}
const ofText = places.filter(({ schema }) => typesOf(schema).includes('string'))

describe('each field of new-account', () => {
  test('is in this test', () => {
    assert.ok(places.length > 150 && ofText.length > 120, `${places.length} ${ofText.length}`)
  })

  for (const [type, values] of wrongTypes) {
    test(`that accepts no ${type} rejects one at its own path, all of them at once`, async () => {
      const takes = (schema: Schema) =>
        typesOf(schema).includes(type) || (type === 'number' && typesOf(schema).includes('integer'))
      const others = places.filter(({ schema }) => !takes(schema))
      for (const value of values) {
        for (const group of apart(others)) {
          const answer = await service.post(
            'new-account',
            withAll(applicationFor('Individual'), group, value),
          )
          answersWell(answer, `${JSON.stringify(value)} at ${group.length} places`)
          assert.equal(answer.status, 400)
          const found = refusedAt(answer)
          for (const path of group.map(({ steps }) => pathTo(steps))) {
            const isFound = found.some((field) => field === path || field.startsWith(`${path}[`))
            assert.ok(isFound, `${path} = ${JSON.stringify(value)}: ${found.join()}`)
          }
        }
      }
    })
  }

  const forbidden: [what: string, text: string][] = [
    ['a NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', '\udc00'],
    ['an escape character', 'a\u001b[31m'],
    ['a carriage return', 'a\rb'],
    ['a control character of the second block', 'a\u0085b'],
    ['a direction override', 'a\u202eb'],
    ['an isolate', 'a\u2066b'],
  ]
  for (const [what, text] of forbidden) {
    test(`that takes text rejects ${what}`, async () => {
      // The lines of a street may be broken.
      const due = ofText.filter(({ steps }) => !text.includes('\r') || steps.at(-1) !== 'street')
      for (const group of apart(due)) {
        const answer = await service.post('new-account', withAll(fullApplication(), group, text))
        answersWell(answer, what)
        assert.equal(answer.status, 400)
        for (const { steps } of group) assert.equal(codesAt(answer, pathTo(steps)).length, 1, pathTo(steps))
        assert.ok(!answer.text.includes(text))
      }
    })
  }

  test('that takes text rejects a text of fifty thousand characters', async () => {
    for (const character of ['x', '\u0301', '1', '-']) {
      const text = character.repeat(50_000 / Buffer.byteLength(character))
      for (const group of apart(ofText, 15)) {
        const answer = await service.post('new-account', withAll(applicationFor('Individual'), group, text))
        answersWell(answer, character)
        assert.equal(answer.status, 400)
        for (const { steps } of group) assert.equal(codesAt(answer, pathTo(steps)).length, 1, pathTo(steps))
      }
    }
  })
})

const naughty = [
  '',
  ' ',
  'undefined',
  'null',
  'NULL',
  'true',
  '0',
  '-1',
  '1e5',
  'NaN',
  '\u00a0',
  '\u200b',
  '\ufeff',
  'ﬁﬂ',
  'ß',
  'İstanbul',
  'ŉ',
  'Å',
  'Å',
  '日本語',
  'العربية',
  '🏳️‍🌈',
  '𝕬𝖑𝖎𝖈𝖊',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  "Robert'); drop table clearing.account;--",
  "' or ''='",
  '$1',
  '%s%s%n',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '&lt;b&gt;',
  '../../../etc/passwd',
  'C:\\Windows\\win.ini',
  '`id`',
  '$(id)',
  'a, b',
  'con',
  '=1+1',
  '\\u0000',
  'x'.repeat(29),
]

describe('accepted texts', () => {
  test('are read back as they were returned, and mean the same when sent again', async () => {
    let taken = 0
    for (const text of naughty) {
      const base = applicationFor('Individual')
      const primaryOwner = {
        ...base.primaryOwner,
        jobTitle: text,
        employerName: text,
        otherSourceOfFund: text,
      }
      const answer = await service.post('new-account', { ...base, primaryOwner })
      answersWell(answer, text)
      if (answer.status !== 200) continue
      taken += 1
      const { message } = answer.json.data
      const stored = await read(service.alpha, message.accountNumber)
      for (const name of ['jobTitle', 'employerName', 'otherSourceOfFund'] as const) {
        assert.equal(stored.primaryOwner[name], message.primaryOwner[name])
        assert.equal(
          stored.primaryOwner[name],
          text.trim().replace(/\s+/gu, ' ').normalize('NFC').toUpperCase().normalize('NFC'),
        )
      }
    }
    assert.ok(taken > 30, `${taken}`)
  })

  test(`applications and changes with random errors never cause a fault (seed ${seed})`, async () => {
    const anything = fc.oneof(
      fc.constantFrom(...naughty),
      fc.string({ maxLength: 40 }),
      fc.constantFrom(null, true, 0, 301, 1e21, {}, [], [{}], [null], { street: null }),
      fc.constantFrom(
        '2024-02-30',
        '2026-01-01',
        '0000-00-00',
        '9999-12-31',
        '100.00',
        '50',
        '000000001',
        'US',
        'CA',
        'Entity',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const faults = fc.array(fc.tuple(fc.constantFrom(...places), anything), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), async (changes, isUpdate) => {
        const start = isUpdate ? { accountNumber } : fullApplication()
        const request = changes.reduce<unknown>(
          (now, [{ steps }, value]) => withValue(now, steps, value),
          start,
        )
        const name = isUpdate ? 'update-account' : 'new-account'
        const sent = isUpdate ? { ...(request as object), accountNumber } : request
        answersWell(
          await service.post(name, sent),
          JSON.stringify(changes.map(([{ steps }, value]) => [pathTo(steps), value])),
        )
      }),
      { seed, numRuns: repetitions(250, 700) },
    )
    const { accountStatus } = await read(service.alpha, accountNumber)
    assert.equal(accountStatus, 'Open')
  })
})

testThatNoFaultWasLogged()
