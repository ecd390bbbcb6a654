import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StatementFailed } from '../database/faults.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { loadFirmKeys } from './firms.ts'

const [alphaFirm, betaFirm] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
let ground: TestGround
before(async () => {
  ground = await prepareGround()
})
after(() => ground[Symbol.asyncDispose]())

function closed(fault: unknown) {
  return fault instanceof StatementFailed && fault.code === '42501'
}

describe('the role that serves firms', () => {
  const asApp = (name: string, text: string, firm: string | null = alphaFirm) =>
    readInFirm(ground.database.app, firm, statement<Record<string, unknown>>(name, text))

  it('sees its own firm and keys, nothing of another firm, and nothing without a firm', async () => {
    assert.deepEqual(await asApp('test-firms', 'select name from clearing.firm'), [
      { name: 'Alpha Securities' },
    ])
    assert.deepEqual(await asApp('test-firms', 'select name from clearing.firm', null), [])
    assert.equal((await loadFirmKeys(ground.database.app, alphaFirm as string)).length, 2)
    assert.equal((await asApp('test-keys', 'select purpose from clearing.firm_key')).length, 2)
    assert.equal((await asApp('test-keys', 'select purpose from clearing.firm_key', null)).length, 0)
  })

  it('sees that a number is taken, but not by which firm', async () => {
    assert.equal(
      (await asApp('test-entity', "select from clearing.entity where entity_number = '302'")).length,
      1,
    )
    for (const text of ['select firm_id from clearing.entity', 'select firm_id from clearing.rep_code'])
      await assert.rejects(asApp(`test-${text.slice(-8).replaceAll(/[^a-z]/g, '-')}`, text), closed)
  })

  it('cannot read credentials, secrets and signing keys, and cannot change any of these tables', async () => {
    const texts = [
      'select from clearing.credential',
      'select from clearing.credential_secret',
      'select from clearing.signing_key',
      'select from clearing.client_assertion',
      'select from clearing.identity_version',
      "update clearing.firm set name = 'x'",
      'delete from clearing.firm_key',
      "insert into clearing.entity (entity_number, firm_id, created_at) values ('999', '00000000-0000-4000-8000-000000000301', now())",
    ]
    for (const [at, text] of texts.entries())
      await assert.rejects(
        inTransaction(ground.database.app, { firm: alphaFirm as string }, (tx) =>
          tx.run(statement(`test-closed-${at}`, text)),
        ),
        closed,
        text,
      )
  })
})

describe('rows of tables of firms', () => {
  it('cannot refer to rows of other firms, because every foreign key contains the firm', async () => {
    const rows = await readInFirm(
      ground.database.operations,
      null,
      statement<{ name: string; columns: string[] }>(
        'test-foreign-keys',
        `select conname as name, array(select attname::text from unnest(conkey) k join pg_attribute a
           on a.attrelid = conrelid and a.attnum = k) as columns
         from pg_constraint where contype = 'f' and confrelid = 'clearing.credential'::regclass`,
      ),
    )
    assert.ok(rows.length > 0)
    for (const { name, columns } of rows) assert.ok(columns.includes('firm_id'), name)
    const wrong = statement(
      'test-wrong-firm',
      `insert into clearing.credential_secret (secret_id, client_id, firm_id, secret_hash, created_at)
       values (gen_random_uuid(), 'alpha', $1, sha256('x'), now())`,
    )
    await assert.rejects(
      inTransaction(ground.database.operations, { firm: null }, (tx) => tx.run(wrong, [betaFirm as string])),
      (fault) => fault instanceof StatementFailed && fault.code === '23503',
    )
  })

  it('are refused if the public key contains a private half', async () => {
    const wrong = statement(
      'test-private-jwk',
      `insert into clearing.signing_key (kid, public_jwk, created_at, active_from) values ('x', '{"d":"secret"}', now(), now())`,
    )
    await assert.rejects(
      inTransaction(ground.database.operations, { firm: null }, (tx) => tx.run(wrong)),
      (fault) => fault instanceof StatementFailed && fault.code === '23514',
    )
  })
})
