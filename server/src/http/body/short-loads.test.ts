/** A short load begins when its body has arrived, and a large one with the beginning of its body. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { shortLoadBytesMax } from '../../books/loads/short-load.ts'
import { until } from '../../database/test-waiting.ts'
import type { Context } from '../../operations/context.ts'
import { startHttp, type TestHttp } from '../test-service.ts'

let http: TestHttp
let begun = 0
before(async () => {
  http = await startHttp({
    load: async (_request: unknown, { body }: Context) => {
      begun += 1
      assert.ok(body.kind === 'lines')
      let bytes = 0
      for await (const piece of body.stream) bytes += piece.length
      return { bytes, isShort: body.isShort }
    },
  })
})
after(() => http[Symbol.asyncDispose]())

/**
 * Sends the pieces with pauses, and the last one when so many loads have begun. Returns the response and how many loads
 * had begun before the last piece.
 */
async function sendSlowly(
  pieces: readonly string[],
  begunFirst = 0,
): Promise<{ answer: string; begunBefore: number }> {
  begun = 0
  const socket = connect(http.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  const ended = new Promise((resolve) => socket.once('close', resolve))
  const bytes = pieces.join('').length
  socket.write(
    `POST /operations-api/v1/load?listName=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer operations\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  for (const piece of pieces.slice(0, -1)) {
    socket.write(piece)
    await pause(100)
  }
  await until('the loads that begin before the last piece', () => begun >= begunFirst)
  const begunBefore = begun
  socket.write(pieces.at(-1) ?? '')
  await ended
  return { answer, begunBefore }
}

test('a short load takes nothing from other calls while its body arrives', async () => {
  const { answer, begunBefore } = await sendSlowly(['{"a":1}\n', '{"a":2}\n', '{"a":3}\n'])
  assert.equal(begunBefore, 0)
  assert.match(answer, /"bytes":24,"isShort":true/)
})

test('a large load begins with the beginning of its body', async () => {
  const line = `${' '.repeat(shortLoadBytesMax)}\n`
  const { answer, begunBefore } = await sendSlowly([line, line], 1)
  assert.equal(begunBefore, 1)
  assert.match(answer, new RegExp(`"bytes":${2 * line.length},"isShort":false`))
})
