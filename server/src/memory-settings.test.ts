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

/**
 * Replaces old objects many times while two thousand of them stay in use, and prints the number of full collections.
 */
function programThatReplaces(setting: string): string {
  return `
    import { PerformanceObserver, constants } from 'node:perf_hooks'
    import * as settings from ${JSON.stringify(new URL('./memory-settings.ts', import.meta.url).href)}
    settings.keepMemorySmall()
    settings.${setting}()
    let collections = 0
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1
    }).observe({ entryTypes: ['gc'] })
    const held = []
    for (let at = 0; at < 100_000; at++) {
      held[at % 2_000] = new Array(2_000).fill(0.5)
      if (at % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve))
    }
    console.log(collections)
  `
}

async function countCollections(setting: string): Promise<number> {
  const words = ['--input-type=module', '--eval', programThatReplaces(setting)]
  return Number((await promisify(execFile)(process.execPath, words)).stdout)
}

test('a heap has fewer full collections while there is room for loads', async () => {
  const [usual, withRoom] = [
    await countCollections('endRoomForLoads'),
    await countCollections('makeRoomForLoads'),
  ]
  assert.ok(withRoom < 0.8 * usual, `${withRoom} full collections instead of ${usual}`)
})

/** Starts a thread that allocates, and prints its space for young objects in MB. */
function programThatStarts(setting: string): string {
  return `
    import { Worker } from 'node:worker_threads'
    import * as settings from ${JSON.stringify(new URL('./memory-settings.ts', import.meta.url).href)}
    settings.keepMemorySmall()
    settings.${setting}()
    const allocate = \`
      import { getHeapSpaceStatistics } from 'node:v8'
      const held = []
      for (let at = 0; at < 3_000_000; at++) held[at % 20_000] = { at, text: 'x' + at }
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      console.log(young.space_size / 2 ** 20)
    \`
    new Worker(allocate, { eval: true })
  `
}

test('only the thread of loads has 32 MB for young objects', async () => {
  const sizes: number[] = []
  for (const setting of ['endRoomForLoads', 'makeRoomForLoads']) {
    const words = ['--max-semi-space-size=8', '--input-type=module', '--eval', programThatStarts(setting)]
    sizes.push(Number((await promisify(execFile)(process.execPath, words)).stdout))
  }
  assert.deepEqual(sizes, [16, 32])
})

test('a heap is small below 256 MB for old objects', async () => {
  const memory = JSON.stringify(new URL('./memory-settings.ts', import.meta.url).href)
  const read = `import { readHeapLimit } from ${memory}; console.log(readHeapLimit().isSmall)`
  for (const [megabytes, isSmall] of [
    [128, 'true'],
    [256, 'false'],
  ] as const) {
    const words = [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=8', '--input-type=module']
    const { stdout } = await promisify(execFile)(process.execPath, [...words, '--eval', read])
    assert.equal(stdout.trim(), isSmall)
  }
})
