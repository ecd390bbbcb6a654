/** The Postman collection under newman itself, which is installed into a temporary folder: it brings 150 packages. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type RunningService, startRunningService } from './running-service.ts'

const execute = promisify(execFile)
const timeoutMs = 300_000
const program = `
const newman = require('newman')
newman.run({ collection: process.argv[2], envVar: [{ key: 'baseUrl', value: process.argv[3] }], reporters: [] }, (error, summary) => {
  if (error) throw error
  const failures = summary.run.failures.map(({ source, error: { message } }) => source.name + ': ' + message)
  console.log(JSON.stringify({ requests: summary.run.stats.requests, failures }))
})
`

let service: RunningService
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'newman-'))
  service = await startRunningService({ withAccounts: true })
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('newman runs the collection without a failure', async (t) => {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'newman@6.2.2']
  const installed = await execute('npm', words, { cwd: folder, timeout: timeoutMs }).catch(() => undefined)
  if (installed === undefined) return t.skip('newman cannot be installed here')
  const collection = join(folder, 'collection.json')
  await writeFile(collection, await (await fetch(`${service.address}/postman.json`)).text())
  await writeFile(join(folder, 'run.cjs'), program)
  const { stdout } = await execute(process.execPath, ['run.cjs', collection, service.address], {
    cwd: folder,
    timeout: timeoutMs,
  })
  const { requests, failures } = JSON.parse(stdout)
  t.diagnostic(`${requests.total} requests`)
  assert.deepEqual(failures, [])
  assert.equal(requests.failed, 0)
})
