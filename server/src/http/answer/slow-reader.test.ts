/**
 * A slow client gets the whole list, even if it pauses longer than a transaction may be idle in the database. A client
 * that stops reading loses its connection.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Streamed } from '../../answers.ts'
import { statement } from '../../database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../database/test-database.ts'
import type { Context } from '../../operations/context.ts'
import { startHttp } from '../test-service.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database?.[Symbol.asyncDispose]())

const idleMsMax = 4_000
const rows = 400
const selectRows = statement<{ text: string }>(
  'select-slowly-read',
  "select repeat('x', 50000) as text from generate_series(1, $1::int)",
)

async function* inPages({ tx }: Context): AsyncGenerator<string> {
  for await (const page of tx.pages(selectRows, [rows], 10)) {
    yield page.map(({ text }) => JSON.stringify(text)).join()
  }
}

test('a client that pauses longer than a transaction may be idle gets the whole list', async () => {
  const app = database.open('app', { idleInTransactionTimeoutMs: idleMsMax })
  await using http = await startHttp(
    { list: async (_request, context) => new Streamed('activity', inPages(context)) },
    { pools: { app, operations: database.operations, loads: database.operations } },
  )
  const socket = connect(http.port, '127.0.0.1')
  let received = 0
  let tail = ''
  socket.on('data', (piece) => {
    received += piece.length
    tail = (tail + piece.toString('latin1')).slice(-200)
  })
  socket.write(
    'POST /account-api/v1/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  await once(socket, 'data')
  socket.pause()
  await pause(idleMsMax * 1.75)
  const early = received
  socket.resume()
  await once(socket, 'close')
  assert.ok(early < rows * 50_000, 'the reader paused after the end')
  assert.ok(received > rows * 50_000, `${received} bytes were received`)
  assert.match(tail, /"hasErrors":false\}/)
})

/** Far more than the reader's pause takes on a busy machine. */
const slowReaderTimeoutMs = 1_500
const longText = 'x'.repeat(30_000_000)
const call =
  'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}'

function startWithLongAnswer() {
  const app = database.open('app')
  return startHttp(
    { echo: async () => ({ text: longText }) },
    {
      pools: { app, operations: database.operations, loads: database.operations },
      limits: { slowReaderTimeoutMs },
    },
  )
}

test('the connection of a client that stops reading a complete response is closed', async () => {
  await using http = await startWithLongAnswer()
  const accepted = once(http.app.server, 'connection') as Promise<[Socket]>
  const client = connect(http.port, '127.0.0.1').pause()
  client.write(call)
  const [socket] = await accepted
  await once(socket, 'close')
  client.destroy()
})

test('a client that pauses for a shorter time gets whole responses, and may wait before its next request', async () => {
  await using http = await startWithLongAnswer()
  const client = connect(http.port, '127.0.0.1')
  let received = 0
  client.on('data', (piece) => {
    received += piece.length
  })
  for (const count of [1, 2]) {
    client.write(call)
    await once(client, 'data')
    client.pause()
    await pause(100)
    client.resume()
    while (received < count * longText.length) await once(client, 'data')
    await pause(slowReaderTimeoutMs * 1.2)
    assert.ok(!client.readableEnded)
  }
  client.destroy()
})
