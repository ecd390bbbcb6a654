/**
 * Whatever bytes come, to whatever operation: an answer in the envelope, never a 5xx, never a trace of it in the account.
 * The grammar of JSON and the parser of forms have tests of their own in `server/src/http/body`; here the whole service is asked.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { limits, newAccountRequest, type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import fc from 'fast-check'
import { samplePdf, samplePng } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, fullApplication } from './applications.ts'
import { openAndFollow, read } from './calling.ts'
import { type HttpBody, type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.listFirms({})
  for (const { firmId } of data.firms) {
    await service.operations.operations.updateFirm({ firmId, settings: { requestsPerSecond: 10_000 } })
  }
  accountNumber = await openAndFollow(service.alpha, fullApplication())
})
after(() => service?.stop())

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

type Answered = { code: string; field: string; reason: string }

/** The rule of this file: refused or taken, but answered in the envelope and not a fault. */
const answersWell = (answer: RawAnswer, what: string): void => {
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text.slice(0, 500)}`)
  assert.ok(answer.json !== undefined, `${what}: ${answer.text.slice(0, 200)}`)
  assert.equal(answer.json.statusCode, answer.status)
  assert.equal(answer.json.hasErrors, answer.status !== 200)
  assert.ok(Array.isArray(answer.json.errors))
  assert.match(answer.json.traceId, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
}
const refusedAt = (answer: RawAnswer): string[] => answer.json.errors.map(({ field }: Answered) => field)
const codesAt = (answer: RawAnswer, path: string): string[] =>
  answer.json.errors.filter(({ field }: Answered) => field === path).map(({ code }: Answered) => code)

const table = Object.entries(operations) as [string, OperationDefinition][]
const jsonOperations = table.filter(([, { body }]) => body === 'json')

const post = async (name: string, { audience }: OperationDefinition, body: HttpBody): Promise<RawAnswer> =>
  service.send(pathOf(name, audience), {
    headers: {
      authorization: `Bearer ${await service.token(audience === 'operations' ? 'operations' : 'alpha')}`,
      'content-type': 'application/json',
    },
    body,
  })

const bytes = (...codes: number[]) => new Uint8Array(codes)

/** Texts like those of the collections of JSON oddities: what no operation may take for a request. */
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
describe('what is no request is refused by every operation', () => {
  for (const [what, body] of oddities) {
    test(what, async () => {
      for (const [name, operation] of jsonOperations) {
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
        // `reset` takes an empty object, and leaves nothing of what the other tests stand on.
        fc.constantFrom(...jsonOperations.filter(([name]) => name !== 'reset')),
        fc.jsonValue(),
        async ([name, operation], value) => {
          answersWell(await post(name, operation, JSON.stringify(value)), name)
        },
      ),
      { seed, numRuns: 300 },
    )
  })
})

describe('null and empty in a field that is not required', () => {
  /** They move the clock, put back snapshots or end the credential of this test; update-account takes them for deletions. */
  const apart = new Set([
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
    test(`say nothing to ${name}`, async () => {
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

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked freely
type Schema = any
type Step = string | number

/** Every place of the request: of each list its first item. */
function* placesOf(schema: Schema, steps: Step[] = []): Generator<{ steps: Step[]; schema: Schema }> {
  if (steps.length > 0 && (schema.type || schema.anyOf)) yield { steps, schema }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* placesOf(member, [...steps, name])
  if (schema.type === 'array' && schema.items) yield* placesOf(schema.items, [...steps, 0])
  for (const one of schema.anyOf ?? [])
    if (one.properties) yield* placesOf({ properties: one.properties }, steps)
}
const pathTo = (steps: Step[]): string =>
  steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

const places = [
  ...new Map([...placesOf(newAccountRequest)].map((place) => [pathTo(place.steps), place])).values(),
]

/** The request with another value at a place; blocks and lists on the way are made where they are missing. */
const withValue = (request: unknown, [step, ...rest]: Step[], value: unknown): unknown => {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const items = Array.isArray(request) ? [...request] : []
    items[step] = withValue(items[step], rest, value)
    return items
  }
  const block = typeof request === 'object' && request !== null && !Array.isArray(request) ? request : {}
  return { ...block, [step]: withValue((block as Record<string, unknown>)[step], rest, value) }
}

/** Which JSON types a place takes. */
const typesOf = (schema: Schema): string[] =>
  schema.anyOf ? schema.anyOf.flatMap(typesOf) : schema.type ? [schema.type] : []

const wrongTypes: [type: string, values: unknown[]][] = [
  ['number', [0, -1, 1.5, 1e308, 12345678]],
  ['boolean', [true, false]],
  ['array', [[[]], [1], ['AAAAAAAA'], [null]]],
  ['object', [{ a: 1 }, { toString: 'x' }, { $ne: null }]],
  ['string', ['text', "' or 1=1 --", '#{7*7}', '../../etc/passwd']],
]

/** Groups of places of which none lies within another, so that one request can have a wrong value at each. */
const apart = (all: typeof places, sizeMax = all.length): (typeof places)[] => {
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
const withAll = (request: unknown, group: typeof places, value: unknown): unknown =>
  group.reduce((now, { steps }) => withValue(now, steps, value), request)
const ofText = places.filter(({ schema }) => typesOf(schema).includes('string'))

describe('each field of new-account', () => {
  test('is in this test', () => {
    assert.ok(places.length > 150 && ofText.length > 120, `${places.length} ${ofText.length}`)
  })

  for (const [type, values] of wrongTypes) {
    test(`that takes no ${type} refuses one at its own path, all of them at once`, async () => {
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
    test(`that takes text refuses ${what}`, async () => {
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

  test('that takes text refuses a text of fifty thousand characters', async () => {
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

describe('texts that are taken', () => {
  test('are read back as they were answered, and read as themselves', async () => {
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

  test(`of applications and changes with random faults, none is a fault of ours (seed ${seed})`, async () => {
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
      { seed, numRuns: 700 },
    )
    const { accountStatus } = await read(service.alpha, accountNumber)
    assert.equal(accountStatus, 'Open')
  })
})

const boundary = '----form'
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const formOf = (content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `${field('documentTypeName', 'Identity Documents')}${field('reference', 'UTIL')}${field('accountNumber', accountNumber)}` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bill.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

describe('a form', () => {
  const sendForm = async (body: Buffer, contentType = `multipart/form-data; boundary=${boundary}`) =>
    service.send('/account-api/v1/add-document', {
      headers: { authorization: `Bearer ${await service.token('alpha')}`, 'content-type': contentType },
      body: new Uint8Array(body),
    })
  const documents = async () =>
    (await service.alpha.getDocumentDetails({ accountNumber, size: 1 })).data.total

  test('cut at any byte is refused, and keeps nothing', async () => {
    const whole = formOf(samplePng())
    const before = await documents()
    // Behind the last boundary nothing is missing.
    const end = whole.lastIndexOf('--\r\n')
    for (let at = 0; at < end; at += 1) {
      const answer = await sendForm(whole.subarray(0, at))
      answersWell(answer, `cut at ${at}`)
      assert.equal(answer.status, 400, `cut at ${at}: ${answer.text}`)
    }
    assert.equal(await documents(), before)
    assert.equal((await sendForm(whole)).status, 200)
  })

  test('with one byte changed anywhere is taken or refused, never a fault', async () => {
    const whole = formOf(samplePng())
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0x21
      answersWell(await sendForm(changed), `byte ${at}`)
    }
  })

  test('of 2,000 parts, without a boundary, or of other kinds is refused', async () => {
    const many = Buffer.concat([Buffer.from(field('comments', 'x').repeat(2_000)), formOf(samplePdf())])
    const cases: [Buffer, string | undefined][] = [
      [many, undefined],
      [formOf(samplePng()), 'multipart/form-data'],
      [formOf(samplePng()), 'multipart/form-data; boundary='],
      [formOf(samplePng()), 'multipart/form-data; boundary=other'],
      [formOf(samplePng()), 'multipart/mixed; boundary=----form'],
      [formOf(samplePng()), 'application/json'],
      [formOf(samplePng()), 'application/json\t; boundary=----form'],
      [Buffer.from('{}'), undefined],
      [Buffer.alloc(0), undefined],
      [Buffer.alloc(100_000, '-'), undefined],
      [Buffer.from(`--${boundary}\r\n${'X: y\r\n'.repeat(200_000)}`), undefined],
    ]
    for (const [body, contentType] of cases) {
      const answer = await sendForm(body, contentType)
      answersWell(answer, `${contentType} ${body.subarray(0, 40)}`)
      assert.ok([400, 413, 415].includes(answer.status), answer.text)
    }
  })
})

describe('media types', () => {
  for (const contentType of [
    'application/json\ta',
    ' application/json;charset=utf-7',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/json a',
    'text/json',
    '',
  ]) {
    test(`${JSON.stringify(contentType)} is not supported`, async () => {
      const answer = await service.post('get-account', { accountNumber }, { 'content-type': contentType })
      answersWell(answer, contentType)
      assert.equal(answer.status, 415)
    })
  }
})

describe('bytes that are not HTTP', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.address)
      const socket = connect(Number(port), hostname, () => socket.end(text))
      let answered = ''
      socket.on('data', (chunk) => {
        answered += chunk
      })
      socket.on('close', () => resolve(answered))
      socket.on('error', reject)
    })
  const path = '/account-api/v1/get-account'
  for (const [what, text] of [
    [
      'a body told of twice',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a bad chunk',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a folded header', `POST ${path} HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
    ['no host', `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
    ['headers of 20 kB', `POST ${path} HTTP/1.1\r\nHost: a\r\nX-A: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['noise', '\x00\x01\x02\x03\r\n\r\n'],
  ] as const) {
    test(`${what}: refused in the envelope, and the connection ends`, async () => {
      const answer = await raw(text)
      // Where an answer was under way already, the connection just ends.
      if (answer === '' && what === 'a bad chunk') return
      assert.match(answer, /^HTTP\/1\.1 4\d\d /)
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      assert.equal(body.hasErrors, true)
    })
  }

  // `stop` holds these answers against the contract, as it does all others.
  test('too many headers are answered as the contract says, on every kind of path', async () => {
    for (const [method, to] of [
      ['POST', path],
      ['POST', '/identity/connect/token'],
      ['GET', '/account-api/v1/events'],
      ['GET', '/health/live'],
    ] as const) {
      const answer = await service.send(to, { method, headers: { 'x-a': 'b'.repeat(20_000) } })
      assert.equal(answer.status, 431, to)
      assert.equal(answer.json.errors[0].code, 'ERR.2004')
    }
  })
})

test('no fault was logged while all of this went on', () => {
  const faults = service
    .log()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual(faults, [])
})
