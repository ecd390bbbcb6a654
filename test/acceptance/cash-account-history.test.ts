/** Violations of cash accounts that are weeks old: each counts once, for twelve months, and follows late lines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays, addMonths, previousMarketDay } from '@clearing/domain/market'
import { buy, type Line, line, load, newAccount, sell, service, startBeforeTests } from './booked-lines.ts'

let today = ''
startBeforeTests(async () => {
  today = (await service.alpha.sandbox.getClock({})).data.businessDate
})

async function close(): Promise<void> {
  const { data } = await service.alpha.sandbox.closeBusinessDay({
    acceptOpen: { reason: 'As tests close days.' },
  })
  today = data.businessDate
}
/** A market day at least some days before the business date. */
function marketDay(daysBefore: number): string {
  return previousMarketDay(addDays(today, 1 - daysBefore))
}
async function cashOf(accountNumber: string, asOf?: string) {
  const { data } = await service.alpha.balanceSummary({ accountNumber, ...(asOf && { asOf }) })
  const { unpaid, goodFaithViolations, settledCashOnlyUntil } = data.cashAccount
  return [Number(unpaid), goodFaithViolations, settledCashOnlyUntil]
}
function deposit(account: string, tradeDate: string, netAmount: string): Line {
  return line(account, { transType: 'Deposit', netAmount, tradeDate })
}
function withdrawal(account: string, tradeDate: string, netAmount: string): Line {
  return line(account, { transType: 'Withdrawal', netAmount, tradeDate })
}
function bought(account: string, tradeDate: string, amount = 5_000): Line {
  return buy(account, 'AAA', amount / 50, '50', { tradeDate })
}
function sold(account: string, tradeDate: string, amount = 5_000): Line {
  return sell(account, 'AAA', amount / 50, '50', { tradeDate })
}
/** One good-faith violation: a purchase paid by an unsettled sale is sold on its day. */
function violation(account: string, day: string): Line[] {
  return [
    deposit(account, day, '5000'),
    ...[bought(account, day), sold(account, day)],
    ...[bought(account, day), sold(account, day)],
  ]
}

async function restrictionsOf(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber })
  return data.restrictions.map(({ restrictionCode, placedBy, endedOn }) => [
    restrictionCode,
    placedBy,
    endedOn,
  ])
}

test('an account that a person restricted for the same reason gets no second restriction', async () => {
  const [held, free] = [await newAccount(), await newAccount()]
  const restriction = {
    accountNumber: held,
    restrictionCode: 'NinetyDayCash',
    reason: 'As the branch asked.',
  }
  await service.operations.operations.placeRestriction(restriction)
  await load(
    ...[held, free].flatMap((account) => [bought(account, marketDay(8)), sold(account, marketDay(7))]),
  )
  await close()
  const byThePerson = [['NinetyDayCash', 'operations', null]]
  assert.deepEqual(await restrictionsOf(free), [['NinetyDayCash', 'service', null]])
  assert.deepEqual(await restrictionsOf(held), byThePerson)
  await close()
  assert.deepEqual(await restrictionsOf(held), byThePerson)
})

describe('a violation', () => {
  test('of the weeks before the purchases that a close follows counts once at every later close', async () => {
    const ages = [44, 46, 52, 58, 61]
    const accounts = await Promise.all(ages.map(() => newAccount()))
    await load(...accounts.flatMap((account, index) => violation(account, marketDay(ages[index] ?? 0))))
    await close()
    // Unpaid purchases: the next closes examine the accounts again.
    await load(...accounts.map((account) => bought(account, today, 10_000)))
    await close()
    await close()
    for (const [index, account] of accounts.entries())
      assert.deepEqual(await cashOf(account), [5_000, 1, null], `${ages[index]} days`)
  })

  test('of a purchase whose lots a wash sale has divided counts once for each sale', async () => {
    const account = await newAccount()
    const day = marketDay(8)
    const then = marketDay(7)
    await load(
      ...[deposit(account, day, '1500'), bought(account, day, 1_500)],
      // A loss of 30 shares. The next purchase replaces them, so its 100 shares are lots of 30 and 70.
      sell(account, 'AAA', 30, '40', { tradeDate: then }),
      buy(account, 'AAA', 100, '12', { tradeDate: then }),
      sell(account, 'AAA', 100, '12', { tradeDate: then }),
    )
    await close()
    assert.equal((await cashOf(account))[1], 1)
  })

  test('is found in an account that has no cash left, or whose sale settled on its day', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    await load(
      ...[bought(account, today), sold(account, today)],
      ...[bought(other, today), { ...sold(other, today), price: '60', settleDate: today }],
    )
    const until = addDays(today, 90)
    await close()
    assert.deepEqual(await cashOf(account), [5_000, 0, until])
    assert.deepEqual((await cashOf(other)).slice(1), [0, until])
  })

  test('is forgiven when a late deposit shows that the purchase was paid within its period', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    const [day, next] = [marketDay(70), marketDay(69)]
    await load(...[account, other].flatMap((one) => [bought(one, day), sold(one, next)]))
    await close()
    const until = addDays(next, 90)
    for (const one of [account, other]) assert.deepEqual(await cashOf(one), [0, 0, until])
    await load(
      deposit(account, addDays(next, 1), '5000'),
      // After every period of a purchase of that day.
      deposit(other, addDays(next, 8), '5000'),
    )
    await close()
    assert.deepEqual(await cashOf(account), [0, 1, null])
    assert.deepEqual(await cashOf(other), [0, 0, until])
  })

  test('that is the third restricts for 90 days, also after the first is older than twelve months', async () => {
    const account = await newAccount()
    // The next close is at most four days ahead, so that the first violation still counts there.
    const first = previousMarketDay(addDays(addMonths(today, -12), 10))
    for (const day of [first, marketDay(100), today])
      await load(...violation(account, day), withdrawal(account, addMarketDays(day, 1), '-5000'))
    const until = addDays(today, 90)
    await close()
    assert.deepEqual(await cashOf(account), [5_000, 3, until])
    while (today <= addDays(addMonths(first, 12), 3)) await close()
    assert.deepEqual(await cashOf(account), [0, 2, until])
    // A line that makes the next close examine the account.
    await load(bought(account, today, 20_000))
    await close()
    assert.deepEqual((await cashOf(account)).slice(1), [2, until])
  })

  test('counts for twelve months, also in an account that no later close examines', async () => {
    const account = await newAccount()
    // The last close of the twelve months is followed by one day on which the violation still counts.
    const day = addMonths(today, -12)
    const soldOn = previousMarketDay(addDays(day, 3))
    await load(...violation(account, soldOn))
    await close()
    const last = addDays(addMonths(soldOn, 12), -1)
    while (today <= last) {
      assert.deepEqual(await cashOf(account), [0, 1, null], today)
      await close()
    }
    assert.deepEqual(await cashOf(account), [0, 0, null])
  })
})

test('a sale whose fees exceed its proceeds is a sale, and of an unpaid purchase free riding', async () => {
  const account = await newAccount()
  await load(bought(account, today), sell(account, 'AAA', 100, '0.01', { tradeDate: today, commission: '4' }))
  const until = addDays(today, 90)
  await close()
  assert.deepEqual(await cashOf(account), [5_000, 0, until])
})

test('the rounding of conversions leaves no purchase unpaid', async () => {
  const account = await newAccount()
  const [day, next] = [marketDay(3), marketDay(2)]
  const inEuro = (transType: string, netAmount: string) =>
    line(account, { transType, netAmount, currency: 'EUR', tradeDate: marketDay(1) })
  await load(
    line(account, { transType: 'Deposit', netAmount: '1000', currency: 'EUR', tradeDate: day }),
    buy(account, 'EUR1', 10, '100', { tradeDate: day }),
    sell(account, 'EUR1', 10, '100', { tradeDate: next }),
    // Ten times 12.0360 US dollars, less 120.3600.
    ...Array.from({ length: 10 }, () => inEuro('Deposit', '10.03')),
    inEuro('Withdrawal', '-100.30'),
  )
  await close()
  assert.deepEqual(await cashOf(account), [0, 0, null])
})

test('a waiver ends the days of settled cash, from its day on', async () => {
  const account = await newAccount()
  const day = today
  await load(bought(account, day), sold(account, day))
  const until = addDays(day, 90)
  await close()
  assert.deepEqual((await cashOf(account))[2], until)
  const { data } = await service.operations.operations.listRestrictions({ accountNumber: account })
  const { restrictionId = '' } = data.restrictions[0] ?? {}
  const reason = 'The examining authority granted a waiver.'
  await service.operations.operations.endRestriction({ accountNumber: account, restrictionId, reason })
  assert.deepEqual((await cashOf(account))[2], null)
  assert.deepEqual((await cashOf(account, day))[2], until)
  // A purchase has its payment period again.
  await load(bought(account, today, 1_500))
  await close()
  await close()
  const { data: calls } = await service.alpha.listCalls({ accountNumber: account })
  assert.deepEqual(calls.calls, [])
  assert.deepEqual((await cashOf(account))[2], null)
})
