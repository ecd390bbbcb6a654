// A request takes effect once, however often it is sent. The tests use a real database and count effects in a table
// of their own.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import { openPool } from '../../database/pool.ts'
import { statement } from '../../database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../database/test-database.ts'
import { until } from '../../database/test-waiting.ts'
import { startFaultProxy } from '../../database/testing/fault-proxy.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Keyring } from '../../encryption/keyring.ts'
import { open as openSealed, seal } from '../../encryption/seal.ts'
import type { Context } from '../../operations/context.ts'
import { readText } from '../../store/compressed.ts'
import { keyOfCaller, lockOf, sweepStoredResponses } from '../../store/idempotency.ts'
import type { HttpLimits } from '../limits.ts'
import {
  firmId,
  makeKeyring,
  send,
  sendRaw,
  startHttp,
  type TestAnswer,
  type TestHttp,
} from '../test-service.ts'

let db: TestDatabase
let keyring: Keyring
let http: TestHttp
let nowMs = Date.UTC(2026, 5, 15)

const effect = statement<{ number: number }>(
  'test-effect',
  'insert into effect (text) values ($1) returning number',
)

/**
 * The effect of every writing operation of the test: a row with a number. The note of the request directs the handler.
 */
async function open(request: { name: string; note?: string }, { tx }: Context) {
  const row = await tx.row(effect, [request.name])
  if (request.note === 'refuse') return new Rejected([reject('ERR.1015', 'note', 'Refused.')])
  if (request.note === 'fail once' && failures++ === 0) throw new Error('a fault after the effect')
  if (gate !== undefined) await gate.pass()
  return { accountNumber: String(row?.number), name: request.name }
}
let failures = 0
/** Holds a handler after its effect, with its transaction open. */
let gate: Gate | undefined

class Gate {
  readonly #opened = Promise.withResolvers<void>()
  readonly #reached = Promise.withResolvers<void>()
  readonly reached = this.#reached.promise
  readonly open = this.#opened.resolve
  pass(): Promise<void> {
    this.#reached.resolve()
    return this.#opened.promise
  }
}

async function load(_request: unknown, { tx, body }: Context) {
  if (body.kind !== 'lines') throw new Error('no lines')
  let bytes = 0
  for await (const piece of body.stream) bytes += piece.length
  await tx.run(effect, ['load'])
  return { bytes }
}

async function addDocument(request: { reference: string }, { tx, body }: Context) {
  if (body.kind !== 'file') throw new Error('no file')
  const row = await tx.row(effect, [request.reference])
  return { documentId: row?.number, bytes: body.file.upload.bytes }
}

function start(settings: { limits?: Partial<HttpLimits>; app?: TestDatabase['app'] } = {}) {
  return startHttp(
    { open, 'new-account': open, load, 'add-document': addDocument, decide: open },
    {
      keyring,
      pools: { app: settings.app ?? db.app, operations: db.operations, loads: db.operations },
      clock: () => new Date(nowMs),
      ...(settings.limits ? { limits: settings.limits } : {}),
    },
  )
}

before(async () => {
  db = await createTestDatabase()
  await db.owner.pg.query(
    'create table clearing.effect (number integer generated always as identity, text text); grant select, insert on clearing.effect to clearing_app, clearing_operations',
  )
  await db.operations.pg.query(
    'insert into clearing.firm (firm_id, name, created_at) values ($1, $2, now())',
    [firmId, 'Alpha'],
  )
  keyring = await makeKeyring()
  http = await start()
})
after(async () => {
  await http[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})
beforeEach(async () => {
  failures = 0
  gate = undefined
  await db.owner.pg.query('truncate clearing.effect; truncate clearing.idempotency')
})

async function effects(): Promise<number> {
  return Number((await db.owner.pg.query('select count(*) from clearing.effect')).rows[0].count)
}
function codes(answer: TestAnswer) {
  return answer.json.errors.map((error: Rejection) => error.code)
}
function replayed(answer: TestAnswer) {
  return answer.headers.get('idempotent-replayed') === 'true'
}
function body(name: string, note?: string) {
  return JSON.stringify({ name, ...(note ? { note } : {}) })
}
function withKey(key: string, token = 'good') {
  return {
    'idempotency-key': key,
    authorization: `Bearer ${token}`,
  }
}

test('a repeat with the same key gets the stored response, also in another spelling', async () => {
  const first = await http.send('open', '{"name":"Ada","note":"x"}', withKey('k1'))
  assert.equal(first.status, 200)
  assert.equal(replayed(first), false)
  for (const again of ['{"name":"Ada","note":"x"}', '{ "NOTE":" x ", "Name":"ADA" }']) {
    const second = await http.send('open', again, withKey('"k1"'))
    assert.equal(second.status, 200)
    assert.equal(replayed(second), true)
    assert.deepEqual(second.json.data, first.json.data)
    assert.equal(second.json.message, first.json.message)
    assert.notEqual(second.json.traceId, first.json.traceId)
  }
  assert.equal(await effects(), 1)
})

test('the same key with a different request is refused', async () => {
  await http.send('open', body('Ada'), withKey('k1'))
  const answer = await http.send('open', body('Eva'), withKey('k1'))
  assert.equal(answer.status, 422)
  assert.deepEqual(codes(answer), ['ERR.2008'])
  assert.equal(
    answer.json.errors[0].reason,
    'The idempotency key was used with another request. Use a new key for each request.',
  )
  assert.equal(await effects(), 1)
})

test('a key belongs to one client and one operation', async () => {
  await http.send('open', body('Ada'), withKey('k1'))
  assert.equal(replayed(await http.send('open', body('Ada'), withKey('k1', 'other'))), false)
  assert.equal(replayed(await http.send('new-account', body('Ada'), withKey('k1'))), false)
  assert.equal(await effects(), 3)
})

const keys: readonly [sentence: string, key: string, status: number][] = [
  ['one character', 'k', 200],
  ['255 characters', 'k'.repeat(255), 200],
  ['spaces and marks', 'a b;c="d"', 200],
  ['quotes of the IETF draft around 255 characters', `"${'k'.repeat(255)}"`, 200],
  ['256 characters', 'k'.repeat(256), 400],
  ['letters beyond ASCII', 'ké', 400],
  ['nothing', '', 400],
  ['no characters between quotes', '""', 400],
]
for (const [sentence, key, status] of keys) {
  test(`a key of ${sentence} is ${status === 200 ? 'accepted' : 'refused'}`, async () => {
    const answer = await http.send('open', body('Ada'), withKey(key))
    assert.equal(answer.status, status)
    if (status === 400) assert.deepEqual(codes(answer), ['ERR.2004'])
  })
}

test('two keys are refused', async () => {
  const answer = await sendRaw(
    http.port,
    'POST /account-api/v1/open HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
})

test('refusals and failures are not stored, so the key can be used for the corrected request', async () => {
  assert.equal((await http.send('open', '{"name":5}', withKey('k1'))).status, 400)
  assert.equal((await http.send('open', body('Ada', 'refuse'), withKey('k1'))).status, 400)
  assert.equal((await http.send('open', body('Ada', 'fail once'), withKey('k1'))).status, 500)
  assert.equal(await effects(), 0)
  const done = await http.send('open', body('Ada', 'fail once'), withKey('k1'))
  assert.equal(done.status, 200)
  assert.equal(replayed(done), false)
  assert.equal(await effects(), 1)
})

test('a handler that runs only to find more errors has no effect', async () => {
  const answer = await http.send('new-account', '{"name":"Ada","nonsense":1}')
  assert.equal(answer.status, 400)
  assert.deepEqual(codes(answer), ['ERR.2001'])
  assert.equal(await effects(), 0)
})

test('twenty equal concurrent requests with one key have one effect on two instances', async () => {
  await using second = await start()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      (number % 2 === 0 ? http : second).send('open', body('Ada'), withKey('race')),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(20).fill(200),
  )
  assert.equal(new Set(answers.map(({ json }) => json.data.accountNumber)).size, 1)
  assert.equal(answers.filter((answer) => !replayed(answer)).length, 1)
  assert.equal(await effects(), 1)
})

test('twenty equal concurrent submissions without a key open one account on two instances', async () => {
  await using second = await start()
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? http : second).send('new-account', body(`Round ${'abcde'[round]}`)),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(20).fill(200),
    )
    assert.equal(new Set(answers.map(({ json }) => json.data.accountNumber)).size, 1)
    assert.equal(answers.filter((answer) => !replayed(answer)).length, 1)
  }
  assert.equal(await effects(), 5)
})

test('only a submission is recognized as a repeat without a key, for ten minutes', async () => {
  const first = await http.send('new-account', body('Ada'))
  nowMs += limits.repeatWindowMinutes * 60_000 - 1
  const repeat = await http.send('new-account', '{"NAME":"ada"}')
  assert.equal(replayed(repeat), true)
  assert.deepEqual(repeat.json.data, first.json.data)
  nowMs += 1
  assert.equal(replayed(await http.send('new-account', body('Ada'))), false)
  assert.equal(replayed(await http.send('new-account', body('Eva'))), false)
  assert.equal(await effects(), 3)
  await http.send('open', body('Ada'))
  assert.equal(replayed(await http.send('open', body('Ada'))), false)
})

test('a submission with a key is recognized when it is repeated without a key, but not with another key', async () => {
  const first = await http.send('new-account', body('Ada'), withKey('k1'))
  assert.deepEqual((await http.send('new-account', body('Ada'))).json.data, first.json.data)
  assert.equal(replayed(await http.send('new-account', body('Ada'), withKey('k2'))), false)
  assert.equal(await effects(), 2)
})

test('a submission with a key is recognized without it, also when an earlier equal one has expired and was not removed', async () => {
  await http.send('new-account', body('Ada'), withKey('k1'))
  nowMs += limits.repeatWindowMinutes * 60_000
  const second = await http.send('new-account', body('Ada'), withKey('k2'))
  assert.equal(replayed(second), false)
  const repeat = await http.send('new-account', body('Ada'))
  assert.deepEqual([replayed(repeat), repeat.json.data], [true, second.json.data])
  assert.equal(await effects(), 2)
})

test('a submission that finds its concurrent duplicate with a key only at COMMIT gets the same response', async () => {
  const held = new Gate()
  gate = held
  const keyless = http.send('new-account', body('Ada'))
  await held.reached
  gate = undefined
  const keyed = await http.send('new-account', body('Ada'), withKey('k1'))
  assert.equal(keyed.status, 200)
  held.open()
  assert.deepEqual((await keyless).json.data, keyed.json.data)
  assert.equal(await effects(), 1)
})

test('a key is stored for seven days and can then be used again', async () => {
  await http.send('open', body('Ada'), withKey('k1'))
  nowMs += limits.idempotencyKeptDays * 86_400_000 - 1
  assert.equal(replayed(await http.send('open', body('Ada'), withKey('k1'))), true)
  nowMs += 1
  assert.equal(replayed(await http.send('open', body('Eva'), withKey('k1'))), false)
  assert.equal(replayed(await http.send('open', body('Eva'), withKey('k1'))), true)
  assert.equal(await effects(), 2)
})

test('expired responses are removed', async () => {
  await http.send('open', body('Ada'), withKey('k1'))
  await http.send('new-account', body('Ada'))
  const later = new Date(nowMs + limits.repeatWindowMinutes * 60_000)
  assert.equal(
    await inTransaction(db.operations, { firm: null }, (tx) => sweepStoredResponses(tx, later, 10)),
    1,
  )
  assert.equal(replayed(await http.send('open', body('Ada'), withKey('k1'))), true)
})

test('a concurrent duplicate waits for the first request, and gets ERR.2009 when its wait ends', async () => {
  await using here = await start({ limits: { duplicateWaitMs: 200 } })
  await using there = await start({ limits: { duplicateWaitMs: 200 } })
  const held = new Gate()
  gate = held
  const first = here.send('open', body('Ada'), withKey('k1'))
  await held.reached
  for (const duplicate of [
    await here.send('open', body('Ada'), withKey('k1')),
    await there.send('open', body('Ada'), withKey('k1')),
  ]) {
    assert.equal(duplicate.status, 409)
    assert.deepEqual(codes(duplicate), ['ERR.2009'])
    assert.equal(duplicate.headers.get('retry-after'), '1')
  }
  const patient = http.send('open', body('Ada'), withKey('k1'))
  held.open()
  assert.equal((await first).status, 200)
  assert.deepEqual((await patient).json.data, (await first).json.data)
  assert.equal(await effects(), 1)
})

const scope = { firmId, clientId: 'alpha', operation: 'open' }
async function advisoryLocks() {
  const locks = await db.owner.pg.query(
    "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  )
  return locks.rowCount ?? 0
}
test('the key of a process that dies can be used again', async () => {
  const dying = await db.app.acquire()
  await dying.query('begin')
  await dying.query('select pg_advisory_xact_lock($1)', [lockOf(keyOfCaller(scope, 'k1')).toString()])
  await using hasty = await start({ limits: { duplicateWaitMs: 0 } })
  assert.equal((await hasty.send('open', body('Ada'), withKey('k1'))).status, 409)
  dying.release(true)
  await until('the end of the session', async () => (await advisoryLocks()) === 0)
  assert.equal((await hasty.send('open', body('Ada'), withKey('k1'))).status, 200)
})

test('a connection lost at COMMIT leaves the outcome unknown, and a retry with the key has one effect', async () => {
  await using proxy = await startFaultProxy(db.urls.app)
  const app = openPool({ name: 'app', url: proxy.through(db.urls.app), limits: { connectionsMax: 2 } })
  try {
    await using cut = await start({ app })
    for (const at of ['before-commit', 'after-commit', 'before-reply'] as const) {
      for (const [operation, headers] of [
        ['open', withKey(at)],
        ['new-account', {}],
      ] as const) {
        const before = await effects()
        proxy.inject({ kind: 'cut', at })
        const lost = await cut.send(operation, body(`Cut ${at}`), headers)
        assert.equal(lost.status, 503)
        assert.deepEqual(codes(lost), ['ERR.5003'])
        assert.ok(lost.headers.has('retry-after'))
        const retried = await cut.send(operation, body(`Cut ${at}`), headers)
        assert.equal(retried.status, 200)
        assert.equal(await effects(), before + 1, `${at} ${operation}`)
      }
    }
  } finally {
    await app.end()
  }
})

test('a stored response is sealed, and its key reveals nothing of the request', async () => {
  await http.send('new-account', body('Canary'), withKey('Canary'))
  const { rows } = await db.operations.pg.query('select * from clearing.idempotency')
  assert.equal(rows.length, 2)
  for (const row of rows) {
    for (const value of Object.values(row)) {
      const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
      assert.doesNotMatch(text, /canary/i)
    }
  }
})

test('an uncompressed response of an earlier release is sent unchanged', async () => {
  const first = await http.send('open', body('Ada'), withKey('k1'))
  const { rows } = await db.operations.pg.query('select * from clearing.idempotency')
  const [row] = rows
  const place = {
    firm: firmId,
    table: 'idempotency',
    column: 'answer',
    row: [row.client_id, row.operation, row.kind, row.key_hash.toString('hex')].join('\n'),
  }
  const keys = await keyring.load(firmId)
  const plain = seal(keys, readText(openSealed(keys, row.answer, place)), place)
  await db.owner.pg.query('update clearing.idempotency set answer = $1', [plain])
  const again = await http.send('open', body('Ada'), withKey('k1'))
  assert.equal(replayed(again), true)
  assert.deepEqual(again.json.data, first.json.data)
})

test('a stored response with personal numbers is not sent to a token that may not read them', async () => {
  await http.send('open', body('Ada'), withKey('k1'))
  const masked = await http.send('open', body('Ada'), withKey('k1', 'masked'))
  assert.equal(masked.status, 403)
  assert.deepEqual(codes(masked), ['ERR.3004'])
  await http.send('open', body('Ada'), withKey('k2', 'masked'))
  assert.equal(replayed(await http.send('open', body('Ada'), withKey('k2'))), true)
  assert.equal(await effects(), 2)
})

function sendLines(lines: string, key?: string) {
  return send(`${http.base}/operations-api/v1/load?listname=a&SIZE=3`, {
    method: 'POST',
    body: lines,
    headers: {
      authorization: 'Bearer operations',
      'content-type': 'application/x-ndjson',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  })
}

test('a repeat of a body of lines is compared by its content', async () => {
  const lines = '{"a":1}\n'.repeat(100_000)
  const first = await sendLines(lines, 'k1')
  assert.equal(first.status, 200, first.text)
  assert.equal(first.json.data.bytes, lines.length)
  assert.equal(replayed(await sendLines(lines, 'k1')), true)
  assert.equal((await sendLines(`${lines}\n`, 'k1')).status, 422)
  assert.equal(await effects(), 1)
  assert.equal((await sendLines(lines)).status, 200)
  assert.equal(await effects(), 2)
})

test('a repeat of a form is compared by its fields and its file', async () => {
  const sendFile = (content: string, reference = 'UTIL') => {
    const form = new FormData()
    form.set('reference', reference)
    form.set('file', new Blob([content]), 'a.pdf')
    return send(`${http.base}/account-api/v1/add-document`, {
      method: 'POST',
      body: form,
      headers: withKey('k1'),
    })
  }
  const first = await sendFile('%PDF')
  assert.equal(first.status, 200, first.text)
  assert.deepEqual((await sendFile('%PDF')).json.data, first.json.data)
  assert.equal((await sendFile('%PDX')).status, 422)
  assert.equal((await sendFile('%PDF', 'BANK')).status, 422)
  assert.equal(await effects(), 1)
})
