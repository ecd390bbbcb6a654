import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/**
 * Keeps the last of every 64 kB of small buffers, a thousand times, and prints the bytes of the buffers after a
 * garbage collection.
 */
const program = `
  import { keepMemorySmall } from ${JSON.stringify(new URL('./memory-settings.ts', import.meta.url).href)}
  keepMemorySmall()
  const held = []
  for (let piece = 0; piece < 1_000; piece++) {
    for (let small = 0; small < 640; small++) Buffer.from('x'.repeat(100))
    held.push(Buffer.from('held'))
  }
  gc()
  console.log(process.memoryUsage().arrayBuffers, held.length)
`

test('one small buffer that stays in use does not keep many kilobytes of its neighbors in memory', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    program,
  ])
  const [bytes] = stdout.split(' ').map(Number)
  assert.ok((bytes as number) < 4_000_000, `${bytes} bytes`)
})
