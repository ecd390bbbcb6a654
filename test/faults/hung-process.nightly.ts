/** One of two processes hangs: the parent counts it no longer, kills it after a minute, and starts another. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../server/src/database/test-waiting.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

let service: ServiceProcess
before(async () => {
  service = await makeServiceProcess({ environment: { PROCESSES: '2' } })
  await service.start()
})
after(() => service?.dispose())

async function countProcesses(): Promise<number> {
  const answer = await fetch(`${service.address}/metrics`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  return Number(/^clearing_processes (\d+)$/m.exec(text)?.[1])
}

test('a process that hangs is replaced', { timeout: 300_000 }, async () => {
  await until('both processes serve', async () => (await countProcesses()) === 2)
  const pids = await service.processPids()
  const [hung] = pids as [number]
  process.kill(hung, 'SIGSTOP')
  await until('one process is counted', async () => (await countProcesses()) === 1)
  assert.deepEqual(await service.processPids(), pids)
  while ((await service.processPids()).includes(hung)) await pause(500)
  assert.match(service.output(), /"place":\d,"seconds":60,.*"a process did not answer and is killed"/)
  await until('both processes serve again', async () => (await countProcesses()) === 2)
})
