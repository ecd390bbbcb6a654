/** The short sale against the box of Publication 550 (WASH-IRS550-SHORT) through requests, also with a late line. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buy, type Line, line, load, newAccount, proves, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

const margin = { acctType: '2' }
function story(account: string): Line[] {
  const journal = (acctType: string, quantity: string) =>
    line(account, { transType: 'Journal', symbol: 'AAA', tradeDate: '2024-11-18', acctType, quantity })
  return [
    buy(account, 'AAA', 100, '10', { tradeDate: '2024-06-03', ...margin }),
    buy(account, 'AAA', 100, '7.5', { tradeDate: '2024-10-07', buySell: 'SSL', acctType: '3', secFee: '0' }),
    buy(account, 'AAA', 100, '7.5', { tradeDate: '2024-10-08', ...margin }),
    journal('2', '-100'),
    journal('3', '100'),
  ]
}

async function check(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2024-01-01', dateTo: '2024-12-31' }
  const { data } = await service.alpha.realizedGains(range)
  assert.deepEqual(
    data.closings.map(({ closeDate, gainLoss, washDisallowedAmt, gainLossAllowed }) => [
      closeDate,
      ...[gainLoss, washDisallowedAmt, gainLossAllowed].map(Number),
    ]),
    [['2024-11-18', -250, 250, 0]],
  )
  const detail = (await service.alpha.positionDetail({ accountNumber })).data.portfolios
  assert.deepEqual(
    detail.map(({ unrealizedGainLoss, quantity }) => [Number(quantity), Number(unrealizedGainLoss.cost)]),
    [[100, 1000]],
  )
  await proves(accountNumber)
}

describe('the short sale against the box of Publication 550', () => {
  test('has a disallowed loss of 250 and a lot of 1,000', async () => {
    const account = await newAccount()
    await load(...story(account))
    await check(account)
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2024 })
    assert.deepEqual(
      data.rows.map(({ proceeds, cost, washDisallowedAmt }) =>
        [proceeds, cost, washDisallowedAmt].map(Number),
      ),
      [[750, 1000, 250]],
    )
  })

  test('has them if the second purchase arrives last', async () => {
    const account = await newAccount()
    const [owned, short, bought, out, into] = story(account) as [Line, Line, Line, Line, Line]
    await load(owned, short, out, into)
    await load(bought)
    await check(account)
  })
})
