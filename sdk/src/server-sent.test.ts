import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readServerSent, type ServerSent } from './server-sent.ts'

async function read(pieces: readonly Uint8Array[]): Promise<ServerSent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const found: ServerSent[] = []
  for await (const each of readServerSent(body)) found.push(each)
  return found
}
function bytes(text: string) {
  return new TextEncoder().encode(text)
}

const cases: [string, string, ServerSent[]][] = [
  ['an event', 'id: 1\ndata: {"a":1}\n\n', [{ event: 'message', data: '{"a":1}', id: '1' }]],
  ['a comment', ': heartbeat\n\ndata: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
  ['an id alone', 'retry: 1000\nid: 7\n\n', [{ event: 'message', data: '', id: '7' }]],
  ['a name', 'event: reset\ndata:x\n\n', [{ event: 'reset', data: 'x', id: undefined }]],
  [
    'several lines of data',
    'data: a\ndata: b\ndata\n\n',
    [{ event: 'message', data: 'a\nb\n', id: undefined }],
  ],
  [
    'other line endings',
    'id: 1\r\ndata: ä\r\n\r\ndata: 2\r\rdata: 3\n\n',
    [
      { event: 'message', data: 'ä', id: '1' },
      { event: 'message', data: '2', id: '1' },
      { event: 'message', data: '3', id: '1' },
    ],
  ],
  [
    'an event that the end cuts off',
    'data: whole\n\ndata: half\n',
    [{ event: 'message', data: 'whole', id: undefined }],
  ],
]
for (const [what, text, expected] of cases) {
  test(`${what} is read, however the network divides it`, async () => {
    assert.deepEqual(await read([bytes(text)]), expected)
    const whole = bytes(text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length)), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length]
        const pieces = places.slice(1).map((place, at) => whole.slice(places[at], place))
        assert.deepEqual(await read(pieces), expected)
      }),
      { numRuns: 50 },
    )
  })
}
