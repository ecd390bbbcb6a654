/** Moves of a firm that would replace what another cell has, and are refused before anything changes. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { claimNames, prepareDirectory } from '../../server/src/store/cell-directory.ts'
import { runMove, writeSettings } from './move-command.ts'

let folder: string
let directory: TestDatabase
let databases: [TestDatabase, TestDatabase]

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-move-refused-'))
  directory = await createTestDatabase({ migrations: [] })
  await prepareDirectory(directory.owner)
  databases = [await createTestDatabase(), await createTestDatabase()]
})
after(async () => {
  for (const database of [...(databases ?? []), directory]) await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function settingsOf(
  name: string,
  database: TestDatabase,
  more: Record<string, string> = {},
): Promise<string> {
  return writeSettings(folder, {
    CELL: name,
    ACCOUNT_NUMBERS: name === 'cell-0' ? '10-54' : '55-99',
    DIRECTORY_URL: directory.urls.owner,
    DATABASE_URL: database.urls.owner,
    DATA_DIR: join(folder, name),
    ISSUER: 'http://127.0.0.1:8080',
    ...more,
  })
}

/** Queries a database as its superuser. */
async function query({ urls }: TestDatabase, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(urls.superuser)
  await client.connect()
  try {
    return await client.query(sql, values)
  } finally {
    await client.end()
  }
}

async function makeFirm(database: TestDatabase, name: string): Promise<string> {
  const firmId = randomUUID()
  await query(database, 'insert into clearing.firm (firm_id, name, created_at) values ($1, $2, now())', [
    firmId,
    name,
  ])
  return firmId
}

async function movesOf(firmId: string): Promise<number | null> {
  return (await query(directory, 'select from directory.move where firm_id = $1', [firmId])).rowCount
}

test('between two files that lead to one database', async () => {
  const [first] = databases
  const firmId = await makeFirm(first, 'Delta')
  const between = { from: await settingsOf('cell-0', first), to: await settingsOf('cell-1', first) }
  for (const words of [[firmId], [firmId, '--remove'], [firmId, '--call-off']])
    await assert.rejects(runMove(between, words), /cell-0 and cell-1 have one database/)
  const { rowCount } = await query(first, 'select from clearing.firm where firm_id = $1', [firmId])
  assert.deepEqual([rowCount, await movesOf(firmId)], [1, 0])
})

test('with the folder of other documents than those of a cell', async () => {
  const [first, second] = databases
  const firmId = await makeFirm(first, 'Papers')
  const id = randomUUID()
  await query(second, 'insert into clearing.document_store (store_id) values ($1)', [id])
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const production = {
    CLEARING_MODE: 'production',
    ISSUER: 'https://clearing.example.com',
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: await mkdtemp(join(folder, 'documents-')),
  }
  const between = {
    from: await settingsOf('cell-0', first, production),
    to: await settingsOf('cell-1', second, production),
  }
  for (const words of [[firmId], [firmId, '--remove']])
    await assert.rejects(
      runMove(between, words),
      new RegExp(`cell-1: the folder of DOCUMENTS_DIR is not the document store of this database, .*${id}`),
    )
  assert.equal(await movesOf(firmId), 0)
})

test('between cells with other margin rates or concentrations', async () => {
  const [first, second] = databases
  const firmId = await makeFirm(first, 'Rates')
  const from = await settingsOf('cell-0', first, { MARGIN_RATES: '8.5' })
  for (const [setting, more] of [
    ['MARGIN_RATES', { MARGIN_RATES: '12' }],
    ['MARGIN_CONCENTRATION', { MARGIN_CONCENTRATION: '60=10' }],
  ] as const) {
    const to = await settingsOf('cell-1', second, more)
    await assert.rejects(runMove({ from, to }, [firmId]), new RegExp(`cell-1 have different ${setting}`))
    await assert.rejects(runMove({ from, to }, [firmId, '--call-off']), /The firm is not being moved/)
  }
  assert.equal(await movesOf(firmId), 0)
})

test('from a cell that was restored to a moment before the firm left', async () => {
  const [first, second] = databases
  const between = { from: await settingsOf('cell-0', first), to: await settingsOf('cell-1', second) }
  const claimed = await makeFirm(first, 'Claimed')
  await inTransaction(directory.owner, { firm: null }, (tx) =>
    claimNames(tx, 'cell-1', [{ kind: 'firm', name: claimed }]),
  )
  const served = await makeFirm(first, 'Served')
  await query(second, "insert into clearing.firm (firm_id, name, created_at) values ($1, 'Served', now())", [
    served,
  ])
  for (const firmId of [claimed, served]) {
    await assert.rejects(
      runMove(between, [firmId]),
      /cell-1 serves the firm, so that the rows in cell-0 are an old copy/,
    )
    assert.equal(await movesOf(firmId), 0)
  }
})
