/** Closed days through the sdk: what was known at a close is answered for good, whatever comes later; other views are asked for. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Line = Record<string, unknown>
type Loaded = { readonly accepted: number; readonly rejects: readonly unknown[] }
const kinds = () => service.operations.operations
const loadAll = async (
  load: (lines: { lines: { ndjson: Line[] } }) => Promise<{ data: Loaded }>,
  ndjson: Line[],
) => {
  const { data } = await load({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
  return data
}
const securities = (...lines: Line[]) => loadAll((body) => kinds().loadSecurities(body), lines)
const prices = (...lines: Line[]) => loadAll((body) => kinds().loadPrices(body), lines)
const rates = (...lines: Line[]) => loadAll((body) => kinds().loadFxRates(body), lines)
const activity = (...lines: Line[]) => loadAll((body) => kinds().loadActivity(body), lines)
const heldAway = (...lines: Line[]) => loadAll((body) => kinds().loadHeldAway(body), lines)
const terms = (...lines: Line[]) => loadAll((body) => kinds().loadAccountTerms(body), lines)

const businessDate = async () => (await service.alpha.sandbox.getClock({})).data.businessDate
const closeDay = async () => {
  const { data } = await service.alpha.sandbox.closeBusinessDay({})
  return data
}
const priced = (symbol: string, price: string, day: string, more: Line = {}) => ({
  symbol,
  price,
  priceType: 'LastClose',
  priceDate: `${day}T15:00:00Z`,
  ...more,
})

let ids = 0
const line = (acctNo: string, fields: Line): Line => {
  ids += 1
  return { externalId: `D${ids}`, acctNo, ...fields }
}

const reads = ['position-summary', 'position-detail', 'balance-summary'] as const
/** The answers as they came, without what is of the call itself. */
const answers = async (accountNumber: string, view: Line): Promise<string[]> =>
  Promise.all(
    reads.map(async (operation) => {
      const answer = await service.post(operation, { accountNumber, ...view })
      assert.equal(answer.status, 200, answer.text)
      return answer.text.replace(/"traceId":"[^"]*"/, '')
    }),
  )
const activityAnswer = async (accountNumber: string, view: Line) => {
  const ask = (operation: string) =>
    service.post(operation, { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31', ...view })
  const both = await Promise.all([ask('trade-activity'), ask('non-trade-activity')])
  return both.map(({ text }) => text.replace(/"traceId":"[^"]*"/, ''))
}

describe('a day that was closed', () => {
  test('is answered as it was known at its close, to the byte, whatever comes later', async () => {
    const account = await openAndFollow(service.alpha, applicationFor('Individual'))
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
        expiration: '2027-12-17',
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
        'a late sale of earlier',
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
})
