/**
 * The acceptance tests of firms pass through the router of two cells as they do with one service. These tests are left
 * out: those that read the database or the log of Beta, choose account numbers of any range (opening, validating,
 * households), start a service with their own settings, load lines for firms of both cells without `--cells`
 * (missing-lines), or have webhooks on this machine, which a sandbox behind a proxy refuses. `once` and
 * `malformed-fields` received responses of the router itself on a busy machine.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { routerMissing } from '../router-of-cells.ts'
import { throughCellsVariable } from './running-service.ts'

const files = [
  'amending',
  'history',
  'documents',
  'loads',
  'record',
  'forms',
  'signed-amounts',
  'spelling',
  'pending-lines',
  'realized-gains',
  'uploads-in-turn',
  'rejected-lines',
  'accrued-interest',
  'any-application',
  'beyond-range',
  'conflicts',
  'emptied-accounts',
  'late-rates',
  'not-entitled',
  'day-of-rules',
  'cash-accounts',
  'call-extensions',
  'findings',
  'published-rules',
]

test('the acceptance tests of firms pass through the router of two cells', { skip: routerMissing }, () => {
  const root = resolve(import.meta.dirname, '../..')
  const words = files.map((name) => `test/acceptance/${name}.test`)
  const environment: NodeJS.ProcessEnv = { ...process.env, [throughCellsVariable]: '1' }
  // A folder of this run: the files inside start their own server.
  for (const name of Object.keys(environment))
    if (/^(NODE_TEST|CLEARING_TEST_SERVER)/.test(name)) delete environment[name]
  const ended = spawnSync(process.execPath, ['test/run.ts', ...words], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  })
  assert.equal(ended.status, 0, ended.stdout.slice(-8_000) + ended.stderr.slice(-2_000))
})
