/**
 * The Arazzo document that the service offers. A third-party tool runs every workflow of it, and checks each response
 * against the contract.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { runTool } from './fetched-tools.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const redocly = resolve(import.meta.dirname, '../../node_modules/.bin/redocly')
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off' }

let service: RunningService
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflows-'))
  service = await startRunningService({ withAccounts: true })
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { workflowId: string; status: string }[] }>
  >
}
interface Document {
  readonly workflows: readonly { workflowId: string }[]
}

test('Redocly Respect runs every workflow of arazzo.json against the service', async () => {
  for (const name of ['openapi.json', 'arazzo.json'])
    await writeFile(join(folder, name), (await service.send(`/${name}`, { method: 'GET' })).text)
  await runTool(redocly, ['lint', 'arazzo.json', '--extends=spec'], folder, environment)
  const server = `clearing=${service.address}`
  await runTool(redocly, ['respect', 'arazzo.json', '-S', server, '-J', 'run.json'], folder, environment)
  const { files } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as Run
  const { workflows } = JSON.parse(await readFile(join(folder, 'arazzo.json'), 'utf8')) as Document
  assert.deepEqual(
    files['arazzo.json']?.executedWorkflows.map(({ workflowId, status }) => [workflowId, status]),
    workflows.map(({ workflowId }) => [workflowId, 'success']),
  )
})
