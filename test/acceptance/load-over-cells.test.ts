/** A load over several cells, against a service that responds as the test says: what each cell gets. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadOverCells } from '../../cli/src/cells/load-over-cells.ts'
import { makeTestTerminal } from '../../cli/src/test-terminal.ts'
import { type Sent, startService, success } from '../../sdk/test/scripted-service.ts'

const cells = ['10', '55'].map((number, at) => ({
  name: `cell-${at}`,
  firstNumber: number,
  lastNumber: number,
}))
const counts = { received: 1, accepted: 1, duplicates: 0, conflicts: 0, rejected: 0, rejects: [] }

function answer({ path }: Sent) {
  return success(path.endsWith('/list-cells') ? { cells } : counts)
}

test('every cell gets its own lines, and the name of the file as the source of the load', async () => {
  await using service = await startService({ script: [answer] })
  const folder = await mkdtemp(join(tmpdir(), 'clearing-cells-'))
  try {
    const path = join(folder, 'activity.csv')
    await writeFile(path, 'acctNo,netAmount\n10000001,1\n55000001,2\n')
    const environment = {
      CLEARING_URL: service.baseUrl,
      CLEARING_CLIENT_ID: 'operations',
      CLEARING_CLIENT_SECRET: 'secret',
    }
    const given = { arguments: [], flags: new Map(), profile: undefined, json: true }
    await loadOverCells(
      { name: 'load-activity', path, request: {} },
      given,
      makeTestTerminal({ environment }),
    )
    const loads = service.calls.filter(({ path }) => path.includes('/load-activity'))
    assert.deepEqual(
      loads.map(({ path, headers, text }) => [headers['clearing-cell'], path.split('?')[1], text]).sort(),
      [
        ['cell-0', 'source=activity.csv', 'acctNo,netAmount\n10000001,1\n\n'],
        ['cell-1', 'source=activity.csv', 'acctNo,netAmount\n\n55000001,2\n'],
      ],
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
