/**
 * The service and the command line find changes that the owner of the database made in the audit trail, and name the
 * firm and the row. The service uses the signed heads in its document store. The command line works without the
 * service, with heads stored elsewhere.
 */
import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { SignedHead } from '@clearing/protocol/audit'
import { verifyAuditExport } from '../../cli/src/verify-audit-export.ts'
import { applicationFor } from './applications.ts'
import { alpha, type Files, type Places, type Tamper, tampers } from './audit-tampers.ts'
import { openAndFollow } from './calling.ts'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let clearing: CommandLine
let places: Places
/** The heads as another party has stored them. */
const heads: SignedHead[] = []
let keySet: Record<string, unknown>
before(async () => {
  service = await startRunningService()
  clearing = await openCommandLine()
  const first = await growAndSign()
  const second = await growAndSign()
  const last = await grow()
  for await (const head of service.operations.operations.listAuditHeads.each({})) heads.push(head)
  const ofAlpha = heads.filter(({ firmId }) => firmId === alpha).map(({ sequence }) => sequence)
  places = { signed: ofAlpha.reverse(), first, second, last }
  keySet = (await (await fetch(`${service.address}/audit/jwks`)).json()) as Record<string, unknown>
  await keepState()
})
after(async () => {
  await clearing?.[Symbol.asyncDispose]()
  await service?.stop()
})

function headsFolder() {
  return join(service.dataDir, 'documents', 'audit-heads')
}
async function fileOf(number: number): Promise<string> {
  const name = `a0d17000-0000-8000-8000-${String(number).padStart(12, '0')}`
  return join(headsFolder(), name.slice(-2), name)
}

/** Writes of both firms. Returns the length of Alpha's chain. */
async function grow(): Promise<number> {
  await openAndFollow(service.alpha, applicationFor('Individual'))
  for (let row = 0; row < 6; row += 1)
    await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'Individual',
    })
  await service.beta.accountNumber({ entityNumber: '302', repCode: 'BB01', registrationType: 'Individual' })
  const { rows } = await service.query('select sequence from clearing.audit_head where firm_id = $1', [alpha])
  return Number(rows[0].sequence)
}

/** The close of a day signs the heads. */
async function growAndSign(): Promise<number> {
  const sequence = await grow()
  await service.alpha.sandbox.advanceClock({ days: 4 })
  const [head] = (await service.operations.operations.listAuditHeads({ firmId: alpha, size: 1 })).data.heads
  assert.ok((head?.sequence ?? 0) >= sequence, 'the close has signed the chain')
  return head?.sequence ?? 0
}

const kept = ['audit', 'audit_head', 'audit_signed_head', 'seal_key', 'firm']
let bytesFunction: string

async function keepState(): Promise<void> {
  await service.query('create schema kept')
  for (const table of kept)
    await service.query(`create table kept.${table} as select * from clearing.${table}`)
  const { rows } = await service.query("select pg_get_functiondef('clearing.audit_bytes'::regproc) as text")
  bytesFunction = rows[0].text
  await cp(headsFolder(), `${headsFolder()}.kept`, { recursive: true })
}

/** Runs as a superuser, in whose session no trigger and no foreign key applies. */
function asOwner(sql: string) {
  return service.query(
    `set session_replication_role = replica; ${sql}; set session_replication_role = default`,
  )
}

async function putBack(): Promise<void> {
  await asOwner(`
    drop table if exists public.hidden cascade; ${bytesFunction};
    drop policy if exists hidden on clearing.audit;
    ${kept.map((table) => `delete from clearing.${table}; insert into clearing.${table} select * from kept.${table};`).join('\n')}`)
  await rm(headsFolder(), { recursive: true })
  await cp(`${headsFolder()}.kept`, headsFolder(), { recursive: true })
}

async function findFiles(): Promise<Files> {
  const names = await readdir(headsFolder(), { recursive: true })
  const numbers = names.map((name) => Number(/a0d17000-.*-(\d{12})$/.exec(name)?.[1] ?? 0))
  return {
    read: async (number) => readFile(await fileOf(number), 'utf8'),
    write: async (number, text) => writeFile(await fileOf(number), text),
    remove: async (number) => rm(await fileOf(number)),
    newest: Math.max(...numbers),
  }
}

async function commit({ sql, files }: Tamper): Promise<void> {
  if (sql !== undefined) await asOwner(typeof sql === 'string' ? sql : sql(places))
  await files?.(await findFiles())
}

async function verify() {
  return (await service.operations.operations.verifyAudit({})).data
}

/** Another party proves the export. */
async function verifyExport(format: 'CSV' | 'NDJSON') {
  const answer = await service.operations.operations.exportAudit({ format })
  const file = join(clearing.folder, answer.fileName)
  await writeFile(file, Buffer.from(await answer.bytes()))
  return verifyAuditExport({ file, heads, keySet, firmId: undefined })
}

describe('the service finds a tampered row:', { concurrency: 1 }, () => {
  test('reports none when nothing was changed', async () => {
    const { verified, firms } = await verify()
    assert.equal(verified, true, JSON.stringify(firms))
    for (const format of ['NDJSON', 'CSV'] as const) {
      const exported = await verifyExport(format)
      assert.equal(exported.verified, true, JSON.stringify(exported))
    }
  })

  for (const tamper of tampers) {
    test(tamper.what, async () => {
      const { row, firm = alpha, hidden } = tamper
      const expected = typeof row === 'function' ? row(places) : row
      await commit(tamper)
      try {
        const { verified, firms } = await verify()
        const found = firms.find(({ firmId }) => firmId === firm)?.firstBreak
        assert.equal(verified, false)
        assert.ok(found, `of another firm: ${JSON.stringify(firms)}`)
        if (expected !== undefined) assert.equal(found.sequence, expected, found.reason)
        const exported = await verifyExport('NDJSON')
        const inExport = exported.firms.find(({ firmId }) => firmId === firm)?.firstBreak
        assert.equal(exported.verified, hidden === true, JSON.stringify(inExport))
        if (hidden !== true && expected !== undefined)
          assert.equal(inExport?.sequence, expected, JSON.stringify(inExport))
      } finally {
        await putBack()
      }
      const { verified, firms } = await verify()
      assert.equal(verified, true, `put back: ${JSON.stringify(firms)}`)
    })
  }
})
