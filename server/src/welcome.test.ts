/** The messages for people while the sandbox starts. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from './config/config.ts'
import { makeTestFolder } from './database/test-folder.ts'
import { explainFirstStart } from './welcome.ts'

/** The lines that a start prints if it becomes ready after the given time. */
function explainFor(t: TestContext, dataDir: string, readyAfterMs: number, isTTY = true): string[] {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const printed = t.mock.method(console, 'log', () => {})
  const { isTTY: before } = process.stdout
  process.stdout.isTTY = isTTY
  try {
    const stop = explainFirstStart(readConfig({ DATA_DIR: dataDir }, []))
    t.mock.timers.tick(readyAfterMs)
    stop()
    t.mock.timers.tick(60_000)
    return printed.mock.calls.map(({ arguments: [line] }) => String(line))
  } finally {
    process.stdout.isTTY = before
    t.mock.timers.reset()
    printed.mock.restore()
  }
}

test('a long first start reports what it makes and in which folder, and other starts and logged starts report nothing', async (t) => {
  const dataDir = await makeTestFolder('welcome-')
  try {
    const words = `The first start makes the database and the demonstration accounts in ${dataDir}. It takes up to a minute …`
    assert.deepEqual(explainFor(t, dataDir, 10_000), [words])
    assert.deepEqual(explainFor(t, dataDir, 1_000), [])
    assert.deepEqual(explainFor(t, dataDir, 10_000, false), [])
    mkdirSync(join(dataDir, 'postgres'))
    assert.deepEqual(explainFor(t, dataDir, 10_000), [])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
