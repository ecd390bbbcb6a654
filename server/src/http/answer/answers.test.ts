// Long responses, faults, sandbox faults and the service while it stops, as a caller sees them.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Rejection, reject } from '@clearing/protocol'
import { type Tracer, trace } from '@opentelemetry/api'
import { Answered, FileAnswer, Rejected, Streamed } from '../../answers.ts'
import { Calls } from '../../books/pace.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../../database/faults.ts'
import { until } from '../../database/test-waiting.ts'
import type { Context } from '../../operations/context.ts'
import type { Parts } from '../../operations/parts.ts'
import { closeHttp } from '../close-http.ts'
import { makeKeyring, send, sendRaw, startHttp, testOperations } from '../test-service.ts'

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
function codes(answer: { json: { errors: Rejection[] } }) {
  return answer.json.errors.map((error) => error.code)
}

async function* parts(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

test('a list is written inside the envelope as it is read', async () => {
  for (const [texts, due] of [
    [
      ['{"a":1}', '', '{"a":2},{"a":3}'],
      [{ a: 1 }, { a: 2 }, { a: 3 }],
    ],
    [[], []],
    [[''], []],
  ] as const) {
    await using http = await startHttp({ list: async () => new Streamed('activity', parts(...texts)) })
    const answer = await http.send('list', '{}')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json.data, { activity: due })
    assert.equal(answer.json.hasErrors, false)
    assert.equal(http.log.length, 1)
  }
})

test('the members after a list are read when the list has ended', async () => {
  let read = 0
  const counted = async function* (): AsyncGenerator<string> {
    for (; read < 3; read += 1) yield `{"a":${read}}`
  }
  const listed = () => new Streamed('activity', counted(), () => ({ totals: { read }, year: 2025 }))
  await using http = await startHttp({ list: async () => listed() })
  const { json } = await http.send('list', '{}')
  assert.deepEqual(json.data, { activity: [{ a: 0 }, { a: 1 }, { a: 2 }], totals: { read: 3 }, year: 2025 })
})

test('a list that fails before its first part gets an ordinary error response', async () => {
  const broken = async function* (): AsyncGenerator<string> {
    yield await Promise.reject(new DatabaseUnavailable('away', 'no database'))
  }
  await using http = await startHttp({ list: async () => new Streamed('activity', broken()) })
  const answer = await http.send('list', '{}')
  assert.equal(answer.status, 503)
  assert.deepEqual(codes(answer), ['ERR.5003'])
})

test('a call counts as running until it is answered or fails, and a load does not count', async () => {
  const running: number[] = []
  const count = async () => {
    running.push(http.calls.running)
    return {}
  }
  await using http = await startHttp({
    list: async () => {
      await count()
      throw new Error('a fault')
    },
    decide: count,
    load: count,
  })
  const asOperations = (operation: string, body: string, type: string) =>
    send(`${http.base}/operations-api/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: 'Bearer operations', 'content-type': type },
      body,
    })
  assert.equal((await http.send('list', '{}')).status, 500)
  assert.equal((await asOperations('decide', '{}', 'application/json')).status, 200)
  assert.equal((await asOperations('load?listName=a', '{"a":1}', 'application/x-ndjson')).status, 200)
  assert.deepEqual(running, [1, 1, 0])
  assert.equal(http.calls.running, 0)
})

test('a list that fails in the middle ends the connection and never looks complete', async () => {
  let handled = 0
  const breaking = async function* (): AsyncGenerator<string> {
    yield '{"a":1}'
    throw new DatabaseUnavailable('contended', 'worth repeating, but not now')
  }
  await using http = await startHttp({
    list: async () => {
      handled++
      return new Streamed('activity', breaking())
    },
  })
  await assert.rejects(http.send('list', '{}'))
  assert.equal(handled, 1)
  assert.ok(http.log.some(({ msg }) => msg === 'fault'))
})

test('a list is read no faster than the client reads, and reading stops when the client disconnects', async () => {
  let made = 0
  let ended = false
  const endless = async function* (): AsyncGenerator<string> {
    try {
      for (;;) {
        made++
        yield `"${'x'.repeat(65_536)}"`
      }
    } finally {
      ended = true
    }
  }
  await using http = await startHttp({ list: async () => new Streamed('activity', endless()) })
  const socket = connect(http.port, '127.0.0.1')
  socket.pause()
  socket.write(
    'POST /account-api/v1/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  let before = -1
  while (made !== before || made === 0) {
    before = made
    await pause(100)
  }
  assert.ok(made < 1_000, `${made} parts were made for a client that reads nothing`)
  socket.destroy()
  await until('the end of the response', () => ended)
})

test('the connection of a client that stops reading is closed', async () => {
  const endless = async function* (): AsyncGenerator<string> {
    for (;;) yield `"${'x'.repeat(65_536)}"`
  }
  await using http = await startHttp(
    { list: async () => new Streamed('activity', endless()) },
    { limits: { slowReaderTimeoutMs: 100 } },
  )
  const socket = connect(http.port, '127.0.0.1')
  socket.pause()
  socket.write(
    'POST /account-api/v1/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  await until('the end of the connection in the log', () => http.log.length > 0)
  socket.destroy()
})

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

test('a file is an attachment that no browser executes', async () => {
  await using http = await startHttp({
    'get-document': async () => new FileAnswer('Bill €.pdf', 'application/pdf', 6, pieces('%PDF', '-1')),
  })
  const answer = await http.send('get-document', '{}')
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '%PDF-1')
  const { headers } = answer
  assert.equal(headers.get('content-type'), 'application/pdf')
  assert.equal(headers.get('content-length'), '6')
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="Bill _.pdf"; filename*=UTF-8''Bill%20%E2%82%AC.pdf`,
  )
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('a file shorter than its declared size never looks complete', async () => {
  await using http = await startHttp({
    'get-document': async () => new FileAnswer('a.pdf', 'application/pdf', 9, pieces('%PDF')),
  })
  await assert.rejects(http.send('get-document', '{}'))
  assert.ok(http.log.some(({ msg }) => msg === 'fault'))
})

test('the rejections of a handler determine the status, and its message is in the envelope', async () => {
  let answer: unknown
  await using http = await startHttp({ echo: async () => answer })
  answer = new Rejected(
    [reject('ERR.1000', 'a', 'A is required.'), reject('ERR.2003', 'b', 'No such account.')],
    'Not here.',
  )
  const refused = await http.send('echo', '{"name":"a"}')
  assert.equal(refused.status, 404)
  assert.equal(refused.json.message, 'Not here.')
  assert.ok(!('data' in refused.json))
  answer = new Rejected([reject('ERR.1004', '', 'Closed.')], undefined, 3_600)
  const closed = await http.send('echo', '{"name":"a"}')
  assert.equal(closed.status, 503)
  assert.equal(closed.headers.get('retry-after'), '3600')
  answer = new Answered({ a: rawJson('123456789012345678.123456789') }, { message: 'Waits.', replayed: true })
  const done = await http.send('echo', '{"name":"a"}')
  assert.equal(done.json.message, 'Waits.')
  assert.equal(done.headers.get('idempotent-replayed'), 'true')
  assert.match(done.text, /"a":123456789012345678\.123456789[,}]/)
})

const canary = 'Zq7kW-219099998'
const faults: readonly [sentence: string, fault: unknown, status: number, code: string, retry: boolean][] = [
  ['an error', new Error('SELECT * FROM secret', { cause: new Error('inner') }), 500, 'ERR.5000', false],
  ['a text', canary, 500, 'ERR.5000', false],
  ['undefined', undefined, 500, 'ERR.5000', false],
  [
    'an error with a status of its own',
    Object.assign(new Error('x'), { statusCode: 418, body: canary }),
    500,
    'ERR.5000',
    false,
  ],
  ['an unavailable database', new DatabaseUnavailable('away', 'no'), 503, 'ERR.5003', true],
  ['an unknown outcome', new OutcomeUnknown('lost'), 503, 'ERR.5003', true],
]

for (const [sentence, fault, status, code, retry] of faults) {
  test(`a handler that throws ${sentence} is logged in full, and the response holds only ${code} and a traceId`, async () => {
    await using http = await startHttp({
      open: async () => {
        throw fault
      },
    })
    const answer = await http.send('open', `{"name":"a","note":"${canary}"}`)
    assert.equal(answer.status, status)
    assert.deepEqual(codes(answer), [code])
    assert.equal(answer.headers.has('retry-after'), retry)
    assert.doesNotMatch(answer.text, /SELECT|stack|\.ts|node_modules/)
    const logged = http.log.find(({ msg }) => msg === 'fault')
    assert.equal(logged?.traceId, answer.json.traceId)
    assert.doesNotMatch(http.logText(), new RegExp(canary))
    if (fault instanceof OutcomeUnknown) assert.match(answer.json.errors[0].reason, /same Idempotency-Key/)
  })
}

test('a handler that exceeds its time limit gets the response that the outcome is unknown', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  await using http = await startHttp(
    { open: () => promise, echo: () => promise },
    { limits: { handlingTimeoutMs: 50 } },
  )
  const write = await http.send('open', '{"name":"a"}')
  assert.equal(write.status, 503)
  assert.match(write.json.errors[0].reason, /unknown/)
  const read = await http.send('echo', '{"name":"a"}')
  assert.match(read.json.errors[0].reason, /nothing was changed/)
  resolve({})
})

test('a load that is cut off gets the response that some lines may be stored, whatever the fault', async () => {
  const faults = [new DatabaseUnavailable('away', 'no database'), new OutcomeUnknown('lost at COMMIT')]
  await using http = await startHttp({
    load: async () => {
      throw faults.pop() as Error
    },
  })
  while (faults.length > 0) {
    const answer = await send(`${http.base}/operations-api/v1/load?listName=OWN`, {
      method: 'POST',
      headers: { authorization: 'Bearer operations', 'content-type': 'application/x-ndjson' },
      body: '{}\n',
    })
    assert.equal(answer.status, 503)
    assert.match(answer.json.errors[0].reason, /some of its lines may be stored/)
  }
})

test('a call whose file is still being inspected at its time limit changes nothing, also later', async () => {
  const inspected = Promise.withResolvers<{ outcome: string }>()
  let handled = 0
  const parts = {
    sandbox: false,
    keyring: await makeKeyring(),
    loadThread: { calls: new Calls() },
    inspector: { inspect: () => inspected.promise },
  } as unknown as Parts
  await using http = await startHttp(
    {
      'add-document': async () => {
        handled += 1
        return { handled }
      },
    },
    { parts, limits: { handlingTimeoutMs: 50 } },
  )
  const form = () => {
    const body = new FormData()
    body.set('reference', 'one')
    body.set('file', new Blob(['one']), 'one.txt')
    return send(`${http.base}/document-api/v1/add-document`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer good' },
    })
  }
  const late = await form()
  assert.deepEqual([late.status, codes(late)], [503, ['ERR.5003']])
  assert.match(late.json.errors[0].reason, /nothing was changed/)
  inspected.resolve({ outcome: 'accepted' })
  assert.equal((await form()).json.data.handled, 1)
})

test('the errors of the handler are added to the errors of the reading, and its writes are rolled back', async () => {
  const asked: Context['refused'][] = []
  let outcome: () => unknown = () => ({})
  await using http = await startHttp({
    'new-account': async (_request: unknown, { refused }: Context) => {
      asked.push(refused)
      return outcome()
    },
  })
  const body = '{"name":5,"nonsense":1}'
  outcome = () =>
    new Rejected([...(asked[0]?.rejections ?? []), reject('ERR.1012', 'birthDate', 'Too young.')])
  assert.deepEqual(codes(await http.send('new-account', body)).sort(), ['ERR.1012', 'ERR.2001', 'ERR.2002'])
  assert.deepEqual([...(asked[0]?.paths ?? [])].sort(), ['name', 'nonsense'])
  // The request stays refused if the handler succeeds or fails.
  outcome = () => ({ accountNumber: '1' })
  assert.equal((await http.send('new-account', body)).status, 400)
  outcome = () => {
    throw new Error('name is missing')
  }
  assert.deepEqual(codes(await http.send('new-account', body)).sort(), ['ERR.2001', 'ERR.2002'])
})

test('the sandbox fails as the header requests, and production ignores the header', async () => {
  let called = 0
  const handlers = {
    open: async () => {
      called++
      return {}
    },
  }
  await using sandbox = await startHttp(handlers, { sandbox: true })
  const ask = (fault: string) => sandbox.send('open', '{"name":"a"}', { 'x-sandbox-fault': fault })
  assert.equal((await ask('500')).status, 500)
  const away = await ask('503')
  assert.equal(away.status, 503)
  assert.equal(away.headers.get('retry-after'), '1')
  assert.equal((await ask('429')).status, 429)
  assert.equal((await ask('nonsense')).status, 400)
  assert.equal(called, 0)
  assert.equal((await ask('slow=10')).status, 200)
  await assert.rejects(ask('drop-after-commit'))
  assert.equal(called, 2)
  await using production = await startHttp(handlers)
  assert.equal((await production.send('open', '{"name":"a"}', { 'x-sandbox-fault': '500' })).status, 200)
})

test('an operation of the clearing firm is open to each firm only in the sandbox', async () => {
  await using http = await startHttp({ decide: async () => ({}) }, { sandbox: true })
  const post = (path: string, token: string) =>
    fetch(`${http.base}${path}`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  assert.equal((await post('/sandbox-api/v1/decide', 'good')).status, 200)
  assert.equal((await post('/operations-api/v1/decide', 'good')).status, 403)
  assert.equal((await post('/operations-api/v1/decide', 'operations')).status, 200)
})

test('an operation without a known scope or without a handler prevents the start', async () => {
  await assert.rejects(
    startHttp(
      { echo: async () => ({}) },
      { operations: { echo: { ...testOperations.echo, scope: 'nobody' as never } } },
    ),
    /no known scope/,
  )
  await assert.rejects(startHttp({}, { operations: { echo: testOperations.echo } }), /has no handler/)
  const twice = {
    echo: testOperations.echo,
    open: { ...testOperations.open, aliases: ['/account-api/v1/echo'] },
  }
  await assert.rejects(
    startHttp({ echo: async () => ({}), open: async () => ({}) }, { operations: twice }),
    /want one path/,
  )
})

test('running requests are answered while the service stops, and new connections are refused', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  await using http = await startHttp({
    echo: async () => {
      begin()
      return promise
    },
  })
  const { app, base } = http
  const running = fetch(`${base}/account-api/v1/echo`, {
    method: 'POST',
    body: '{"name":"a"}',
    headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
  })
  await begun
  const closed = closeHttp(app, 5_000)
  await assert.rejects(fetch(base))
  resolve({ done: true })
  const answer = await running
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await closed
})

test('requests that exceed the time limit of the stop are cut off', async () => {
  await using http = await startHttp({ echo: () => new Promise(() => {}) })
  const running = sendRaw(
    http.port,
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}',
  ).catch(() => '')
  await pause(100)
  await closeHttp(http.app, 100)
  assert.equal(await running, '')
})

test('a call has the ids of its exported span', async () => {
  const ended: string[] = []
  const spanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
  const tracer: Tracer = {
    startSpan(name, _options, parent) {
      const span = trace.wrapSpanContext(
        parent === undefined ? spanContext : { ...spanContext, ...pick(trace.getSpanContext(parent)) },
      )
      span.end = () => ended.push(name)
      return span
    },
    startActiveSpan: () => {
      throw new Error('not used')
    },
  }
  await using http = await startHttp({ echo: async () => ({}) }, { tracer })
  const own = await http.send('echo', '{"name":"a"}')
  assert.equal(own.json.traceId, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
  const continued = await http.send('echo', '{"name":"a"}', {
    traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`,
  })
  assert.equal(continued.json.traceId, `00-${'c'.repeat(32)}-${'b'.repeat(16)}-01`)
  assert.deepEqual(ended, ['echo', 'echo'])
})
function pick(parent: { traceId: string } | undefined) {
  return parent === undefined ? {} : { traceId: parent.traceId }
}
