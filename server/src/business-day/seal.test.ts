import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { rewrapSealKeys } from '../audit/seal-key.ts'
import type { TestBooks } from '../books/testing/books-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { gatherMasterKeys, type MasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { closeDay, makeBusinessDay, testMasterKeys } from './test-business-day.ts'
import { asSuperuser, friday, monday, openBooks, rows, verify } from './test-closes.ts'
import { verifySeals } from './verify-seals.ts'

describe('a seal', () => {
  const tampered: [string, string, RegExp][] = [
    [
      'an entry that was changed',
      "update clearing.activity set amount = array[5001, -5001] where account_number = 'A0000004'",
      /Entries of 2026-11-20/,
    ],
    [
      'an entry that was removed',
      "delete from clearing.activity where account_number = 'A0000004'",
      /Entries of 2026-11-20/,
    ],
    [
      'an entry that was added afterwards',
      `insert into clearing.entry select account_number, firm_id, entry_date, entry_no + 10, of_line, caused_by, kind, acct_type,
         ledger, asset, amount from clearing.journal where account_number = 'A0000004'`,
      /Entries of 2026-11-20/,
    ],
    [
      'a lot whose cost was changed',
      "update clearing.holding set lots = jsonb_set(lots::jsonb, '{0,cost}', '\"1\"') where account_number = 'A0000001'",
      /1 differs from the seal/,
    ],
    [
      'a lot that was removed',
      "update clearing.holding set lots = null where account_number = 'A0000001'",
      /1 differs from the seal/,
    ],
    [
      'cash that was changed',
      "update clearing.cash_balance set amount = amount + 1 where account_number = 'A0000001'",
      /USD differs from the seal/,
    ],
    [
      'a position that was changed after its seal',
      "update clearing.sealed_balance set quantity = 1001 where account_number = 'A0000001' and asset = '1'",
      /Sealed positions and cash/,
    ],
    [
      'a digest that was replaced by another',
      "update clearing.day_seal_portion set entries_digest = sha256('x') where portion = 0",
      /digests of 2026-11-20 are not/,
    ],
    [
      'the digest of the day that was changed',
      "update clearing.day_seal set digest = sha256('x') where close_date = '2026-11-20'",
      /signature|does not continue/,
    ],
    [
      'a key that was replaced by another',
      "update clearing.seal_key set public_key = public_key || 'x'",
      /signature/,
    ],
    ['a seal that was removed', "delete from clearing.day_seal where close_date = '2026-11-20'", /missing/],
  ]
  it('shows every later change of the data', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    assert.deepEqual((await verify(books)).breaks, [])
    for (const [what, change, reason] of tampered) {
      const reasons = await verifyAfter(books, change)
      assert.ok(
        reasons.some((each) => reason.test(each)),
        `${what}: ${reasons.join(' ') || 'nothing was found'}`,
      )
    }
    assert.deepEqual((await verify(books)).breaks, [])
  })

  it('is the same for postings that are stored as separate entries by earlier releases', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await asSuperuser(books, [
      `insert into clearing.entry select * from clearing.journal where kind = 'P'`,
      'update clearing.activity set entry_no = null, ledger = null, asset = null, amount = null',
    ])
    const [posted] = await rows<{ count: bigint }>(
      books,
      "select count(*) from clearing.entry where kind = 'P'",
    )
    assert.ok((posted?.count ?? 0n) > 0n)
    await closeDay(books, monday)
    assert.deepEqual((await verify(books)).breaks, [])
  })

  it('can be verified in parts, with the same breaks as in one run', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const part = (after: string) =>
      inTransaction(
        books.database.operations,
        { firm: null, readOnly: true, isolation: 'repeatable read' },
        (tx) => verifySeals(tx, testMasterKeys, { after, untilMs: 0 }),
      )
    await asSuperuser(books, [
      "update clearing.day_seal set signature = decode(repeat('00', 64), 'hex')",
      "update clearing.cash_balance set amount = amount + 1 where account_number = 'A0000001'",
    ])
    const first = await part('')
    const second = await part(first.next)
    assert.deepEqual([first.next, second.next], ['2026-11-20', ''])
    assert.deepEqual([...first.breaks, ...second.breaks], (await verify(books)).breaks)
    assert.equal(first.breaks.length, 1)
    assert.equal(second.breaks.length, 2)
  })

  it('is reported if it is signed with a key of another owner, although its signature is valid', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    const [seal] = await rows<{ digest: Buffer }>(books, 'select digest from clearing.day_seal')
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const bytes = publicKey.export({ format: 'der', type: 'spki' })
    const keyId = createHash('sha256').update(bytes).digest('base64url')
    const message = JSON.stringify(['business day seal', '2026-11-20', seal?.digest.toString('hex')])
    const signature = sign(null, Buffer.from(message), privateKey).toString('hex')
    const reasons = await verifyAfter(
      books,
      `insert into clearing.seal_key
       select '${keyId}', '\\x${bytes.toString('hex')}', wrapped, master_key_id, created_at from clearing.seal_key;
       update clearing.day_seal set key_id = '${keyId}', signature = '\\x${signature}'`,
    )
    assert.equal(reasons.length, 1)
    assert.match(reasons[0] ?? '', /its owner is unknown/)
  })

  it('verifies after its key is wrapped under the next master key and the previous master key is removed', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    const next = () => masterKeyFromBytes(Buffer.alloc(32, 8))
    const both = gatherMasterKeys(next(), masterKeyFromBytes(Buffer.alloc(32, 7)))
    await closeDay(books, monday, makeBusinessDay(books, { masterKeys: both }))
    await inTransaction(books.database.operations, { firm: null }, (tx) => rewrapSealKeys(tx, both))
    const proved = (masterKeys: MasterKeys) =>
      inTransaction(
        books.database.operations,
        { firm: null, readOnly: true, isolation: 'repeatable read' },
        (tx) => verifySeals(tx, masterKeys),
      )
    assert.deepEqual(await proved(gatherMasterKeys(next())), { seals: 2, breaks: [], next: '' })
    assert.equal((await proved(testMasterKeys)).breaks.length, 2)
    assert.deepEqual(await rows(books, 'select count(*)::int from clearing.seal_key'), [{ count: 1 }])
  })

  it('has a key whose private half is stored only in wrapped form', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const keys = await rows<{ wrapped: Buffer; key_id: string }>(
      books,
      'select key_id, wrapped from clearing.seal_key',
    )
    assert.equal(keys.length, 1)
    // The PKCS #8 form of an Ed25519 key would contain its object identifier.
    assert.equal(keys[0]?.wrapped.includes(Buffer.from('06032b6570', 'hex')), false)
  })
})

/** Makes a change as a superuser, returns the breaks that it causes, and reverts the change. */
async function verifyAfter(books: TestBooks, change: string): Promise<string[]> {
  const tables = [
    'activity',
    'entry',
    'holding',
    'cash_balance',
    'sealed_balance',
    'day_seal_portion',
    'day_seal',
    'seal_key',
  ]
  await asSuperuser(books, [
    ...tables.map((table) => `create table kept_${table} as table clearing.${table}`),
    'begin',
    "set local session_replication_role = 'replica'",
    change,
    'commit',
  ])
  const { breaks } = await verify(books)
  await asSuperuser(books, [
    'begin',
    "set local session_replication_role = 'replica'",
    ...tables.map((table) => `delete from clearing.${table}`),
    ...tables.map((table) => `insert into clearing.${table} table kept_${table}`),
    'commit',
    ...tables.map((table) => `drop table kept_${table}`),
  ])
  return breaks.map(({ reason }) => reason)
}
