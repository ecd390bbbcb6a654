/**
 * A journal that takes money or securities out of a restricted account raises the break of a withdrawal or a transfer.
 * A journal between its account types raises none, in whatever order and batches its two lines arrive.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import {
  buy,
  kindsOf,
  type Line,
  line,
  load,
  newAccount,
  proves,
  service,
  startBeforeTests,
} from './booked-lines.ts'

startBeforeTests()

function today() {
  return easternDay(new Date())
}
function operations() {
  return service.operations.operations
}
function restrict(accountNumber: string, restrictionCode: string) {
  return operations().placeRestriction({ accountNumber, restrictionCode, reason: 'A test.' })
}
/** An account with 20,000 and 100 shares of AAA in account type 2. */
async function funded() {
  const account = await newAccount()
  await load(
    line(account, { transType: 'Deposit', netAmount: '21000', acctType: '2' }),
    buy(account, 'AAA', 100, '10', { acctType: '2' }),
  )
  return account
}
async function restricted(restrictionCode = 'LegalHold') {
  const account = await funded()
  await restrict(account, restrictionCode)
  return account
}
function cash(account: string, netAmount: string, more: Line = {}) {
  return line(account, { transType: 'Journal', netAmount, acctType: '2', tradeDate: today(), ...more })
}
function shares(account: string, quantity: string, more: Line = {}) {
  const journal = { transType: 'Journal', symbol: 'AAA', quantity, acctType: '2', tradeDate: today() }
  return line(account, { ...journal, ...more })
}
async function breaksOf(account: string) {
  return (await kindsOf(account)).toSorted()
}
function suspended(what: string, code = 'LegalHold') {
  return `Suspended: Journal while ${code} suspended ${what}.`
}

describe('a journal out of a restricted account', () => {
  test('to another account raises a break, and none in the other account', async () => {
    for (const code of ['LegalHold', 'Sanctions', 'NoWithdrawals', 'NoTransfersOut', 'MissingTaxForm']) {
      const [from, to] = [await restricted(code), await funded()]
      await load(
        cash(from, '-5000', { offsetAcctNo: to }),
        cash(to, '5000', { offsetAcctNo: from }),
        shares(from, '-40', { offsetAcctNo: to }),
        shares(to, '40', { offsetAcctNo: from, cost: '400' }),
      )
      const expected = ['TransfersOut', 'Withdrawals'].map((what) => suspended(what, code))
      const only = { NoWithdrawals: expected.slice(1), NoTransfersOut: expected.slice(0, 1) }[code]
      assert.deepEqual(await breaksOf(from), only ?? expected)
      assert.deepEqual(await breaksOf(to), [])
    }
  })

  test('without another side, or with itself as a side that does not come, raises a break', async () => {
    const account = await restricted()
    await load(cash(account, '-1'), shares(account, '-2', { offsetAcctNo: `${account}-1` }))
    assert.deepEqual(await breaksOf(account), [suspended('TransfersOut'), suspended('Withdrawals')])
  })

  test('raises none on the day before the restriction, and none in an account without one', async () => {
    const account = await restricted()
    const before = { tradeDate: addDays(today(), -1), offsetAcctNo: '30100009' }
    await load(cash(account, '-1', before), shares(account, '-1', before))
    await restrict(account, 'Dormant')
    assert.deepEqual(await breaksOf(account), [])
    const free = await funded()
    await load(cash(free, '-1'), shares(free, '-1'))
    await restrict(free, 'LegalHold')
    // A line of the day of the restriction that was booked before it, beside a later one.
    await load(cash(free, '-2'))
    assert.deepEqual(await breaksOf(free), [suspended('Withdrawals')])
  })

  test('ends with its cancel, and is not raised for a line that arrives cancelled', async () => {
    const account = await restricted()
    const [paid, late] = [cash(account, '-7', { offsetAcctNo: '30100009' }), cash(account, '-8')]
    await load(paid, cash(account, '-8', { cancelType: 'C', tagNo: late.externalId }))
    await load(late)
    assert.deepEqual(await breaksOf(account), [suspended('Withdrawals')])
    await load(line(account, { cancelType: 'C', tagNo: paid.externalId }))
    assert.deepEqual(await breaksOf(account), [])
    const again = cash(account, '-9', { offsetAcctNo: '30100009' })
    await load(again, line(account, { cancelType: 'C', tagNo: again.externalId }))
    assert.deepEqual(await breaksOf(account), [])
    const rebilled = cash(account, '-6', { offsetAcctNo: '30100009', rebill: 'Y', tagNo: paid.externalId })
    await load(rebilled)
    assert.deepEqual(await breaksOf(account), [suspended('Withdrawals')])
    await proves(account)
  })
})

describe('a journal between account types of a restricted account', () => {
  const pairs: readonly [what: string, make: typeof cash, ...more: Line[]][] = [
    ['of cash', cash],
    ['of cash that names the account', cash, { offset: true }],
    ['of securities', shares],
    ['of securities that names the account', shares, { offset: true }],
  ]
  for (const [what, make, { offset } = {}] of pairs) {
    test(`${what} raises no break, in either order`, async () => {
      const account = await restricted('Sanctions')
      const own = offset ? { offsetAcctNo: account } : {}
      await load(make(account, '-3', own), make(account, '3', { ...own, acctType: '1' }))
      await load(make(account, '4', { ...own, acctType: '1' }), make(account, '-4', own))
      assert.deepEqual(await breaksOf(account), [])
      await proves(account)
    })
  }

  test('whose lines arrive in two loads raises a break until the second', async () => {
    const account = await restricted()
    await load(cash(account, '-3'), shares(account, '-3'))
    assert.equal((await breaksOf(account)).length, 2)
    await load(cash(account, '3', { acctType: '1' }))
    assert.deepEqual(await breaksOf(account), [suspended('TransfersOut')])
    await load(shares(account, '3', { acctType: '1' }))
    assert.deepEqual(await breaksOf(account), [])
  })

  test('is one out of the account when the line into the other account type is cancelled', async () => {
    const account = await restricted()
    const into = shares(account, '3', { acctType: '1' })
    await load(shares(account, '-3'), into)
    const cancel = { cancelType: 'C', tagNo: into.externalId }
    await load(line(account, cancel))
    assert.deepEqual(await breaksOf(account), [suspended('TransfersOut')])
    // A second cancel, which is a break of its own, changes nothing.
    await load(line(account, cancel))
    assert.deepEqual(
      (await breaksOf(account)).filter((kind) => kind.startsWith('Suspended')),
      [suspended('TransfersOut')],
    )
  })

  test('does not raise again what a person has settled', async () => {
    const account = await restricted()
    await load(cash(account, '-3'))
    const { work } = (await operations().listWork({ queues: ['Break'], accountNumber: account })).data
    await operations().settleWork({ workIds: work.map(({ workId }) => workId), reason: 'Released.' })
    assert.deepEqual(await breaksOf(account), [])
    await load(cash(account, '-4'), cash(account, '4', { acctType: '1' }))
    assert.deepEqual(await breaksOf(account), [])
  })
})
