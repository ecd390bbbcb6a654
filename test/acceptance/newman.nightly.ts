/**
 * Runs the Postman collection with newman itself, which is installed into a temporary folder because it brings 150
 * packages.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fetchFromNpm, runTool } from './fetched-tools.ts'
import { type RunningService, startRunningService } from './running-service.ts'

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
  if (!(await fetchFromNpm(folder, '--ignore-scripts', 'newman@6.2.2')))
    return t.skip('newman cannot be installed here')
  const collection = join(folder, 'collection.json')
  await writeFile(collection, await (await fetch(`${service.address}/postman.json`)).text())
  await writeFile(join(folder, 'run.cjs'), program)
  const printed = await runTool(process.execPath, ['run.cjs', collection, service.address], folder)
  const { requests, failures } = JSON.parse(printed)
  t.diagnostic(`${requests.total} requests`)
  assert.deepEqual(failures, [])
  assert.equal(requests.failed, 0)
})
