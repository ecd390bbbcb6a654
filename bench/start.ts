/**
 * Measures the start of the sandbox, from its command until it is ready, with an empty data folder and with a
 * warm one.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, serviceWords, startProcess } from './house.ts'
import { median, type Row } from './measure.ts'

const rounds = 3

export async function rows(): Promise<Row[]> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'clearing-start-'))
    try {
      for (const times of [cold, warm]) {
        const port = await freePort()
        const environment = { PORT: String(port), DATA_DIR: folder }
        const service = await startProcess(serviceWords, environment, `http://127.0.0.1:${port}/health/ready`)
        times.push(service.readyMs / 1_000)
        await service.stop()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return [
    row('ready on an empty data folder', median(cold), 8),
    row('ready on a warm data folder', median(warm), 3),
  ]
}

function row(name: string, figure: number, target: number): Row {
  return {
    name,
    measured: `${figure.toFixed(1)} s`,
    floor: '',
    figure,
    target: `≤ ${target} s`,
    met: figure <= target,
    note: 'demonstration accounts included',
  }
}
