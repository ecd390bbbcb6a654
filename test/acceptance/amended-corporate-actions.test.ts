/**
 * An amendment replaces the terms of an announced corporate action: before its dates, on them and after them, and after
 * the lines of the holders were booked.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  amended,
  announced,
  book,
  booksHold,
  buy,
  closeDay,
  entitlementsOf,
  type Line,
  linesInShort,
  newAccount,
  newSecurity,
  positionsOf,
  service,
  startBeforeTests,
  stateOf,
  today,
} from './announced-actions.ts'
import { rejectionsOf } from './calling.ts'
import { untilBehind } from './waiting-behind.ts'

startBeforeTests()

async function closeDays(count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) await closeDay()
}

describe('a rate that is amended', () => {
  const rows: [when: string, daysLater: number][] = [
    ['the day before the record date', 0],
    ['on the record date', 1],
    ['the day after the record date', 2],
    ['on the pay date, after the lines were booked', 3],
    ['the day after the pay date', 4],
  ]
  for (const [when, daysLater] of rows)
    test(`${when} counts for those who held at the ex-date, once`, async () => {
      const symbol = await newSecurity()
      const [holder, buyer] = [await newAccount(), await newAccount()]
      const first = await today()
      const [recordDate, payDate] = [addMarketDays(first, 1), addMarketDays(first, 3)]
      await book(buy(holder, symbol, '100', first), buy(buyer, symbol, '30', recordDate))
      const line = { type: 'Dividend', symbol, recordDate, payDate }
      const id = await announced({ ...line, cashPerShare: '0.25' })
      await closeDays(daysLater)
      await amended(id, { ...line, cashPerShare: '0.3' })
      await closeDays(Math.max(3 - daysLater, 0))
      assert.equal(await stateOf(id), 'Booked')
      assert.deepEqual(await linesInShort(holder), [`Dividend ${payDate} 30.00`])
      assert.deepEqual(await linesInShort(buyer), [])
      await closeDay()
      assert.deepEqual(await linesInShort(holder), [`Dividend ${payDate} 30.00`])
      await booksHold()
    })
})

describe('a record date that is amended', () => {
  const rows: [when: string, daysLater: number][] = [
    ['the day before the old one', 0],
    ['on the old one', 1],
    ['the day after the old one', 2],
    ['the day before the new one, when its lines were booked', 3],
  ]
  for (const [when, daysLater] of rows)
    test(`${when} entitles who holds at the new one`, async () => {
      const symbol = await newSecurity()
      const [seller, buyer] = [await newAccount(), await newAccount()]
      const first = await today()
      const day = (count: number) => addMarketDays(first, count)
      await book(
        buy(seller, symbol, '100', first),
        buy(seller, symbol, '100', day(2), { buySell: 'SEL' }),
        buy(buyer, symbol, '100', day(2)),
      )
      const line = { type: 'Dividend', symbol, cashPerShare: '1' }
      const id = await announced({ ...line, recordDate: day(1), payDate: day(3) })
      await closeDays(daysLater)
      await amended(id, { ...line, recordDate: day(4), payDate: day(5) })
      assert.deepEqual([await stateOf(id), await linesInShort(seller)], ['Announced', []])
      await closeDays(4 - daysLater)
      assert.deepEqual([await linesInShort(seller), await linesInShort(buyer)], [[], []])
      await closeDay()
      assert.deepEqual(
        [await stateOf(id), await linesInShort(seller), await linesInShort(buyer)],
        ['Booked', [], [`Dividend ${day(5)} 100.00`]],
      )
      await booksHold()
    })
})

test('a pay date that is amended after the booking takes the cash back until the new day', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const first = await today()
  const day = (count: number) => addMarketDays(first, count)
  await book(buy(holder, symbol, '100', first))
  const line = { type: 'Dividend', symbol, exDate: day(1), cashPerShare: '1' }
  const id = await announced({ ...line, payDate: day(1) })
  await closeDay()
  assert.deepEqual(await linesInShort(holder), [`Dividend ${day(1)} 100.00`])
  await amended(id, { ...line, payDate: day(2) })
  const [waiting] = await entitlementsOf(id)
  assert.deepEqual([waiting?.state, waiting?.lines, await linesInShort(holder)], ['Expected', [], []])
  await closeDay()
  assert.deepEqual(await linesInShort(holder), [`Dividend ${day(2)} 100.00`])
  await amended(id, { ...line, payDate: day(1) })
  assert.deepEqual(await linesInShort(holder), [`Dividend ${day(1)} 100.00`])
  await booksHold()
})

test('shares that were delivered on the old ex-date do not count as held before the new one', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const first = await today()
  const day = (count: number) => addMarketDays(first, count)
  await book(buy(holder, symbol, '101', first))
  const line = { type: 'StockDividend', symbol, cashInLieuPrice: '20' }
  const id = await announced({ ...line, exDate: day(1), payDate: day(1), ratio: '1:1' })
  await closeDay()
  assert.deepEqual(await positionsOf(holder), [`${symbol} 202 for 1010.00`])
  await closeDay()
  await amended(id, { ...line, exDate: day(2), payDate: day(2), ratio: '1:2' })
  const [entitlement] = await entitlementsOf(id)
  assert.deepEqual([entitlement?.quantity, entitlement?.state], ['101', 'Booked'])
  assert.match((await positionsOf(holder)).join(), new RegExp(`^${symbol} 151 for `))
  await booksHold()
})

const cash = { option: 'Cash', cashPerShare: '1' }
const shares = { option: 'Shares', type: 'StockDividend', ratio: '1:10' }

/** A choice between cash and shares, and an account with 100 shares. Its deadline is the next business day. */
async function choice() {
  const symbol = await newSecurity()
  const accountNumber = await newAccount()
  const first = await today()
  const day = (count: number) => addMarketDays(first, count)
  await book(buy(accountNumber, symbol, '100', first))
  const terms: Line = {
    ...{ type: 'Dividend', symbol, exDate: day(1), payDate: day(4), deadline: day(1) },
    ...{ options: [cash, shares], defaultOption: 'Cash' },
  }
  return { id: await announced(terms), accountNumber, day, terms }
}
function elect(
  corporateActionId: string,
  accountNumber: string,
  ...elections: { option: string; quantity?: string }[]
) {
  return service.alpha.elect({ corporateActionId, accountNumber, elections })
}
async function electionsOf(corporateActionId: string) {
  const [entitlement] = await entitlementsOf(corporateActionId)
  return entitlement?.elections.map(({ option, quantity, void: reason }) => [option, quantity, reason])
}

describe('elections after an amendment', () => {
  test('stay if their option is still offered, at its new rate', async () => {
    const { id, accountNumber, day, terms } = await choice()
    await elect(id, accountNumber, { option: 'Shares', quantity: '60' })
    await amended(id, { ...terms, options: [shares, { ...cash, cashPerShare: '2' }] })
    assert.deepEqual(await electionsOf(id), [['Shares', '60', '']])
    await closeDays(4)
    assert.deepEqual((await linesInShort(accountNumber)).sort(), [
      `Dividend ${day(4)} 80.00`,
      `StockDividend ${day(1)} 0.00`,
    ])
    await booksHold()
  })

  test('for an option that is gone are void, the others keep their shares, and the default gets the rest', async () => {
    const { id, accountNumber, day, terms } = await choice()
    const nothing = { option: 'Nothing', type: 'None' }
    await amended(id, { ...terms, options: [cash, shares, nothing] })
    await elect(id, accountNumber, { option: 'Shares', quantity: '60' }, { option: 'Nothing' })
    await amended(id, { ...terms, options: [cash, nothing] })
    const void_ = 'The amended corporate action has no option Shares.'
    assert.deepEqual(await electionsOf(id), [
      ['Shares', '60', void_],
      ['Nothing', '', ''],
    ])
    await service.eventsReported()
    const { data } = await service.alpha.listEvents({ types: ['corporate_action.*'], accountNumber })
    assert.deepEqual(data.events.map(({ type, data: content }) => [type, content]).at(-1), [
      'corporate_action.election_voided',
      {
        accountNumber,
        corporateActionId: id,
        acctType: '1',
        elections: [{ option: 'Shares', quantity: '60', void: void_ }],
      },
    ])
    // An option that comes back does not bring the void election back.
    await amended(id, { ...terms, options: [cash, shares, nothing] })
    assert.deepEqual((await electionsOf(id))?.[0], ['Shares', '60', void_])
    await closeDays(4)
    assert.deepEqual(await linesInShort(accountNumber), [`Dividend ${day(4)} 60.00`])
    await booksHold()
  })

  test('are void if their option gives something else, or if there is no choice any more', async () => {
    const { id, accountNumber, terms } = await choice()
    await elect(id, accountNumber, { option: 'Shares' })
    await amended(id, {
      ...terms,
      options: [cash, { option: 'Shares', type: 'CapitalGain', cashPerShare: '2' }],
    })
    assert.deepEqual(await electionsOf(id), [
      ['Shares', '', 'The option Shares of the amended corporate action gives something else.'],
    ])
    await elect(id, accountNumber, { option: 'Shares' })
    assert.deepEqual(await electionsOf(id), [['Shares', '', '']])
    const { deadline: _1, options: _2, defaultOption: _3, ...dates } = terms
    await amended(id, { ...dates, cashPerShare: '1' })
    assert.deepEqual(await electionsOf(id), [
      ['Shares', '', 'The amended corporate action leaves no choice.'],
    ])
    assert.deepEqual(await rejectionsOf(elect(id, accountNumber, { option: 'Shares' })), [
      'ERR.2049 corporateActionId',
    ])
  })

  const rows: [when: string, daysLater: number][] = [
    ['the day before the old one', 0],
    ['on the old one', 1],
    ['the day after the old one', 2],
    ['when its lines were booked', 4],
  ]
  for (const [when, daysLater] of rows)
    test(`are accepted until a deadline that is amended ${when}`, async () => {
      const { id, accountNumber, day, terms } = await choice()
      await closeDays(daysLater)
      const payDate = day(7)
      await amended(id, { ...terms, deadline: day(5), payDate })
      await elect(id, accountNumber, { option: 'Shares', quantity: '60' })
      await closeDays(5 - daysLater)
      await elect(id, accountNumber, { option: 'Shares', quantity: '50' })
      await closeDay()
      assert.deepEqual(await rejectionsOf(elect(id, accountNumber, { option: 'Shares' })), [
        'ERR.2049 corporateActionId',
      ])
      await closeDay()
      assert.deepEqual((await linesInShort(accountNumber)).sort(), [
        `Dividend ${payDate} 50.00`,
        `StockDividend ${day(1)} 0.00`,
      ])
      await booksHold()
    })
})

describe('an election and an amendment that takes its option away, at once', () => {
  /** Holds the position until both steps wait for it, one behind the other. */
  async function inTurn<A, B>(accountNumber: string, first: () => Promise<A>, second: () => Promise<B>) {
    await service.query('begin')
    await service.query('select from clearing.announced_entitlement where account_number = $1 for update', [
      accountNumber,
    ])
    const one = first()
    await untilBehind(service, 1)
    const other = second()
    await untilBehind(service, 2)
    await service.query('commit')
    return [await one, await other] as const
  }

  test('end with a void election, if the election came first', async () => {
    const { id, accountNumber, terms } = await choice()
    const [elected] = await inTurn(
      accountNumber,
      () => elect(id, accountNumber, { option: 'Shares' }),
      () => amended(id, { ...terms, options: [cash] }),
    )
    assert.ok(elected)
    assert.deepEqual(await electionsOf(id), [
      ['Shares', '', 'The amended corporate action has no option Shares.'],
    ])
  })

  test('end with a refused election, if the amendment came first', async () => {
    const { id, accountNumber, terms } = await choice()
    const [, refused] = await inTurn(
      accountNumber,
      () => amended(id, { ...terms, options: [cash] }),
      () => rejectionsOf(elect(id, accountNumber, { option: 'Shares' })),
    )
    assert.deepEqual(refused, ['ERR.1015 elections[0].option'])
    assert.deepEqual(await electionsOf(id), [])
  })
})
