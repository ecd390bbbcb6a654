/**
 * Seals of a day by firm: the differences that they show, days of the release without such seals, and a firm that
 * moves to another cell.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signMove } from '../audit/firms-of-cell.ts'
import { admitSealKeys, readKeysToShare } from '../audit/other-keys.ts'
import { accountTermsLoader } from '../books/loads/account-terms.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestBooks,
} from '../books/testing/books-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { sealFirmsAfterwards } from './seal-afterwards.ts'
import { addSecurities, closeDay, makeBusinessDay, testMasterKeys } from './test-business-day.ts'
import { asSuperuser, deposit, friday, monday, purchase, rows, tuesday, verify } from './test-closes.ts'
import { verifySeals } from './verify-seals.ts'

const alpha = '6a0c2d3e-0000-4000-8000-000000000301'
const ofAlpha = ['A0000001', 'A0000003', 'A0000005']
const ofBeta = ['A0000002', 'A0000004']

/** Two firms with adjacent account numbers, with lines and terms of Friday. */
async function openTwoFirms(): Promise<TestBooks & { readonly beta: string }> {
  const books = await openTestBooks(ofAlpha, alpha)
  const beta = books.otherFirmId
  await openAccounts(books, ofBeta, { firmId: beta, entity: '302', rep: 'BB01' })
  await addSecurities(books)
  await load(books, friday, '2026-11-20')
  return { ...books, beta }
}

async function load(books: TestBooks, now: Date, day: string): Promise<void> {
  const lines = [...ofAlpha, ...ofBeta].flatMap((account) => [
    deposit(`D ${account} ${day}`, account, '9000', day),
    purchase(`P ${account} ${day}`, account, '7', day),
  ])
  const { rejects } = await loadActivityLines(books, lines, { now })
  assert.deepEqual(rejects, [])
  const terms = [...ofAlpha, ...ofBeta].map((acctNo) => ({ acctNo, houseLongPercent: 40 + now.getUTCDate() }))
  const loaded = await runTestLoad(books, 'terms', accountTermsLoader, bodyOf(ndjsonOf(terms)), { now })
  assert.deepEqual(loaded.rejects, [])
}

async function reasons(books: TestBooks): Promise<string[]> {
  return (await verify(books)).breaks.map(({ reason }) => reason)
}

/** Changes the days to the form of the previous release. */
function forgetFirms(books: TestBooks): Promise<void> {
  const tables = ['day_firms', 'firm_seal', 'firm_seal_portion']
  return asSuperuser(books, [
    ...tables.map((table) => `delete from clearing.${table}`),
    'update clearing.business_day_portion set by_firm = null',
  ])
}

const tablesOfAccounts = ['sealed_balance', 'day_account']
const tablesOfFirm = [
  'activity',
  'entry',
  'account_terms_version',
  'firm_seal_portion',
  'holding',
  'cash_balance',
]

function removeFirm(books: TestBooks, firmId: string): Promise<void> {
  const accounts = `select account_number from clearing.account where firm_id = '${firmId}'`
  return asSuperuser(books, [
    "set session_replication_role = 'replica'",
    ...tablesOfAccounts.map((table) => `delete from clearing.${table} where account_number in (${accounts})`),
    ...tablesOfFirm.map((table) => `delete from clearing.${table} where firm_id = '${firmId}'`),
    ...['account_books', 'account'].map(
      (table) => `delete from clearing.${table} where firm_id = '${firmId}'`,
    ),
  ])
}

describe('seals of firms', () => {
  it('name the firm and the day of each difference', async () => {
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    await load(books, monday, '2026-11-23')
    await closeDay(books, monday)
    assert.deepEqual(await reasons(books), [])
    const account = "account_number = 'A0000002' and close_date = '2026-11-20' and asset = '1'"
    const balance = `update clearing.sealed_balance set quantity = quantity`
    const entry = `update clearing.activity set amount[1] = amount[1] + 1, amount[2] = amount[2] - 1 where external_id = 'D A0000004 2026-11-23'`
    const differences: [string, string, RegExp][] = [
      [
        `${balance} + 1 where ${account}`,
        `${balance} - 1 where ${account}`,
        /cash of 2026-11-20 of accounts after/,
      ],
      [entry, entry.replace('+', '*').replace('- 1', '+ 1').replace('* 1', '- 1'), /^Entries of 2026-11-23/],
      [
        `update clearing.account_terms_version set house_long_percent = 41 where account_number = 'A0000002' and entered_on = '2026-11-20'`,
        `update clearing.account_terms_version set house_long_percent = 60 where account_number = 'A0000002' and entered_on = '2026-11-20'`,
        /^Facts that 2026-11-20 knew/,
      ],
    ]
    for (const [change, back, found] of differences) {
      await asSuperuser(books, [change])
      const [first = '', ...others] = (await reasons(books)).filter((reason) => reason.includes('of firm'))
      assert.match(first, found)
      assert.match(first, new RegExp(`of firm ${books.beta}`))
      assert.ok(
        others.every((reason) => !reason.includes(alpha)),
        others.join(' '),
      )
      await asSuperuser(books, [back])
      assert.deepEqual(await reasons(books), [])
    }
  })

  it('are bound to the audit chain of the firm and to the day', async () => {
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    await load(books, monday, '2026-11-23')
    await closeDay(books, monday)
    const friday20 = "close_date = '2026-11-20'"
    for (const [change, found] of [
      [
        `delete from clearing.firm_seal where firm_id = '${books.beta}' and ${friday20}`,
        /seals of firms of 2026-11-20/,
      ],
      [`delete from clearing.firm_seal where firm_id = '${books.beta}' and ${friday20}`, /does not continue/],
      [
        `update clearing.firm_seal set digest = sha256('x') where firm_id = '${alpha}' and ${friday20}`,
        /not signed by its key/,
      ],
      [
        `update clearing.day_firms set digest = sha256('x') where ${friday20}`,
        /signature over the firms of 2026-11-20/,
      ],
      [
        `update clearing.firm_seal_portion set lines_digest = sha256('x') where firm_id = '${alpha}' and ${friday20}`,
        /not over the digests/,
      ],
    ] as const) {
      await asSuperuser(books, [
        ...['firm_seal', 'day_firms', 'firm_seal_portion'].map(
          (table) => `create table kept_${table} as table clearing.${table}`,
        ),
        change,
      ])
      const found_ = await reasons(books)
      assert.ok(
        found_.some((reason) => found.test(reason)),
        `${change}: ${found_.join(' ')}`,
      )
      await asSuperuser(
        books,
        ['firm_seal', 'day_firms', 'firm_seal_portion'].flatMap((table) => [
          `delete from clearing.${table}`,
          `insert into clearing.${table} table kept_${table}`,
          `drop table kept_${table}`,
        ]),
      )
    }
    assert.deepEqual(await reasons(books), [])
  })

  it('are made later for days of the previous release if their records verify', async () => {
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    await forgetFirms(books)
    await load(books, monday, '2026-11-23')
    await closeDay(books, monday)
    const before = await rows(
      books,
      'select close_date, digest, signature from clearing.day_seal order by close_date',
    )
    assert.deepEqual(await reasons(books), [])
    const sealing = { pool: books.database.operations, masterKeys: testMasterKeys, now: monday }
    const change =
      "update clearing.activity set record = record || ' ' where external_id = 'P A0000002 2026-11-20'"
    await asSuperuser(books, [change])
    await assert.rejects(sealFirmsAfterwards(sealing), /2026-11-20 are not those that were sealed/)
    await asSuperuser(books, [change.replace("record || ' '", 'rtrim(record)')])
    assert.deepEqual(await sealFirmsAfterwards(sealing), ['2026-11-20'])
    assert.deepEqual(await sealFirmsAfterwards(sealing), [])
    assert.deepEqual(await reasons(books), [])
    assert.deepEqual(
      await rows(books, 'select close_date, digest, signature from clearing.day_seal order by close_date'),
      before,
    )
    await asSuperuser(books, [change])
    assert.match(
      (await reasons(books)).join(' '),
      new RegExp(`Lines that 2026-11-20 knew of .* of firm ${books.beta}`),
    )
  })

  it('are not made for a day of which the previous release sealed a portion', async () => {
    await using books = await openTwoFirms()
    const day = makeBusinessDay(books, {
      async beforePortion({ step }) {
        if (step !== 'Move') return
        await asSuperuser(books, [
          "update clearing.business_day_portion set by_firm = null where step = 'Seal' and portion = 0",
        ])
      },
    })
    await closeDay(books, friday, day)
    assert.deepEqual(await rows(books, 'select close_date from clearing.day_firms'), [])
    assert.deepEqual(await reasons(books), [])
    await closeDay(books, monday)
    assert.deepEqual(await reasons(books), [])
  })
})

describe('a firm that moves to another cell', () => {
  it('leaves its seals, and the seals of the other firms verify, now and after further closes', async () => {
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    await load(books, monday, '2026-11-23')
    await closeDay(books, monday)
    const move = { firm_id: books.beta, from_cell: 'a', to_cell: 'b' }
    await inTransaction(books.database.operations, { firm: null }, (tx) =>
      signMove(tx, testMasterKeys, move, monday),
    )
    assert.deepEqual(await reasons(books), [])
    await removeFirm(books, books.beta)
    assert.deepEqual(await reasons(books), [])
    await closeDay(books, tuesday)
    assert.deepEqual(await reasons(books), [])
    // Without a move that was signed here, verification reports the missing records.
    await asSuperuser(books, ["update clearing.firm_move set to_cell = 'c'"])
    const missed = await reasons(books)
    assert.ok(missed.some((reason) => /The move of firm .* is not signed/.test(reason)))
    assert.ok(
      missed.some((reason) => reason.startsWith(`The seal of firm ${books.beta} of 2026-11-20 is not over`)),
    )
  })

  it('cannot leave before every day is sealed by firm', async () => {
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    await forgetFirms(books)
    const move = { firm_id: books.beta, from_cell: 'a', to_cell: 'b' }
    await assert.rejects(
      inTransaction(books.database.operations, { firm: null }, (tx) =>
        signMove(tx, testMasterKeys, move, friday),
      ),
      /2026-11-20 is not sealed by firm/,
    )
  })
})

describe('a firm that arrived from another cell', () => {
  it('is verified with the keys of its previous cell, and its next seals continue the chain', async () => {
    // One database serves as both cells in turn. The key of the first cell is replaced by another key, and
    // the other firm is removed.
    await using books = await openTwoFirms()
    await closeDay(books, friday)
    const { operations } = books.database
    const next = gatherMasterKeys(masterKeyFromBytes(Buffer.alloc(32, 9)))
    const keys = await inTransaction(operations, { firm: null }, async (tx) => {
      await signMove(tx, testMasterKeys, { firm_id: books.beta, from_cell: 'a', to_cell: 'b' }, friday)
      return readKeysToShare(tx, testMasterKeys, 'a')
    })
    await removeFirm(books, alpha)
    await asSuperuser(books, [
      "set session_replication_role = 'replica'",
      ...['day_firms', 'day_seal', 'day_seal_portion', 'seal_key', 'business_day_portion'].map(
        (table) => `delete from clearing.${table}`,
      ),
      `delete from clearing.firm_seal where firm_id = '${alpha}'`,
      "update clearing.business_day_close set portions = '{}'",
    ])
    const found = () =>
      inTransaction(operations, { firm: null, readOnly: true, isolation: 'repeatable read' }, async (tx) =>
        (await verifySeals(tx, next)).breaks.map(({ reason }) => reason),
      )
    assert.ok((await found()).some((reason) => reason.includes('is not signed by its key')))
    await inTransaction(operations, { firm: null }, (tx) => admitSealKeys(tx, next, keys, monday))
    assert.deepEqual(await found(), [])
    await loadActivityLines(books, [purchase('N', 'A0000002', '3', '2026-11-23')], { now: monday })
    await closeDay(books, monday, makeBusinessDay(books, { masterKeys: next }))
    assert.deepEqual(await found(), [])
    await asSuperuser(books, [
      "update clearing.activity set record = record || ' ' where external_id = 'P A0000004 2026-11-20'",
    ])
    assert.match(
      (await found()).join(' '),
      new RegExp(`Lines that 2026-11-20 knew of .* of firm ${books.beta}`),
    )
    await asSuperuser(books, [
      "update clearing.activity set record = rtrim(record) where external_id = 'P A0000004 2026-11-20'",
      "set session_replication_role = 'replica'",
      "update clearing.other_seal_key set signature = decode(repeat('00', 64), 'hex')",
    ])
    assert.ok((await found()).some((reason) => reason.includes('is not signed by its key')))
  })
})
