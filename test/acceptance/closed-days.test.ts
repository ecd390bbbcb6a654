/**
 * Closed days through the sdk: reads return the state known at the close, whatever arrives later. Requests can select
 * other views.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Line = Record<string, unknown>
type Loaded = { readonly accepted: number; readonly rejects: readonly unknown[] }
function kinds() {
  return service.operations.operations
}
function loader(load: (body: { lines: { ndjson: Line[] } }) => Promise<{ data: Loaded }>) {
  return async (...ndjson: Line[]) => {
    const { data } = await load({ lines: { ndjson } })
    assert.deepEqual(data.rejects, [])
    return data
  }
}
const securities = loader((body) => kinds().loadSecurities(body))
const prices = loader((body) => kinds().loadPrices(body))
const rates = loader((body) => kinds().loadFxRates(body))
const activity = loader((body) => kinds().loadActivity(body))
const heldAway = loader((body) => kinds().loadHeldAway(body))
const terms = loader((body) => kinds().loadAccountTerms(body))

async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
/** Closing a day moves the sandbox's clock past the life of a token. Therefore each call obtains its own. */
async function post(operation: string, body: unknown) {
  const form = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
  const answer = await fetch(`${service.address}/identity/connect/token`, { method: 'POST', body: form })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return service.post(operation, body, { authorization: `Bearer ${token}` })
}
async function closeDay() {
  const { data } = await service.alpha.sandbox.closeBusinessDay({
    acceptOpen: { reason: 'Prices of a test are old.' },
  })
  return data
}
function priced(symbol: string, price: string, day: string, more: Line = {}) {
  return {
    symbol,
    price,
    priceType: 'LastClose',
    priceDate: `${day}T15:00:00Z`,
    ...more,
  }
}

let ids = 0
function line(acctNo: string, fields: Line): Line {
  ids += 1
  return { externalId: `D${ids}`, acctNo, ...fields }
}

const reads = ['position-summary', 'position-detail', 'balance-summary'] as const
/** The responses as they came, without the parts that differ with each call. */
async function answers(accountNumber: string, view: Line): Promise<string[]> {
  return Promise.all(
    [...reads, 'realized-gains'].map(async (operation) => {
      const range = { dateFrom: '2020-01-01', dateTo: '2029-12-31' }
      const asked = operation === 'realized-gains' ? range : {}
      const answer = await post(operation, { accountNumber, ...view, ...asked })
      assert.equal(answer.status, 200, answer.text)
      return answer.text.replace(/"traceId":"[^"]*"/, '')
    }),
  )
}
async function activityAnswer(accountNumber: string, view: Line) {
  const ask = (operation: string) =>
    post(operation, { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31', ...view })
  const both = await Promise.all([ask('trade-activity'), ask('non-trade-activity')])
  return both.map(({ text }) => text.replace(/"traceId":"[^"]*"/, ''))
}

describe('a day that was closed', () => {
  test('is returned as it was known at its close, byte for byte, whatever comes later', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const day = await businessDate()
    const earlier = '2026-01-05'
    await securities(
      { symbol: 'STK', secTypeName: 'Common Stock', industryGroupName: 'Ports', description: 'HARBOR CORP' },
      { symbol: 'EUS', currency: 'EUR', secTypeName: 'Common Stock' },
      {
        symbol: 'POOL',
        secTypeName: 'Pool',
        couponRate: '5',
        maturityDate: '2044-01-01',
        currentFactor: '0.9',
      },
      { symbol: 'FUND', secTypeName: 'Money Market Fund', moneyMarket: true },
      {
        symbol: 'STKC',
        secTypeName: 'Option',
        putCall: 'Call',
        strike: '40',
        expiration: '2037-12-18',
        underlying: 'STK',
      },
    )
    await rates({ currency: 'EUR', rate: '1.1', date: '2026-01-02' })
    await prices(
      priced('STK', '50', earlier),
      priced('EUS', '80', earlier),
      priced('POOL', '98', earlier),
      priced('FUND', '1', earlier, { yield: '4' }),
      priced('STKC', '12', earlier),
    )
    const margin = { acctType: '2', tradeDate: earlier }
    const buy = (symbol: string, quantity: string, price: string) =>
      line(account, { ...margin, transType: 'Trade', buySell: 'BUY', symbol, quantity, price })
    const bought = buy('STK', '100', '45')
    await activity(
      line(account, { ...margin, transType: 'Deposit', netAmount: '20000' }),
      bought,
      buy('EUS', '10', '70'),
      { ...buy('EUS', '2', '60'), buySell: 'SEL', secFee: '0' },
      buy('POOL', '1000', '97'),
      buy('FUND', '500', '1'),
      line(account, {
        ...margin,
        acctType: '3',
        transType: 'Trade',
        buySell: 'SSL',
        symbol: 'STKC',
        quantity: '2',
        price: '10',
      }),
    )
    await heldAway({
      acctNo: account,
      custodian: 'Elsewhere',
      symbol: 'STK',
      asOfDate: earlier,
      quantity: '7',
    })
    const { closedDate } = await closeDay()
    assert.equal(closedDate, day)
    const closed = await answers(account, { asOf: day })
    const known = await activityAnswer(account, { knownAt: day })
    const same = async (what: string) => {
      assert.deepEqual(await answers(account, { asOf: day }), closed, what)
      assert.deepEqual(await answers(account, { asOf: day, knownAt: day }), closed, what)
      assert.deepEqual(await activityAnswer(account, { knownAt: day }), known, what)
    }
    await same('nothing came')

    const late = { ...margin, tradeDate: day }
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      [
        'a late price',
        () => prices({ ...priced('STK', '60', day) }, priced('FUND', '1', day, { yield: '9' })),
      ],
      [
        'a late rate',
        () =>
          rates({ currency: 'EUR', rate: '1.3', date: earlier }, { currency: 'EUR', rate: '1.4', date: day }),
      ],
      [
        'a late purchase',
        () =>
          activity(
            line(account, {
              ...late,
              transType: 'Trade',
              buySell: 'BUY',
              symbol: 'STK',
              quantity: '5',
              price: '50',
            }),
          ),
      ],
      [
        'a late sale of an earlier purchase',
        () =>
          activity(
            line(account, {
              ...margin,
              transType: 'Trade',
              buySell: 'SEL',
              symbol: 'STK',
              quantity: '50',
              price: '60',
              secFee: '0',
            }),
          ),
      ],
      ['a late deposit', () => activity(line(account, { ...late, transType: 'Deposit', netAmount: '77' }))],
      [
        'a split',
        () => activity(line(account, { ...late, transType: 'Split', symbol: 'STK', ratio: '2:1' })),
      ],
      [
        'a factor change',
        () =>
          activity(line(account, { ...late, transType: 'FactorChange', symbol: 'POOL', ratio: '0.8:0.9' })),
      ],
      [
        'a late distribution of the fund',
        () => activity(line(account, { ...late, transType: 'Dividend', symbol: 'FUND', netAmount: '3' })),
      ],
      ['a cancel', () => activity(line(account, { cancelType: 'C', tagNo: bought.externalId }))],
      [
        'a rebill',
        () =>
          activity({ ...bought, externalId: 'rebilled', rebill: 'Y', tagNo: bought.externalId, price: '44' }),
      ],
      [
        'a late report of another custodian',
        () =>
          heldAway({ acctNo: account, custodian: 'Elsewhere', symbol: 'STK', asOfDate: day, quantity: '9' }),
      ],
      [
        'the house’s terms',
        () => terms({ acctNo: account, houseLongPercent: '60', houseShortPercent: '90' }),
      ],
      [
        'facts of securities',
        () =>
          securities(
            { symbol: 'POOL', currentFactor: '0.5', description: 'ANOTHER POOL', couponRate: '6' },
            { symbol: 'FUND', description: 'ANOTHER FUND' },
            { symbol: 'STK', industryGroupName: 'Mills', houseLongPercent: '70', marginable: false },
          ),
      ],
      ['another symbol', () => securities({ cusip: '037833100', symbol: 'STKX' })],
      ['moved prices', () => service.alpha.sandbox.movePrices({ percent: 10 })],
      [
        'another name of the owner',
        () => service.alpha.updateAccount({ accountNumber: account, primaryOwner: { lastName: 'Renamed' } }),
      ],
    ]
    for (const [what, step] of steps) {
      await step()
      await same(what)
    }
    await closeDay()
    await same('the next close')
    const now = await answers(account, { asOf: day, knownAt: 'now' })
    for (const [index, operation] of reads.entries()) assert.notEqual(now[index], closed[index], operation)
    assert.deepEqual((await kinds().verifyBooks({})).data.breaks, [])
  })

  test('takes late lines under the open business date, except the history of a transferred account', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const opened = await businessDate()
    await activity(deposit(account, '10', { tradeDate: opened }))
    await closeDay()
    await closeDay()
    const today = await businessDate()
    const early = deposit(account, '20', { tradeDate: opened })
    await activity(
      early,
      deposit(account, '30', { tradeDate: opened, asOfDate: '2026-03-03' }),
      deposit(account, '40', { tradeDate: today, processDate: opened }),
      deposit(account, '50', { tradeDate: '2025-06-02' }),
      deposit(account, '60', { tradeDate: today }),
      line(account, { cancelType: 'C', tagNo: early.externalId }),
    )
    const dated = await datesOf(account, {})
    const compact = (day: string) => day.replaceAll('-', '')
    assert.deepEqual(dated.pop()?.slice(1), [opened, compact(today), opened, today], 'the cancel')
    assert.deepEqual(dated, [
      ['50', '2025-06-02', compact('2025-06-02'), '', today],
      ['10', opened, compact(opened), '', opened],
      ['20', opened, compact(today), opened, today],
      ['30', opened, compact(today), '2026-03-03', today],
      ['40', today, compact(today), opened, today],
      ['60', today, compact(today), '', today],
    ])
    assert.deepEqual((await kinds().verifyBooks({ accountNumber: account })).data.breaks, [])
  })

  test('a caller that reads by enteredOn misses nothing, and other dates can be compared too', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const first = await businessDate()
    await activity(
      deposit(account, '1', { tradeDate: '2026-01-05' }),
      deposit(account, '2', { tradeDate: first }),
    )
    await closeDay()
    const second = await businessDate()
    await activity(
      deposit(account, '3', { tradeDate: '2026-01-06' }),
      deposit(account, '4', { tradeDate: first }),
    )
    const amounts = async (dateField: string | undefined, dateFrom: string, dateTo = dateFrom) =>
      (await datesOf(account, { dateField, dateFrom, dateTo })).map(([amount]) => amount)
    assert.deepEqual(await amounts('enteredOn', first), ['1', '2'])
    assert.deepEqual(await amounts('ENTEREDON', second), ['3', '4'])
    assert.deepEqual(await amounts('tradeDate', '2026-01-05', '2026-01-06'), ['1', '3'])
    assert.deepEqual(await amounts('tradeDate', first), ['2', '4'])
    assert.deepEqual(await amounts('settleDate', first), ['2', '4'])
    assert.deepEqual(await amounts('processDate', first), ['2'])
    assert.deepEqual(await amounts(undefined, second), ['4'])
    const asking = { accountNumber: account, dateFrom: first, dateTo: second }
    assert.deepEqual(
      await rejectionsOf(service.alpha.nonTradeActivity({ ...asking, dateField: 'bookedOn' })),
      ['ERR.1015 dateField'],
    )
  })
})

function deposit(acctNo: string, netAmount: string, fields: Line) {
  return line(acctNo, { transType: 'Deposit', netAmount, ...fields })
}

/** For each line its amount, trade date, process date, as-of date and the date on which it was entered. */
async function datesOf(accountNumber: string, view: Line) {
  const asked = { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31', ...view }
  const { data } = await service.alpha.nonTradeActivity(asked)
  return data.activity.map(({ netAmount, tradeDate, processDate, asOfDate, enteredOn }) => [
    netAmount,
    tradeDate,
    processDate,
    asOfDate,
    enteredOn,
  ])
}

describe('knownAt', () => {
  test('selects another view of a day, of activity and of the stock record', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    await securities({ symbol: 'REC', secTypeName: 'Common Stock' })
    const first = await businessDate()
    const buy = (quantity: string, tradeDate: string) =>
      line(account, { transType: 'Trade', buySell: 'BUY', symbol: 'REC', quantity, price: '1', tradeDate })
    await activity(buy('10', '2026-01-05'))
    await closeDay()
    const second = await businessDate()
    const late = buy('5', '2026-01-06')
    await activity(late, buy('1', second))
    await closeDay()
    await activity(line(account, { cancelType: 'C', tagNo: late.externalId }))
    const held = async (view: Line) => {
      const { data } = await service.alpha.positionSummary({ accountNumber: account, ...view })
      return data.portfolios.map(({ quantity }) => Number(quantity))
    }
    assert.deepEqual(await held({ asOf: first }), [10])
    assert.deepEqual(await held({ asOf: first, knownAt: second }), [15])
    assert.deepEqual(await held({ asOf: first, knownAt: 'now' }), [10])
    assert.deepEqual(await held({ asOf: second }), [16])
    assert.deepEqual(await held({ asOf: second, knownAt: 'NOW' }), [11])
    assert.deepEqual(await held({ asOf: second, knownAt: first }), [10])
    assert.deepEqual(await held({}), [11])
    assert.deepEqual(await held({ knownAt: first }), [10])
    assert.deepEqual(await held({ knownAt: second }), [16])
    assert.deepEqual(await held({ knownAt: await businessDate() }), [11])
    // The response for an earlier day has all facts known now, unless another view is requested.
    assert.deepEqual(await held({ asOf: '2026-01-07' }), [10])
    assert.deepEqual(await held({ asOf: '2026-01-07', knownAt: second }), [15])
    assert.deepEqual(await held({ asOf: '2026-01-05', knownAt: second }), [10])

    const trades = async (knownAt?: string) => {
      const asked = { accountNumber: account, dateFrom: '2026-01-01', dateTo: '2029-12-31' }
      const { data } = await service.alpha.tradeActivity({ ...asked, ...(knownAt ? { knownAt } : {}) })
      return data.activity.map(
        ({ quantity, cancelStatus }) => `${quantity}${cancelStatus && ` ${cancelStatus}`}`,
      )
    }
    assert.deepEqual(await trades(first), ['10'])
    assert.deepEqual(await trades(second), ['10', '5', '1'])
    assert.deepEqual((await trades()).length, 4)
    assert.equal((await trades())[1], '5 Cancelled')
    assert.deepEqual(await trades('now'), await trades())

    const record = async (knownAt?: string) => {
      const { data } = await kinds().stockRecord({ security: 'REC', ...(knownAt ? { knownAt } : {}) })
      return [Number(data.longQuantity), data.holders.map(({ quantity }) => Number(quantity))]
    }
    assert.deepEqual(await record(first), [10, [10]])
    assert.deepEqual(await record(second), [16, [16]])
    assert.deepEqual(await record('now'), [11, [11]])
    assert.deepEqual(await record(), [11, [11]])
  })
})

describe('corrections of closed days', () => {
  const corrections = async (accountNumber: string, more: Line = {}) => {
    const answer = await post('list-corrections', { accountNumber, ...more })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.data
  }

  test('are listed with the later lines, and with their effect on cash and value on that day and the following days', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const first = await businessDate()
    await securities({ symbol: 'CORR', secTypeName: 'Common Stock' })
    await prices(priced('CORR', '50', first))
    const of = (fields: Line) => line(account, { tradeDate: first, ...fields })
    const bought = of({ transType: 'Trade', buySell: 'BUY', symbol: 'CORR', quantity: '10', price: '48' })
    await activity(of({ transType: 'Deposit', netAmount: '1000' }), bought)
    await closeDay()
    const second = await businessDate()
    await closeDay()
    const third = await businessDate()
    assert.deepEqual(await corrections(account), { days: [], next: '' })

    const deposit = of({ transType: 'Deposit', netAmount: '250' })
    const cancel = line(account, { cancelType: 'C', tagNo: bought.externalId })
    const later = line(account, { transType: 'Fee', netAmount: '-5', tradeDate: second })
    const today = line(account, { transType: 'Fee', netAmount: '-1', tradeDate: third })
    await activity(deposit, cancel, later, today)
    const { days, next } = await corrections(account)
    const lineOf = (one: Line, kind: string, more: Line = {}) => ({
      externalId: one.externalId,
      kind,
      tagNo: '',
      buySell: '',
      secNo: '',
      enteredOn: third,
      ...more,
    })
    const ofPurchase = { transType: 'Trade', buySell: 'BUY', tradeDate: first, tagNo: bought.externalId }
    assert.deepEqual(
      days.map((one: { lines: { secNo: string }[] }) => ({
        ...one,
        lines: one.lines.map((late) => ({ ...late, secNo: '' })),
      })),
      [
        {
          date: second,
          lines: [lineOf(later, 'Late', { transType: 'Fee', tradeDate: second })],
          cash: { atClose: 520, now: 1245, change: 725 },
          value: { atClose: 1020, now: 1245, change: 225 },
        },
        {
          date: first,
          lines: [
            lineOf(deposit, 'Late', { transType: 'Deposit', tradeDate: first }),
            lineOf(cancel, 'Cancel', ofPurchase),
          ],
          cash: { atClose: 520, now: 1250, change: 730 },
          value: { atClose: 1020, now: 1250, change: 230 },
        },
      ],
    )
    assert.equal(next, '')
    const page = await corrections(account, { size: 1 })
    assert.deepEqual(page.days, [days[0]])
    const rest = await corrections(account, { size: 1, after: page.next })
    assert.deepEqual([rest.days, rest.next], [[days[1]], ''])
    assert.deepEqual((await corrections(account, { dateTo: first })).days, [days[1]])
    assert.deepEqual((await corrections(account, { dateFrom: second })).days, [days[0]])
  })

  test('include prices, and exclude the history of a transferred account', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const day = await businessDate()
    await securities({ symbol: 'CORP', secTypeName: 'Common Stock' })
    await prices(priced('CORP', '50', '2026-01-05'))
    const history = { tradeDate: '2026-02-03', transType: 'Trade', buySell: 'BUY', symbol: 'CORP' }
    await activity(line(account, { ...history, quantity: '10', price: '48' }))
    assert.deepEqual((await corrections(account)).days, [])
    await closeDay()
    await prices(priced('CORP', '51', day))
    const { days } = await corrections(account)
    assert.deepEqual(days, [
      {
        date: day,
        lines: [],
        cash: { atClose: -480, now: -480, change: 0 },
        value: { atClose: 20, now: 30, change: 10 },
      },
    ])
  })

  test('are refused for another firm’s account, for days that end before they begin, and for an invalid cursor', async () => {
    const account = await openAndFollow(service.alpha, marginApplication())
    const codes = async (more: Line) =>
      (await post('list-corrections', { accountNumber: account, ...more })).json.errors.map(
        ({ code, field }: { code: string; field: string }) => `${code} ${field}`,
      )
    assert.deepEqual(await codes({ dateFrom: '2026-02-01', dateTo: '2026-01-01' }), ['ERR.1025 dateFrom'])
    assert.deepEqual(await codes({ after: 'nowhere' }), ['ERR.1016 after'])
  })
})
