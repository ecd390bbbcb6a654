/** A rebill takes the place of its original in the payments of a cash account and in the margin of a day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { applicationOf } from './applications.ts'
import { buy, type Line, line, load, newAccount, sell, service, startBeforeTests } from './booked-lines.ts'
import { openAndFollow } from './calling.ts'

startBeforeTests()

/** The line with a wrong price, later lines of the day, and the cancel and rebill of the line. */
function corrected(wrong: Line, later: Line[], price: string): Line[] {
  const tagNo = wrong.externalId
  const cancel = line('', { ...wrong, externalId: `${tagNo}-C`, cancelType: 'C', tagNo })
  const rebill = line('', { ...wrong, externalId: `${tagNo}-R`, rebill: 'Y', tagNo, price })
  return [wrong, ...later, cancel, rebill]
}
/** The same lines, with the first one and with its corrections, which may also arrive before it. */
function waysOf(first: (price: string) => Line, later: (account: string) => Line[], price: string) {
  return [
    (account: string) => [first(price), ...later(account)],
    (account: string) => corrected(first('1'), later(account), price),
    (account: string) => corrected(first('1'), later(account), price).toReversed(),
  ]
}

test('a corrected purchase is paid as if it had been right from the start', async () => {
  const businessDate = (await service.alpha.sandbox.getClock({})).data.businessDate
  const next = addMarketDays(businessDate, 1)
  const close = () =>
    service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
  const accounts: string[] = []
  for (const way of [0, 1]) {
    const account = await newAccount()
    accounts.push(account)
    const today = { tradeDate: businessDate }
    const ways = waysOf(
      (price) => buy(account, 'AAA', 100, price, today),
      () => [buy(account, 'BBB', 100, '50', today)],
      '50',
    )
    await load(
      line(account, { transType: 'Deposit', netAmount: '5000', ...today }),
      ...(ways[way]?.(account) ?? []),
    )
  }
  await close()
  await load(...accounts.map((account) => sell(account, 'AAA', 100, '50', { tradeDate: next })))
  await close()
  for (const accountNumber of accounts) {
    const { data } = await service.operations.operations.listRestrictions({ accountNumber })
    assert.deepEqual(data.restrictions, [], 'the deposit paid what was sold')
    const { cashAccount } = (await service.alpha.balanceSummary({ accountNumber })).data
    assert.deepEqual([Number(cashAccount.unpaid), cashAccount.goodFaithViolations], [5_000, 0])
  }
})

test('a corrected purchase counts before the deposit that came after it', async () => {
  const tradeDate = (await service.alpha.sandbox.getClock({})).data.businessDate
  const calls: number[] = []
  for (const way of [0, 1, 2]) {
    const account = await openAndFollow(
      service.alpha,
      applicationOf({}, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
    )
    const today = { tradeDate, acctType: '2' }
    const deposit = (netAmount: string) => line(account, { transType: 'Deposit', netAmount, ...today })
    const ways = waysOf(
      (price) => buy(account, 'AAA', 500, price, today),
      () => [deposit('800')],
      '12',
    )
    await load(deposit('1000'), ...(ways[way]?.(account) ?? []))
    const { data } = await service.alpha.balanceSummary({ accountNumber: account })
    calls.push(Number(data.openCall.dayTradeCall))
  }
  // 25 % of 6,000 less 1,000. If all arrives in reverse, the deposit comes before the original too.
  assert.deepEqual(calls, [500, 500, 0])
})
