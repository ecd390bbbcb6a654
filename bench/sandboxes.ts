/**
 * Measures create-sandbox when a sandbox is prepared. The first one of a service makes the template, and is
 * not counted.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@clearing/sdk'
import { freePort, startProcess } from './house.ts'
import { median, type Row } from './measure.ts'

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
const rounds = 9
/** Time to prepare the next sandbox. */
const restMs = 3_000

export async function rows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clearing-sandboxes-'))
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const service = await startProcess(
    [main, '--empty'],
    { PORT: String(port), DATA_DIR: folder },
    `${baseUrl}/health/ready`,
  )
  try {
    const client = createClient({ baseUrl, clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' })
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const startedMs = performance.now()
      const { data } = await client.sandbox.createSandbox({})
      if (round > 0) times.push(performance.now() - startedMs)
      await client.sandbox.deleteSandbox({ sandboxId: data.sandboxId })
      await pause(restMs)
    }
    const figure = median(times)
    return [
      {
        name: 'create-sandbox',
        measured: `${figure.toFixed(1)} ms`,
        floor: '',
        figure,
        target: '≤ 50 ms',
        met: figure <= 50,
        note: 'one is prepared; from the request to the address that answers',
      },
    ]
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
