/** Moves of which the cell that received the firm was restored to a moment before the firm arrived. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { writeAuditRow } from '../../server/src/store/audit.ts'
import { prepareDirectory } from '../../server/src/store/cell-directory.ts'
import { firmTables } from '../../server/src/store/firm-tables.ts'
import { clearingFirmId } from '../../server/src/store/firms.ts'
import { type BetweenCells, runMove, writeSettings } from './move-command.ts'

let folder: string
let directory: TestDatabase
let databases: [old: TestDatabase, fresh: TestDatabase]
let between: BetweenCells

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-move-restored-'))
  directory = await createTestDatabase({ migrations: [] })
  await prepareDirectory(directory.owner)
  databases = [await createTestDatabase(), await createTestDatabase()]
  for (const database of databases) await query(database, insertFirm(clearingFirmId, 'Clearing'))
  between = { from: await settingsOf('cell-0', databases[0]), to: await settingsOf('cell-1', databases[1]) }
})
after(async () => {
  for (const database of [...(databases ?? []), directory]) await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function settingsOf(name: string, database: TestDatabase): Promise<string> {
  return writeSettings(folder, {
    CELL: name,
    ACCOUNT_NUMBERS: name === 'cell-0' ? '10-54' : '55-99',
    DIRECTORY_URL: directory.urls.owner,
    DATABASE_URL: database.urls.owner,
    DATA_DIR: join(folder, name),
    ISSUER: 'http://127.0.0.1:8080',
  })
}

/** Runs statements in a database as its superuser. */
async function query({ urls }: TestDatabase, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(urls.superuser)
  await client.connect()
  try {
    const results = []
    for (const statement of statements) results.push(await client.query(statement))
    return results.at(-1) as pg.QueryResult
  } finally {
    await client.end()
  }
}

async function auditRowsOf(database: TestDatabase, firmId: string): Promise<number | null> {
  return (await query(database, `select from clearing.audit where firm_id = '${firmId}'`)).rowCount
}

function insertFirm(firmId: string, name: string): string {
  return `insert into clearing.firm (firm_id, name, created_at) values ('${firmId}', '${name}', now())`
}

/** A firm with two audit rows. */
async function makeFirm(database: TestDatabase): Promise<string> {
  const firmId = randomUUID()
  await query(database, insertFirm(firmId, 'Delta'))
  for (const action of ['create-firm', 'update-firm']) await write(database, firmId, action)
  return firmId
}

function write({ operations }: TestDatabase, firmId: string, action: string): Promise<void> {
  return inTransaction(operations, { firm: null }, async (tx) => {
    writeAuditRow(tx, {
      firmId,
      at: new Date(),
      actor: 'operations',
      traceId: '',
      action,
      target: firmId,
      detail: {},
    })
  })
}

/** Makes the rows of the firm those of an earlier moment. */
function restore(database: TestDatabase, firmId: string, ...rows: string[]): Promise<pg.QueryResult> {
  const removals = firmTables
    .filter(({ by }) => by === 'firm_id')
    .map(({ name }) => `delete from clearing.${name} where firm_id = '${firmId}'`)
  const mark = `delete from clearing.moving_firm where firm_id = '${firmId}'`
  return query(database, 'set session_replication_role = replica', ...removals, mark, ...rows)
}

test('the old cell keeps its rows while the new cell lacks some of them, and can send them again', async () => {
  const [old, fresh] = databases
  const firmId = await makeFirm(old)
  assert.equal((await runMove(between, [firmId])).at(-1), 'Switched')
  assert.equal(await auditRowsOf(fresh, firmId), 2)
  const mark = (state: string) =>
    `insert into clearing.moving_firm (firm_id, state, other_cell) values ('${firmId}', '${state}', 'cell-0')`
  const beginnings = {
    'before the firm arrived': [],
    'while the firm arrived': [insertFirm(firmId, 'Delta'), mark('Arriving')],
    'after the firm left earlier': [insertFirm(firmId, 'Delta'), mark('Moved')],
  }
  for (const [moment, rows] of Object.entries(beginnings)) {
    await restore(fresh, firmId, ...rows)
    for (const words of [[], ['--remove']])
      await assert.rejects(runMove(between, [firmId, ...words]), /cell-1 lacks rows of the firm/, moment)
    assert.equal(await auditRowsOf(old, firmId), 2, moment)
  }
  await query(directory, `update directory.move set state = 'Frozen' where firm_id = '${firmId}'`)
  assert.deepEqual(await runMove(between, [firmId]), ['Frozen', 'Copied', 'Switched'])
  assert.equal(await auditRowsOf(fresh, firmId), 2)
})

test('a cell that was restored to a moment after the firm arrived is served', async () => {
  const [old, fresh] = databases
  const firmId = await makeFirm(old)
  await runMove(between, [firmId])
  await write(fresh, firmId, 'update-firm')
  assert.deepEqual(await runMove(between, [firmId, '--remove']), ['Removed'])
  assert.deepEqual([await auditRowsOf(old, firmId), await auditRowsOf(fresh, firmId)], [0, 3])
})
