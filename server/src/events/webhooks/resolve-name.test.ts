/** Names of receivers are resolved without the threads that the rest of the process needs. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { test } from 'node:test'
import { resolveName } from './resolve-name.ts'

/**
 * A name server that responds 192.0.2.1 to each question for an IPv4 address, and never to names that begin with
 * `hang`.
 */
async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const name = question.subarray(13, 17).toString()
    if (name === 'hang') return
    const end = question.indexOf(0, 12) + 5
    const isFour = question.readUInt16BE(end - 4) === 1
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0])
    const answer = isFour
      ? Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1])
      : Buffer.alloc(0)
    socket.send(
      Buffer.concat([question.subarray(0, 2), head, question.subarray(12, end), answer]),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    [Symbol.dispose]: () => void socket.close(),
  }
}

test('names whose server never responds do not delay other names', async () => {
  using server = await startNameServer()
  const { servers } = server
  let hanging = 0
  const hangs = Array.from({ length: 50 }, async (_, at) => {
    hanging++
    await assert.rejects(resolveName(`hang${at}.example`, { local: true, servers }), { code: 'ETIMEOUT' })
    hanging--
  })
  assert.deepEqual(await resolveName('hooks.example', { local: false, servers }), [
    { address: '192.0.2.1', family: 4 },
  ])
  assert.ok((await lookup('localhost')).address)
  assert.equal(hanging, 50)
  await Promise.all(hangs)
})

test('a name of the machine is found without a name server, and an unknown name is not', async () => {
  const servers = ['127.0.0.1:9']
  for (const local of [true, false])
    assert.equal((await resolveName('localhost', { local, servers }))[0]?.address, '127.0.0.1')
  await assert.rejects(resolveName('no-such-name.invalid', { local: false, servers }))
})
