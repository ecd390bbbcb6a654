/**
 * Activity through the sdk: the books after corrections, late lines and errors, and the books of accounts that are not
 * open.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf } from './applications.ts'
import {
  activityOf,
  buy,
  held,
  kindsOf,
  type Line,
  line,
  load,
  newAccount,
  proves,
  sell,
  service,
  startBeforeTests,
  summaryOf,
} from './booked-lines.ts'
import { open, rejectionsOf } from './calling.ts'

startBeforeTests()

describe('activity of an account that is restricted or closed', () => {
  const today = () => easternDay(new Date())

  test('is booked, with a break if it used an activity that was suspended that day', async () => {
    const account = await newAccount()
    await load(line(account, { transType: 'Deposit', netAmount: '5000' }), buy(account, 'AAA', 10, '10'))
    await service.operations.operations.placeRestriction({
      accountNumber: account,
      restrictionCode: 'LiquidationOnly',
      reason: 'Asked.',
    })
    await service.operations.operations.placeRestriction({
      accountNumber: account,
      restrictionCode: 'NoWithdrawals',
      reason: 'Asked.',
    })
    const tradeDate = today()
    const bought = buy(account, 'AAA', 5, '10', { tradeDate })
    const paid = line(account, { transType: 'Withdrawal', netAmount: '-100', tradeDate })
    // A purchase of an earlier day, a sale and a dividend are not affected.
    await load(
      bought,
      paid,
      buy(account, 'AAA', 1, '10', { tradeDate: '2025-06-02' }),
      sell(account, 'AAA', 2, '12', { tradeDate }),
      line(account, { transType: 'Dividend', symbol: 'AAA', netAmount: '3', tradeDate }),
    )
    assert.deepEqual((await kindsOf(account)).sort(), [
      'Suspended: Trade BUY while LiquidationOnly suspended Buying.',
      'Suspended: Withdrawal while NoWithdrawals suspended Withdrawals.',
    ])
    assert.deepEqual(await held(account), [['AAA', 14, 140]])
    await load(line(account, { cancelType: 'C', tagNo: bought.externalId }))
    assert.deepEqual(await kindsOf(account), [
      'Suspended: Withdrawal while NoWithdrawals suspended Withdrawals.',
    ])
    await proves(account)
  })

  test('is rejected once the account is closed, except a repeat of an earlier line', async () => {
    const account = await newAccount()
    const lines = [
      line(account, { transType: 'Deposit', netAmount: '50' }),
      line(account, { transType: 'Withdrawal', netAmount: '-50', tradeDate: '2025-03-04' }),
    ]
    await load(...lines)
    await service.operations.operations.closeAccount({ accountNumber: account, reason: 'Asked.' })
    const late = line(account, { transType: 'Deposit', netAmount: '7' })
    const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: [...lines, late] } })
    assert.deepEqual([data.accepted, data.duplicates, data.rejected], [0, 2, 1])
    const [refused] = data.rejects
    assert.deepEqual(
      [refused?.line, refused?.code, refused?.reason],
      [3, 'ERR.2011', 'The account is Closed.'],
    )
    await proves(account)
  })
})

describe('corrections', () => {
  test('a cancel of a cancel is a break, in one load as in two', async () => {
    const reasons: string[][] = []
    for (const inOneLoad of [true, false]) {
      const account = await newAccount()
      const bought = buy(account, 'AAA', 10, '5')
      const cancel = line(account, { cancelType: 'C', tagNo: bought.externalId })
      const again = line(account, { cancelType: 'C', tagNo: cancel.externalId })
      if (inOneLoad) await load(bought, cancel, again)
      else for (const one of [bought, cancel, again]) await load(one)
      assert.deepEqual(await held(account), [])
      await proves(account)
      reasons.push(await kindsOf(account))
    }
    assert.match(String(reasons[0]), /^CancelOfCancel: /)
    assert.deepEqual(reasons[0], reasons[1])
  })

  test('a cancel and its rebill leave the lots as if the original had never existed, and all three are readable', async () => {
    const account = await newAccount()
    const wrong = buy(account, 'AAA', 1_000, '10')
    await load(wrong, sell(account, 'AAA', 50, '12'))
    const cancel = line(account, { cancelType: 'C', tagNo: wrong.externalId })
    const right = buy(account, 'AAA', 100, '10', { rebill: 'Y', tagNo: wrong.externalId })
    await load(cancel, right)
    assert.deepEqual(await held(account), [['AAA', 50, 500]])
    const amounts = (await activityOf(account)).map(
      ({ quantity, cancel: cancels, rebill, tranId, cancelStatus }) => [
        quantity,
        cancels,
        rebill,
        tranId,
        cancelStatus,
      ],
    )
    assert.deepEqual(amounts.sort(), [
      ['-1000', 'Y', 'N', 'C', ''],
      ['100', 'N', 'Y', 'R', ''],
      ['1000', 'N', 'N', 'T', 'Cancelled'],
      ['50', 'N', 'N', 'T', ''],
    ])
    await proves(account)
  })

  test('a correction of a correction can be followed by the ids of the lines', async () => {
    const account = await newAccount()
    const wrong = buy(account, 'AAA', 100, '10')
    const idOf = ({ externalId }: Line) => String(externalId)
    const tagOf = (corrected: Line) => ({ tagNo: idOf(corrected) })
    const first = buy(account, 'AAA', 100, '11', { rebill: 'Y', ...tagOf(wrong) })
    const second = buy(account, 'AAA', 100, '12', { rebill: 'Y', ...tagOf(first) })
    await load(wrong, line(account, { cancelType: 'C', ...tagOf(wrong) }), first)
    const cancel = line(account, { cancelType: 'C', ...tagOf(first) })
    const sale = sell(account, 'AAA', 40, '20')
    await load(cancel, second, sale)
    const activity = await activityOf(account)
    const named = ({ tagNo, cancel, rebill }: (typeof activity)[number]) => `${tagNo} ${cancel}${rebill}`
    const byId = Object.fromEntries(activity.map((one) => [one.externalId, named(one)]))
    assert.equal(activity.length, 6)
    assert.equal(byId[idOf(cancel)], `${idOf(first)} YN`)
    assert.equal(byId[idOf(first)], `${idOf(wrong)} NY`)
    assert.equal(byId[idOf(second)], `${idOf(first)} NY`)
    const range = { dateFrom: '2020-01-01', dateTo: '2029-12-31' }
    const { closings } = (await service.alpha.realizedGains({ accountNumber: account, ...range })).data
    assert.deepEqual(
      closings.map(({ openedBy, closedBy }) => [openedBy, closedBy]),
      [[second.externalId, sale.externalId]],
    )
  })

  test('a late line gives the same books as a line in order', async () => {
    const [inOrder, late] = [await newAccount(), await newAccount()]
    const lines = (account: string) => [
      buy(account, 'AAA', 100, '10', { tradeDate: '2025-02-03' }),
      buy(account, 'AAA', 100, '11', { tradeDate: '2025-03-03' }),
      line(account, { transType: 'Split', symbol: 'AAA', ratio: '2:1', tradeDate: '2025-03-10' }),
      sell(account, 'AAA', 250, '7', { tradeDate: '2025-04-03' }),
    ]
    await load(...lines(inOrder))
    const [first, ...rest] = lines(late)
    for (const each of [...rest.reverse(), first as Line]) await load(each)
    assert.deepEqual(await held(late), await held(inOrder))
    assert.deepEqual(await held(late), [['AAA', 150, 825]])
    await proves(late)
    const { data } = await service.operations.operations.listBreaks({ accountNumber: late })
    assert.deepEqual(data.breaks, [])
  })
})

describe('breaks for operations', () => {
  test('a sale of more than the position goes short and is a break until the missing line comes', async () => {
    const account = await newAccount()
    await load(buy(account, 'BBB', 10, '20'), sell(account, 'BBB', 25, '30'))
    assert.deepEqual(await held(account), [['BBB', -15, -450]])
    const { data } = await service.operations.operations.listBreaks({ accountNumber: account })
    assert.deepEqual(
      data.breaks.map(({ kind, accountNumber }) => [kind, accountNumber]),
      [['Oversold', account]],
    )
    assert.equal((await summaryOf(account)).data.portfolios[0]?.unrealizedGainLoss.recon, 'Y')
    await load(buy(account, 'BBB', 15, '21', { tradeDate: '2025-03-20' }))
    assert.deepEqual(await held(account), [])
    assert.deepEqual(
      (await service.operations.operations.listBreaks({ accountNumber: account })).data.breaks,
      [],
    )
    await proves(account)
  })

  test('verify-books continues after an account, and verifies the seals with the last part', async () => {
    const prove = async (request: object) => (await service.operations.operations.verifyBooks(request)).data
    await assert.rejects(prove({ accountNumber: '99999999' }), { status: 404 })
    const first = await newAccount()
    await load(line(first, { transType: 'Deposit', netAmount: '5' }))
    const all = await prove({})
    assert.ok(all.accounts > 1 && all.next === '')
    const { rows } = await service.query('select account_number from clearing.account_books order by 1')
    const rest = await prove({ after: rows[0].account_number })
    assert.deepEqual([rest.accounts, rest.next], [all.accounts - 1, ''])
    assert.equal((await prove({ after: 'ZZZZZZZZ' })).accounts, 0)
  })

  test('verify-books reports each change made directly in the tables', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '5000' }),
      buy(account, 'AAA', 100, '10'),
      sell(account, 'AAA', 60, '9'),
    )
    await proves(account)
    for (const [kind, change] of [
      ['Lots', `update clearing.holding set lots = jsonb_set(lots::jsonb, '{0,cost}', '"400.01"')`],
      ['Position', 'update clearing.holding set quantity_cash = quantity_cash + 1'],
      ['Cash', 'update clearing.cash_balance set amount = amount - 0.01'],
      [
        'Entry',
        'update clearing.activity set amount = array[amount[1] + 1, amount[2] - 1] where cardinality(amount) = 2',
      ],
      ['Lines', 'delete from clearing.activity where sequence = 1'],
      ['Closing', 'update clearing.closing set gain = gain + 1'],
    ] as const) {
      const where = change.includes(' where ') ? ' and' : ' where'
      const found = await tampered(`${change}${where} account_number = '${account}'`, account)
      assert.ok(found.includes(kind), `${kind}: ${found.join()}`)
    }
    await proves(account)
  })
})

/**
 * The kinds of break that are found while a superuser's change is in place. Afterwards the previous rows are restored.
 */
async function tampered(change: string, account: string): Promise<string[]> {
  const table = /clearing\.(\w+)/.exec(change)?.[1] ?? ''
  await service.query(
    `create table was as select * from clearing.${table} where account_number = '${account}'`,
  )
  await service.query(change)
  const { data } = await service.operations.operations.verifyBooks({ accountNumber: account })
  await service.query(`delete from clearing.${table} where account_number = '${account}'`)
  await service.query(`insert into clearing.${table} select * from was`)
  await service.query('drop table was')
  assert.equal(data.verified, false)
  return data.breaks.map(({ kind }) => kind)
}

describe('trade-activity', () => {
  test('requires a range of at most ten years that does not end before it begins', async () => {
    const accountNumber = await newAccount()
    const ask = (dateFrom: string, dateTo: string) =>
      rejectionsOf(service.alpha.tradeActivity({ accountNumber, dateFrom, dateTo }))
    assert.deepEqual(await ask('2026-01-02', '2026-01-01'), ['ERR.1025 dateFrom'])
    assert.deepEqual(await ask('2015-01-01', '2025-01-02'), ['ERR.1025 dateTo'])
    await service.alpha.tradeActivity({ accountNumber, dateFrom: '9999-12-31', dateTo: '9999-12-31' })
    const { data } = await service.alpha.tradeActivity({
      accountNumber,
      dateFrom: '01/01/2015',
      dateTo: '20250101',
    })
    assert.deepEqual(data.activity, [])
  })

  test('returns Trade lines alone, the others are in non-trade-activity, both by their processDate', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'Deposit', netAmount: '10' }),
      buy(account, 'AAA', 1, '10', { processDate: '2025-03-05', note: 'Kept As Given' }),
    )
    const ask = { accountNumber: account, dateFrom: '2025-03-04', dateTo: '2025-03-31' }
    const { data: trades } = await service.alpha.tradeActivity(ask)
    assert.deepEqual(
      trades.activity.map(({ processDate, tradeDate, note, settleDate }) => [
        processDate,
        tradeDate,
        note,
        settleDate,
      ]),
      [['20250305', '2025-03-03', 'Kept As Given', '2025-03-04']],
    )
    assert.deepEqual((await service.alpha.nonTradeActivity(ask)).data.activity, [])
    const { data: others } = await service.alpha.nonTradeActivity({ ...ask, dateFrom: '2025-03-03' })
    assert.deepEqual(
      others.activity.map(({ transType, netAmount, tranId }) => [transType, netAmount, tranId]),
      [['Deposit', '10', 'N']],
    )
  })
})

describe('a pending account', () => {
  test('has books from its first line', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ lastName: 'Slow30' }))
    await load(line(accountNumber, { transType: 'Deposit', netAmount: '7' }))
    assert.equal(Number((await summaryOf(accountNumber)).data.totalCash), 7)
  })
})
