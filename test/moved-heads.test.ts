/**
 * The audit chain of a firm that moved: the signed heads of both cells verify in the new cell, and without the service.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SignedHead } from '@clearing/protocol/audit'
import pino from 'pino'
import { verifyAuditExport } from '../cli/src/verify-audit-export.ts'
import { AuditHeads } from '../server/src/audit/audit-heads.ts'
import { handProofsOver } from '../server/src/audit/moved-heads.ts'
import { renderKeySet } from '../server/src/audit/other-keys.ts'
import { inTransaction } from '../server/src/database/transaction.ts'
import { openFolderStore } from '../server/src/documents/folder-store.ts'
import { ensureClearingFirm } from '../server/src/identity/first-credential.ts'
import { prepareGround } from '../server/src/identity/test-service.ts'
import { eachChainRow, writeAuditRow } from '../server/src/store/audit.ts'
import { findHeads } from '../server/src/store/audit-heads.ts'

const firmId = randomUUID()

async function openCell(name: string) {
  const ground = await prepareGround()
  const { database, masterKeys, clock } = ground
  await ensureClearingFirm({ operations: database.operations, masterKeys, now: clock.now() })
  const folder = await mkdtemp(join(tmpdir(), `${name}-`))
  const owner = await database.superuser()
  await owner.query('set session_replication_role = replica')
  const heads = new AuditHeads({
    pool: database.operations,
    masterKeys,
    blobs: await openFolderStore(folder),
    clock: clock as never,
    log: pino({ level: 'silent' }),
    queueProof: async () => assert.fail('a chain was not signed'),
  })
  return {
    name,
    database,
    masterKeys,
    heads,
    folder,
    query: (sql: string, values?: unknown[]) => owner.query(sql, values),
    async sign(rows: number) {
      await inTransaction(database.operations, { firm: null }, async (tx) => {
        for (let row = 1; row <= rows; row += 1) {
          const at = clock.now()
          writeAuditRow(tx, { firmId, at, actor: 'test', action: 'write', traceId: '', detail: { row } })
        }
      })
      await heads.sign()
    },
    async breakOf() {
      const { firms } = await heads.verify(null, true)
      return firms.find(({ firstBreak }) => firstBreak !== null)?.firstBreak?.reason
    },
    async signed(): Promise<SignedHead[]> {
      return inTransaction(database.operations, { firm: null, readOnly: true }, (tx) =>
        findHeads(tx, firmId, undefined, 100),
      )
    },
    async [Symbol.asyncDispose]() {
      await ground[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
type Cell = Awaited<ReturnType<typeof openCell>>

const tables = ['firm', 'audit', 'audit_head']

async function copyFirm(from: Cell, to: Cell): Promise<void> {
  for (const table of tables) {
    const { rows } = await from.query(
      `select json_agg(row)::text as rows from clearing.${table} as row where firm_id = $1`,
      [firmId],
    )
    await to.query(
      `insert into clearing.${table} overriding system value select * from json_populate_recordset(null::clearing.${table}, $1)`,
      [rows[0].rows],
    )
  }
  const [one, other] = [from.database.operations, to.database.operations]
  await inTransaction(one, { firm: null }, (fromTx) =>
    inTransaction(other, { firm: null }, (toTx) =>
      handProofsOver({ ...from, tx: fromTx }, { ...to, tx: toTx }, firmId, new Date()),
    ),
  )
}

/** The responses of export-audit and /audit/jwks of the new cell, with the heads of both cells that the firm stored. */
async function verifyWithoutService(cell: Cell, heads: readonly SignedHead[]) {
  const file = join(cell.folder, 'export.ndjson')
  await inTransaction(cell.database.operations, { firm: null, readOnly: true }, async (tx) => {
    const rows: string[] = []
    for await (const page of eachChainRow(tx, firmId, 0)) rows.push(...page.map((row) => JSON.stringify(row)))
    await writeFile(file, `${rows.join('\n')}\n`)
  })
  const keySet = renderKeySet(await cell.heads.keys()) as never
  return verifyAuditExport({ file, heads, keySet, firmId })
}

test('signed heads of both cells verify the chain of a firm that moved, and the old cell reports nothing missing', async () => {
  await using from = await openCell('cell-a')
  await using to = await openCell('cell-b')
  await from.query("insert into clearing.firm (firm_id, name, created_at) values ($1, 'Moving', now())", [
    firmId,
  ])
  await to.heads.sign()
  for (const rows of [3, 2]) await from.sign(rows)
  const before = await from.signed()
  await copyFirm(from, to)
  for (const table of tables) await from.query(`delete from clearing.${table} where firm_id = $1`, [firmId])
  assert.equal(await from.breakOf(), undefined)
  await from.heads.sign()
  assert.equal(await from.breakOf(), undefined)

  assert.equal(await to.breakOf(), undefined)
  for (const rows of [2, 1]) await to.sign(rows)
  assert.equal(await to.breakOf(), undefined)
  const both = [...before, ...(await to.signed())]
  assert.equal(both.length, 4)
  const proved = await verifyWithoutService(to, both)
  assert.equal(proved.verified, true, JSON.stringify(proved))
  assert.equal(proved.firms[0]?.signed, 8)
  // Each cell numbers its heads itself. Two heads with the same number are therefore different heads.
  assert.ok(new Set(both.map(({ number }) => number)).size < both.length)

  const differences: readonly (readonly [change: string, back: string, found: RegExp])[] = [
    [
      'create table kept as table clearing.moved_signed_head; delete from clearing.moved_signed_head',
      'insert into clearing.moved_signed_head table kept; drop table kept',
      /not those that it follows/,
    ],
    [
      'update clearing.moved_signed_head set sequence = sequence - 1 where number = (select min(number) from clearing.moved_signed_head)',
      'update clearing.moved_signed_head set sequence = sequence + 1 where number = (select min(number) from clearing.moved_signed_head)',
      /not signed by a key of that cell|not those that it follows/,
    ],
    [
      "update clearing.other_seal_key set cell = 'cell-c'",
      "update clearing.other_seal_key set cell = 'cell-a'",
      /of cell cell-a is not signed by a key of that cell/,
    ],
  ]
  for (const [change, back, found] of differences) {
    await to.query(change)
    assert.match((await to.breakOf()) ?? '', found, change)
    await to.query(back)
    assert.equal(await to.breakOf(), undefined)
  }
  // The old cell reports rows that are missing without a signed move.
  await from.query('update clearing.firm_move set moved_at = now()')
  assert.match((await from.breakOf()) ?? '', /The chain ends at row 0/)
})
