/** Doctor finds accounts whose numbers are outside the range of their cell, unless the directory knows them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { examine } from '../../server/src/commands/doctor.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { prepareDirectory, putCell } from '../../server/src/store/cell-directory.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { startRunningService } from './running-service.ts'

let database: TestDatabase
let directory: TestDatabase
let environment: Record<string, string>
/** The lowest and the highest first two digits of the accounts. */
let lowest: number
let highest: number

before(async () => {
  database = await createTestDatabase()
  directory = await createTestDatabase({ migrations: [] })
  environment = { DATABASE_URL: database.urls.owner, DATA_DIR: await makeTestFolder('numbers-') }
  const service = await startRunningService({ environment: { ...environment, ACCOUNT_NUMBERS: '40-60' } })
  await openAndFollow(service.alpha, applicationFor('Individual'))
  await service.stop()
  const { rows } = await database.operations.pg.query<{ beginning: number }>(
    'select left(account_number, 2)::int as beginning from clearing.account order by 1',
  )
  lowest = rows[0]?.beginning ?? assert.fail()
  highest = rows.at(-1)?.beginning ?? assert.fail()
})
after(async () => {
  await directory?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

async function findWrong(first: number, last: number): Promise<string> {
  const cell = { CELL: 'cell-0', ACCOUNT_NUMBERS: `${first}-${last}`, DIRECTORY_URL: directory.urls.owner }
  const findings = await examine({ ...environment, ...cell })
  return findings.flatMap(({ kind, text }) => (kind === 'wrong' ? [text] : [])).join()
}

test('an account outside the range is found, and one at either end of it is not', async () => {
  assert.equal(await findWrong(lowest, highest), '')
  assert.match(await findWrong(10, lowest - 1), /has a number outside ACCOUNT_NUMBERS/)
  assert.match(await findWrong(highest + 1, 99), /has a number outside ACCOUNT_NUMBERS/)
})

test('an account that came to the cell by a move is not found', async () => {
  await prepareDirectory(directory.owner)
  const cell = { name: 'cell-0', accountNumbers: { first: highest + 1, last: 99 } }
  await inTransaction(directory.owner, { firm: null }, (tx) => putCell(tx, cell))
  assert.match(await findWrong(highest + 1, 99), /has a number outside/)
  const { rows } = await database.operations.pg.query<{ firm: string; number: string }>(
    'select firm_id as firm, account_number as number from clearing.account',
  )
  const move = 'insert into directory.moved_account (firm_id, account_number, cell) values ($1, $2, $3)'
  for (const { firm, number } of rows) await directory.owner.pg.query(move, [firm, number, 'cell-1'])
  assert.match(await findWrong(highest + 1, 99), /has a number outside/)
  await directory.owner.pg.query("update directory.moved_account set cell = 'cell-0'")
  assert.equal(await findWrong(highest + 1, 99), '')
})
