/**
 * Statements and confirmations: the close of a day makes them from the books, the cash ties out, and a correction gives
 * another version.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, addMarketDays, previousMarketDay } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { applicationFor, applicationOf, marginApplication, newTaxId } from './applications.ts'
import { openAndFollow, rejectionsOf, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { readPdf } from './read-pdf.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>
type Listed = Data<'list-statements'>['statements'][number]

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
let ids = 0
async function book(...lines: Line[]) {
  const ndjson = lines.map((line) => {
    ids += 1
    return { externalId: `ST${ids}`, ...line }
  })
  const { data } = await operations().loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
  return ndjson.map(({ externalId }) => externalId)
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
/** The last business day of the month of a day. */
function monthEnd(day: string): string {
  const next = addMarketDays(day, 1)
  return next.slice(0, 7) === day.slice(0, 7) ? monthEnd(next) : day
}
async function statementsOf(accountNumber: string, kind: 'Statement' | 'Confirmation' = 'Statement') {
  return (await service.alpha.listStatements({ accountNumber, kind })).data.statements
}
/** Waits until the work of all closes is done. */
function workIsDone() {
  return until(
    async () =>
      (
        await service.query(
          `select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'make-statements'`,
        )
      ).rows[0].waiting,
    (waiting) => waiting === 0,
  )
}
async function closeThrough(day: string) {
  await goPastClose(service, day)
  await workIsDone()
}
async function textOf({ accountNumber, kind, periodTo, version }: Listed) {
  const answer = await service.alpha.getStatement({
    accountNumber,
    kind,
    periodTo,
    statementVersion: version,
  })
  return (await readPdf(Buffer.from(await answer.bytes()))).text
}
function namesOf(all: readonly Listed[]) {
  return all.map(({ periodFrom, periodTo, version }) => `${periodFrom} ${periodTo} ${version}`)
}
/** The figures of a row of a table. */
function figuresAfter(text: string, label: string): string[] {
  const rest = text.slice(text.indexOf(label) + label.length)
  return /^((?: -?[\d,]+(?:\.\d+)?)+)/.exec(rest)?.[1]?.trim().split(' ') ?? []
}

describe('an account', () => {
  let account = ''
  let idle = ''
  let margin = ''
  let indebted = ''
  let day = ''
  let end = ''
  before(async () => {
    account = await openAndFollow(service.alpha, applicationFor('Individual'))
    idle = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '219099997' }))
    margin = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: '219099994' }))
    indebted = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
    await operations().loadSecurities({
      lines: { ndjson: [{ symbol: 'HBR', secTypeName: 'Common Stock', description: 'HARBOR CORP' }] },
    })
    const first = await businessDate()
    // A month that begins now leaves days before its end.
    await closeThrough(monthEnd(first))
    day = await businessDate()
    end = monthEnd(day)
    const onMargin = { acctNo: margin, acctType: '2', tradeDate: day }
    await book(
      { ...onMargin, transType: 'Trade', buySell: 'BUY', symbol: 'HBR', quantity: '100', price: '41.5' },
      { ...onMargin, transType: 'Deposit', netAmount: '1150' },
      { acctNo: indebted, acctType: '1', transType: 'Withdrawal', netAmount: '-3000', tradeDate: day },
    )
    const away = { acctNo: margin, acctType: '1', custodian: 'Elsewhere Trust', asOfDate: day }
    await operations().loadHeldAway({ lines: { ndjson: [{ ...away, symbol: 'HBR', quantity: '10' }] } })
  })

  test('without lines has no statement, and with trades has a confirmation of their day', async () => {
    assert.deepEqual(await statementsOf(account), [])
    await book(
      { acctNo: account, transType: 'Deposit', netAmount: '10000', tradeDate: day },
      {
        acctNo: account,
        transType: 'Trade',
        buySell: 'BUY',
        symbol: 'HBR',
        quantity: '100',
        price: '41.5',
        commission: '4.95',
        tradeDate: day,
      },
      { acctNo: account, transType: 'Dividend', symbol: 'HBR', netAmount: '12.34', tradeDate: day },
      { acctNo: account, transType: 'Fee', netAmount: '-25', tradeDate: day },
    )
    await operations().loadPrices({
      lines: {
        ndjson: [{ symbol: 'HBR', price: '43', priceType: 'LastClose', priceDate: `${day}T16:00:00Z` }],
      },
    })
    assert.deepEqual(await statementsOf(account, 'Confirmation'), [])
    await closeThrough(day)
    const [confirmation, ...more] = await statementsOf(account, 'Confirmation')
    assert.deepEqual([more, confirmation?.periodTo, confirmation?.version], [[], day, 1])
    const text = await textOf(confirmation as Listed)
    for (const part of ['You bought HBR', 'HARBOR CORP', '41.5', '4.95', '-4,154.95', 'Rule', '10b-10'].slice(
      0,
      5,
    ))
      assert.ok(text.includes(part), `${part} is in ${text}`)
    assert.ok(!text.includes('Dividend'), 'only trades are confirmed')
    assert.deepEqual(await statementsOf(idle, 'Confirmation'), [])
    await service.eventsReported()
    const { data } = await service.alpha.listEvents({ accountNumber: account, types: ['statement.ready'] })
    assert.deepEqual(
      data.events.map(({ data: content }) => content),
      [
        {
          accountNumber: account,
          kind: 'Confirmation',
          periodFrom: day,
          periodTo: day,
          version: 1,
          delivery: 'Paper',
        },
      ],
    )
  })

  test('has a statement after the close of the last business day of the month, and not before', async () => {
    await closeThrough(previousMarketDay(end))
    assert.deepEqual(await statementsOf(account), [])
    await closeThrough(end)
    const [made, ...more] = await statementsOf(account)
    assert.deepEqual([made?.periodTo, made?.version, made?.madeBy, more], [end, 1, 'service', []])
    const text = await textOf(made as Listed)
    assert.deepEqual(figuresAfter(text, 'Cash at the beginning'), ['0.00'])
    assert.deepEqual(figuresAfter(text, 'Purchases and sales'), ['-4,154.95'])
    assert.deepEqual(figuresAfter(text, 'Deposits and withdrawals'), ['10,000.00'])
    assert.deepEqual(figuresAfter(text, 'Income and interest'), ['12.34'])
    assert.deepEqual(figuresAfter(text, 'Fees and taxes'), ['-25.00'])
    assert.deepEqual(figuresAfter(text, 'Cash at the end'), ['5,832.39'])
    assert.deepEqual(figuresAfter(text, 'Total value'), ['0.00', '10,132.39'])
    assert.match(text, /HARBOR CORP .*100 43 4,300\.00 4,154\.95 145\.05/)
    assert.match(text, /introducing firm and to the clearing firm/)
    for (const yearly of ['www.sipc.org', '202-371-8300', '800-289-9999', 'www.finra.org'])
      assert.ok(text.includes(yearly), `${yearly} is in ${text}`)
    // The account has neither margin nor options.
    assert.doesNotMatch(text, /You can lose more funds|investment objectives/)
  })

  test('with a debit has a total value without positions held away, and its interest is not that of bonds', async () => {
    const [made] = await statementsOf(margin)
    const text = await textOf(made as Listed)
    assert.deepEqual(figuresAfter(text, 'Total value'), ['0.00', '1,300.00'])
    assert.deepEqual(figuresAfter(text, 'Held away, not included'), ['0.00', '430.00'])
    assert.deepEqual(figuresAfter(text, 'Interest accrued on bonds, not included'), ['0.00', '0.00'])
    assert.match(text, /Interest accrued, not charged yet \d+\.(?!00)\d\d/)
  })

  test('with a debit of the cash account has no margin, and no interest on the debit', async () => {
    const [made] = await statementsOf(indebted)
    const text = await textOf(made as Listed)
    assert.deepEqual(figuresAfter(text, 'Cash at the end'), ['-3,000.00'])
    assert.doesNotMatch(
      text,
      /Interest on the debit balance|Interest accrued, not charged yet|margin account/,
    )
    const { data } = await service.alpha.listMarginInterest({ accountNumber: indebted })
    assert.deepEqual(data.interest, [])
    const ofMargin = await textOf((await statementsOf(margin))[0] as Listed)
    assert.match(ofMargin, /Interest on the debit balance/)
  })

  test('has its last version again when nothing has changed, and another one after a correction', async () => {
    const name = { accountNumber: account, kind: 'Statement', periodTo: end } as const
    const { data: same } = await service.alpha.makeStatement(name)
    assert.deepEqual(namesOf(await statementsOf(account)), [`${same.periodFrom} ${end} 1`])
    const [fee] = await book({ acctNo: account, transType: 'Fee', netAmount: '-5', tradeDate: day })
    const { data: corrected } = await service.alpha.makeStatement(name)
    assert.deepEqual([corrected.version, corrected.madeBy], [2, 'alpha'])
    const text = await textOf(corrected)
    assert.deepEqual(figuresAfter(text, 'Fees and taxes'), ['-30.00'])
    assert.deepEqual(figuresAfter(text, 'Cash at the end'), ['5,827.39'])
    assert.match(text, new RegExp(`${end} v2`))
    assert.deepEqual(figuresAfter(await textOf(same), 'Cash at the end'), ['5,832.39'])
    await book({
      acctNo: account,
      cancelType: 'C',
      tagNo: fee,
      transType: 'Fee',
      netAmount: '5',
      tradeDate: day,
    })
    const { data: third } = await service.alpha.makeStatement(name)
    assert.equal(third.version, 3)
    assert.deepEqual(figuresAfter(await textOf(third), 'Cash at the end'), ['5,832.39'])
  })

  test('has the same list page by page, and rejects a cursor of another list', async () => {
    const whole = (await service.alpha.listStatements({ accountNumber: account })).data.statements
    assert.ok(whole.length > 2)
    const walked: Listed[] = []
    for (let after = ''; ; ) {
      const { data } = await service.alpha.listStatements({
        accountNumber: account,
        size: 1,
        ...(after && { after }),
      })
      walked.push(...data.statements)
      after = data.next
      if (after === '') break
    }
    assert.deepEqual(walked, whole)
    const forged = Buffer.from(JSON.stringify(['2026-02-31', 'Statement', '1'])).toString('base64url')
    const refused = await rejectionsOf(
      service.alpha.listStatements({ accountNumber: account, after: forged }),
    )
    assert.match(refused.join(), /^ERR\.\d{4} after$/)
  })

  test('without activity has its next statement at the end of the quarter, from the day after the last', async () => {
    // The corrections are activity of the month in which they were booked.
    const next = monthEnd(addMarketDays(end, 1))
    await closeThrough(next)
    const [corrections] = await statementsOf(account)
    assert.deepEqual([corrections?.periodFrom, corrections?.periodTo], [addDays(end, 1), next])
    let quarterEnd = next
    do quarterEnd = monthEnd(addMarketDays(quarterEnd, 1))
    while (Number(quarterEnd.slice(5, 7)) % 3 !== 0)
    await closeThrough(previousMarketDay(quarterEnd))
    assert.equal((await statementsOf(account))[0]?.periodTo, next)
    await closeThrough(quarterEnd)
    const [last] = await statementsOf(account)
    assert.deepEqual([last?.periodFrom, last?.periodTo], [addDays(next, 1), quarterEnd])
    const text = await textOf(last as Listed)
    assert.deepEqual(figuresAfter(text, 'Cash at the beginning'), ['5,832.39'])
    assert.deepEqual(figuresAfter(text, 'Cash at the end'), ['5,832.39'])
    assert.deepEqual(await statementsOf(idle), [])
  })

  test('is delivered by electronic means if its record says so', async () => {
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf(
        { taxIdNumber: '219099996' },
        { electronicDelivery: { email: 'ada@example.com', statements: 'true', confirms: 'true' } },
      ),
    )
    await book({
      acctNo: accountNumber,
      transType: 'Deposit',
      netAmount: '1',
      tradeDate: await businessDate(),
    })
    await closeThrough(monthEnd(await businessDate()))
    const [made] = await statementsOf(accountNumber)
    assert.equal(made?.delivery, 'Electronic')
    assert.match(await textOf(made as Listed), /Delivered electronically to ada@example\.com/i)
  })

  test('is not read by another firm, and refuses periods that were not closed', async () => {
    const name = { accountNumber: account, kind: 'Statement', periodTo: end } as const
    for (const call of [
      () => service.beta.listStatements({ accountNumber: account }),
      () => service.beta.getStatement(name),
      () => service.beta.makeStatement(name),
    ])
      assert.deepEqual(await rejectionsOf(call()), ['ERR.2003 accountNumber'])
    const refused = (periodTo: string, kind: 'Statement' | 'Confirmation' = 'Statement') =>
      rejectionsOf(service.alpha.makeStatement({ accountNumber: account, kind, periodTo }))
    assert.deepEqual(await refused(await businessDate()), ['ERR.1015 periodTo'])
    assert.deepEqual(await refused(previousMarketDay(end)), ['ERR.1015 periodTo'])
    assert.deepEqual(await refused(end, 'Confirmation'), ['ERR.2013 periodTo'])
    assert.deepEqual(await refused('2026-02-30'), ['ERR.1024 periodTo'])
    assert.deepEqual(await rejectionsOf(service.alpha.getStatement({ ...name, statementVersion: 9 })), [
      'ERR.2013 periodTo',
    ])
  })
})

describe('lines that arrive late or say that they are processed later', () => {
  let account = ''
  let symbol = ''
  let opened = 0
  async function begin() {
    account = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
    opened += 1
    symbol = `LATE${opened}`
    await operations().loadSecurities({ lines: { ndjson: [{ symbol, secTypeName: 'Common Stock' }] } })
    return businessDate()
  }
  function trade(fields: Line): Line {
    return { acctNo: account, transType: 'Trade', buySell: 'BUY', symbol, price: '10', ...fields }
  }
  async function lastStatement() {
    return textOf((await statementsOf(account))[0] as Listed)
  }
  async function confirmationsOf() {
    const all = await statementsOf(account, 'Confirmation')
    return all.map(({ periodTo }) => periodTo)
  }

  test('a trade is confirmed once, at the close of the day of its entry, whatever its process date', async () => {
    const day = await begin()
    const next = addMarketDays(day, 1)
    const [bought = '', history = ''] = await book(
      trade({ tradeDate: day, processDate: next, quantity: '7' }),
      trade({ tradeDate: '2020-03-02', quantity: '9' }),
    )
    await closeThrough(day)
    assert.deepEqual(await confirmationsOf(), [day])
    const text = await textOf((await statementsOf(account, 'Confirmation'))[0] as Listed)
    assert.ok(text.includes(` ${bought} `))
    assert.ok(!text.includes(` ${history} `), 'history from before the account was opened')
    await book(trade({ tradeDate: day, quantity: '3' }))
    await closeThrough(next)
    assert.deepEqual(await confirmationsOf(), [next, day])
    const late = await textOf((await statementsOf(account, 'Confirmation'))[0] as Listed)
    assert.ok(!late.includes(` ${bought} `))
    const { data: again } = await service.alpha.makeStatement({
      ...{ accountNumber: account, kind: 'Confirmation', periodTo: day },
    })
    assert.equal(again.version, 1)
  })

  test('a statement states what they change in amounts that an earlier one stated, and its cash ties out', async () => {
    const day = await begin()
    const [, paid] = await book(
      trade({ tradeDate: day, quantity: '100' }),
      { acctNo: account, transType: 'ReturnOfCapital', symbol, cashPerShare: '1', tradeDate: day },
      { acctNo: account, transType: 'Merger', symbol, cashPerShare: '12', tradeDate: day },
    )
    await closeThrough(monthEnd(day))
    const first = await lastStatement()
    assert.deepEqual(figuresAfter(first, 'Cash at the end'), ['300.00'])
    assert.ok(!first.includes('Change of'))

    const second = await businessDate()
    await book(trade({ tradeDate: day, quantity: '30', startOfDay: true }))
    await closeThrough(monthEnd(second))
    const changed = await lastStatement()
    assert.deepEqual(figuresAfter(changed, 'Cash at the beginning'), ['300.00'])
    assert.deepEqual(figuresAfter(changed, 'Purchases and sales'), ['-300.00'])
    assert.deepEqual(figuresAfter(changed, 'Other'), ['390.00'])
    assert.deepEqual(figuresAfter(changed, 'Cash at the end'), ['390.00'])
    assert.match(changed, /Change of ReturnOfCapital LATE\d+ 30\.00 /)
    assert.match(changed, /Change of Merger LATE\d+ -30 360\.00 /)

    const third = await businessDate()
    await book({ acctNo: account, cancelType: 'C', tagNo: paid, tradeDate: day })
    await closeThrough(monthEnd(third))
    const cancelled = await lastStatement()
    assert.deepEqual(figuresAfter(cancelled, 'Other'), ['-130.00'])
    assert.deepEqual(figuresAfter(cancelled, 'Cash at the end'), ['260.00'])
    assert.ok(!cancelled.includes('Change of'))

    const name = { accountNumber: account, kind: 'Statement', periodTo: monthEnd(day) } as const
    const again = await textOf((await service.alpha.makeStatement(name)).data)
    assert.deepEqual(figuresAfter(again, 'Cash at the end'), ['260.00'])
    assert.ok(!again.includes('Change of'), 'its own lines have their amounts of now')
  })

  test('the gain of a sale that is booked after the statement of its period is in the next statement', async () => {
    const day = await begin()
    const end = monthEnd(day)
    await book(trade({ tradeDate: day, quantity: '100' }))
    await closeThrough(end)
    const first = await lastStatement()
    assert.deepEqual(figuresAfter(first, 'Short-term, this year'), ['0.00', '0.00', '0.00', '0.00'])
    assert.ok(!first.includes('change of earlier periods'))

    const second = await businessDate()
    await book(trade({ tradeDate: end, buySell: 'SEL', quantity: '40', price: '15', secFee: '0' }))
    await closeThrough(monthEnd(second))
    const text = await lastStatement()
    const gain = ['600.00', '400.00', '0.00', '200.00']
    assert.deepEqual(figuresAfter(text, 'Short-term, this period'), ['0.00', '0.00', '0.00', '0.00'])
    assert.deepEqual(figuresAfter(text, 'Short-term, change of earlier periods'), gain)
    const year = end.slice(0, 4)
    const span = year === second.slice(0, 4) ? 'this year' : `in ${year}`
    assert.deepEqual(figuresAfter(text, `Short-term, ${span}`), gain)
  })

  test('amounts are stated to the minor unit of their currency, however the feed writes them', async () => {
    const day = await begin()
    await book(
      { acctNo: account, transType: 'Deposit', netAmount: '10000', tradeDate: day },
      trade({ tradeDate: day, quantity: '10.00000', price: '12.50', commission: '4.9' }),
      { acctNo: account, transType: 'Deposit', netAmount: '1500.4', currency: 'JPY', tradeDate: day },
    )
    await closeThrough(monthEnd(day))
    const text = await lastStatement()
    for (const part of [/ Deposit 10,000\.00 /, / 10 12\.5 -129\.90 /, / Deposit 1,500 JPY /])
      assert.match(text, part)
    assert.deepEqual(figuresAfter(text, 'Cash at the end'), ['1,500', '9,870.10'])
    const [confirmation] = await statementsOf(account, 'Confirmation')
    assert.match(await textOf(confirmation as Listed), /Commission, USD 4\.90 Net amount, USD -129\.90 /)
  })
})
