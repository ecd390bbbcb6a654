/**
 * Announced corporate actions: the service books the lines of every holder, follows elections and late trades, and
 * reverses what was cancelled.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import {
  announce,
  announced,
  book,
  booksHold,
  buy,
  cancelled,
  closeDay,
  entitlementsOf,
  gainsOf,
  type Line,
  linesInShort,
  linesOf,
  newAccount,
  newSecurity,
  positionsOf,
  service,
  startBeforeTests,
  stateOf,
  today,
  workIsDone,
} from './announced-actions.ts'
import { rejectionsOf } from './calling.ts'

startBeforeTests()

describe('a cash dividend', () => {
  test('is booked on the pay date for holders before the ex-date, and short positions pay it', async () => {
    const symbol = await newSecurity()
    const [holder, buyer, seller] = [await newAccount(), await newAccount(), await newAccount()]
    const first = await today()
    const exDate = addMarketDays(first, 1)
    const payDate = addMarketDays(first, 3)
    await book(
      buy(holder, symbol, '100', first),
      buy(holder, symbol, '50.5', first, { acctType: '2' }),
      buy(seller, symbol, '40', first, { buySell: 'SSL', acctType: '3' }),
      buy(seller, symbol, '10', first),
      buy(seller, symbol, '10', first, { buySell: 'SEL' }),
    )
    const id = await announced({
      type: 'Dividend',
      symbol,
      recordDate: exDate,
      payDate,
      cashPerShare: '0.255',
    })
    assert.deepEqual(
      (await entitlementsOf(id)).map(({ accountNumber, acctType, quantity, state }) => [
        accountNumber,
        acctType,
        quantity,
        state,
      ]),
      [
        [holder, '1', '100', 'Expected'],
        [holder, '2', '50.5', 'Expected'],
        [seller, '3', '-40', 'Expected'],
      ].sort(),
    )
    await closeDay()
    assert.equal(await today(), exDate)
    await book(buy(buyer, symbol, '100', exDate), buy(holder, symbol, '100', exDate, { buySell: 'SEL' }))
    await closeDay()
    assert.deepEqual([await stateOf(id), await linesInShort(holder)], ['Announced', []])
    await closeDay()
    assert.equal(await today(), payDate)
    assert.equal(await stateOf(id), 'Booked')
    assert.deepEqual((await linesInShort(holder)).sort(), [
      `Dividend ${payDate} 12.88`,
      `Dividend ${payDate} 25.50`,
    ])
    assert.deepEqual(await linesInShort(seller), [`Dividend ${payDate} -10.20`])
    assert.deepEqual(await linesInShort(buyer), [])
    const [line] = await linesOf(seller)
    assert.deepEqual(
      [line?.note, line?.asOfDate, line?.settleDate],
      [`Corporate action ${id}`, addDays(exDate, -1), payDate],
    )
    const ofHolder = (await entitlementsOf(id)).find(
      ({ accountNumber, acctType }) => accountNumber === holder && acctType === '1',
    )
    assert.deepEqual(
      [ofHolder?.state, ofHolder?.quantity, ofHolder?.lines[0]?.netAmount],
      ['Booked', '100', '25.5'],
    )
    assert.equal(
      (await linesOf(holder)).some(({ tagNo }) => tagNo === ofHolder?.lines[0]?.externalId),
      true,
    )
    await booksHold()
  })

  test('follows a trade that arrives late, once, and a late first purchase too', async () => {
    const symbol = await newSecurity()
    const [holder, late] = [await newAccount(), await newAccount()]
    const first = await today()
    const payDate = addMarketDays(first, 1)
    const [bought = ''] = await book(buy(holder, symbol, '100', first))
    const id = await announced({ type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '1' })
    await closeDay()
    assert.deepEqual(await linesInShort(holder), [`Dividend ${payDate} 100.00`])
    await book(
      buy(holder, symbol, '20', first),
      buy(late, symbol, '7', first),
      buy(late, symbol, '5', payDate),
    )
    await closeDay()
    assert.deepEqual(await linesInShort(holder), [`Dividend ${payDate} 120.00`])
    assert.deepEqual(await linesInShort(late), [`Dividend ${payDate} 7.00`])
    const [entitlement] = (await entitlementsOf(id)).filter(({ accountNumber }) => accountNumber === holder)
    assert.match(entitlement?.lines[0]?.externalId ?? '', /-2$/)
    await closeDay()
    assert.deepEqual(
      (await entitlementsOf(id)).find(({ accountNumber }) => accountNumber === holder),
      entitlement,
    )
    await book({ acctNo: holder, cancelType: 'C', tagNo: bought })
    await closeDay()
    assert.deepEqual(await linesInShort(holder), [`Dividend ${payDate} 20.00`])
    await booksHold()
  })

  test('that the feed reports itself is not booked twice, before or after', async () => {
    const symbol = await newSecurity()
    const [one, other] = [await newAccount(), await newAccount()]
    const first = await today()
    const payDate = addMarketDays(first, 1)
    await book(buy(one, symbol, '100', first), buy(other, symbol, '10', first))
    const id = await announced({ type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '1' })
    const ofFeed = { transType: 'Dividend', symbol, tradeDate: payDate }
    const [reported = ''] = await book({ acctNo: one, ...ofFeed, netAmount: '99' })
    await closeDay()
    assert.deepEqual(await linesInShort(one), [`Dividend ${payDate} 99.00`])
    assert.deepEqual(await linesInShort(other), [`Dividend ${payDate} 10.00`])
    await book({ acctNo: other, ...ofFeed, netAmount: '9' })
    await closeDay()
    assert.deepEqual(await linesInShort(other), [`Dividend ${payDate} 9.00`])
    const states = (await entitlementsOf(id)).map(({ accountNumber, state, reason }) => [
      accountNumber,
      state,
      reason,
    ])
    assert.deepEqual(
      states.find(([account]) => account === one),
      [one, 'ByFeed', reported],
    )
    assert.equal(states.find(([account]) => account === other)?.[1], 'ByFeed')
  })
})

test('two dividends of the same day are both booked, and a line of one is no line of the feed', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const first = await today()
  const payDate = addMarketDays(first, 1)
  await book(buy(holder, symbol, '100', first))
  const dividend = { type: 'Dividend', symbol, exDate: payDate, payDate }
  const regular = await announced({ ...dividend, cashPerShare: '1' })
  const special = await announced({ ...dividend, cashPerShare: '0.5' })
  await closeDay()
  const due = [`Dividend ${payDate} 100.00`, `Dividend ${payDate} 50.00`]
  assert.deepEqual((await linesInShort(holder)).sort(), due)
  for (const id of [regular, special]) assert.equal((await entitlementsOf(id))[0]?.state, 'Booked')
  await closeDay()
  assert.deepEqual((await linesInShort(holder)).sort(), due)
  await booksHold()
})

describe('a split', () => {
  test('takes effect at the beginning of the ex-date, and pays the fraction in cash', async () => {
    const symbol = await newSecurity()
    const [holder, late] = [await newAccount(), await newAccount()]
    const first = await today()
    const exDate = addMarketDays(first, 1)
    await book(buy(holder, symbol, '101', first))
    const id = await announced({
      type: 'Split',
      symbol,
      exDate,
      payDate: first,
      ratio: '3:2',
      cashInLieuPrice: '8.01',
    })
    assert.deepEqual(await linesInShort(holder), [])
    await closeDay()
    assert.deepEqual(await linesInShort(holder), [`Split ${exDate} 4.01`])
    await book(buy(holder, symbol, '10', exDate, { price: '7' }), buy(late, symbol, '10', first))
    await closeDay()
    // 151 shares of 101 × 3/2, and 10 bought after the split. Half a share of 1,010.00 / 151.5 is sold.
    assert.deepEqual(await positionsOf(holder), [`${symbol} 161 for 1076.67`])
    assert.deepEqual(await positionsOf(late), [`${symbol} 15 for 100.00`])
    assert.deepEqual((await entitlementsOf(id)).map(({ quantity, state }) => `${quantity} ${state}`).sort(), [
      '10 Booked',
      '101 Booked',
    ])
    await booksHold()
  })

  test('announced after its ex-date splits only the shares held before it', async () => {
    const symbol = await newSecurity()
    const holder = await newAccount()
    const first = await today()
    await book(buy(holder, symbol, '10', first))
    await closeDay()
    const exDate = await today()
    await book(buy(holder, symbol, '6', exDate, { price: '5' }))
    await announced({ type: 'Split', symbol, exDate, payDate: exDate, ratio: '2:1' })
    assert.deepEqual(await positionsOf(holder), [`${symbol} 26 for 130.00`])
    await booksHold()
  })
})

describe('an action with options', () => {
  const options = [
    { option: 'Cash', type: 'Dividend', cashPerShare: '0.5' },
    { option: 'Shares', type: 'StockDividend', ratio: '1:20', cashInLieuPrice: '10' },
  ]

  test('takes elections until the end of its deadline, and the default for the rest', async () => {
    const symbol = await newSecurity()
    const [both, silent, slow] = [await newAccount(), await newAccount(), await newAccount()]
    const first = await today()
    const deadline = addMarketDays(first, 1)
    const payDate = addMarketDays(first, 3)
    await book(
      buy(both, symbol, '105', first),
      buy(silent, symbol, '30', first),
      buy(slow, symbol, '40', first),
    )
    const id = await announced({
      type: 'Dividend',
      symbol,
      exDate: deadline,
      payDate,
      options,
      defaultOption: 'Cash',
      deadline,
    })
    const elect = (accountNumber: string, ...elections: { option: string; quantity?: string }[]) =>
      service.alpha.elect({ corporateActionId: id, accountNumber, elections })
    await elect(both, { option: 'Shares' })
    assert.deepEqual((await elect(both)).data.elections, [])
    const { data } = await elect(both, { option: 'Shares', quantity: '50' })
    assert.deepEqual(data.elections, [{ option: 'Shares', quantity: '50', void: '' }])
    assert.deepEqual(await rejectionsOf(elect(both, { option: 'Gold' })), ['ERR.1015 elections[0].option'])
    assert.deepEqual(await rejectionsOf(elect(both, { option: 'Cash', quantity: '105.1' })), [
      'ERR.1015 elections',
    ])
    assert.deepEqual(await rejectionsOf(elect(both, { option: 'Cash', quantity: '0' })), [
      'ERR.1015 elections[0].quantity',
    ])
    await closeDay()
    assert.equal(await today(), deadline)
    await elect(slow, { option: 'Shares' })
    await closeDay()
    assert.deepEqual(await rejectionsOf(elect(silent, { option: 'Shares' })), ['ERR.2049 corporateActionId'])
    assert.equal(await stateOf(id), 'Announced')
    await closeDay()
    // 50 / 20 = 2.5 shares: two are delivered, and half a share is paid at 10.00. Cash for the other 55.
    assert.deepEqual(await linesInShort(both), [
      `Dividend ${payDate} 27.50`,
      `StockDividend ${deadline} 5.00`,
    ])
    assert.deepEqual(await linesInShort(silent), [`Dividend ${payDate} 15.00`])
    assert.deepEqual(await linesInShort(slow), [`StockDividend ${deadline} 0.00`])
    assert.deepEqual(await positionsOf(slow), [`${symbol} 42 for 400.00`])
    // Half of 107.5 shares for 1,050.00 cost 4.88.
    assert.deepEqual(await positionsOf(both), [`${symbol} 107 for 1045.12`])
    assert.deepEqual(await gainsOf(both), ['0.5 for 5, cost 4.88, gain 0.12'])
    await booksHold()
  })

  test('takes elections at once for a position that was opened after the last close, except on the last day', async () => {
    const symbol = await newSecurity()
    const [early, late] = [await newAccount(), await newAccount()]
    const first = await today()
    const deadline = addMarketDays(first, 1)
    const exDate = addMarketDays(first, 2)
    const payDate = addMarketDays(first, 3)
    const terms = { type: 'Dividend', symbol, exDate, payDate, options, defaultOption: 'Cash', deadline }
    const id = await announced(terms)
    const elect = (accountNumber: string) =>
      service.alpha.elect({ corporateActionId: id, accountNumber, elections: [{ option: 'Shares' }] })
    assert.deepEqual(await rejectionsOf(elect(early)), ['ERR.2003 accountNumber'])
    await book(buy(early, symbol, '20', first))
    const { data } = await elect(early)
    assert.deepEqual([data.quantity, data.state], ['20', 'Expected'])
    await closeDay()
    await book(buy(late, symbol, '20', deadline))
    assert.deepEqual(await rejectionsOf(elect(late)), ['ERR.2003 accountNumber'])
    for (let day = 0; day < 2; day++) await closeDay()
    assert.deepEqual(await positionsOf(early), [`${symbol} 21 for 200.00`])
    assert.deepEqual(await linesInShort(late), [`Dividend ${payDate} 10.00`])
    await booksHold()
  })
})

describe('a cancel', () => {
  test('reverses every line of a booked action, and late trades do not bring them back', async () => {
    const [symbol, spun] = [await newSecurity(), await newSecurity()]
    const [one, other] = [await newAccount(), await newAccount()]
    const first = await today()
    const payDate = addMarketDays(first, 1)
    await book(buy(one, symbol, '100', first), buy(other, symbol, '9', first, { acctType: '2' }))
    const before = [await positionsOf(one), await positionsOf(other)]
    const terms = { symbol, exDate: payDate, payDate }
    const spinoff = await announced({
      type: 'Spinoff',
      ...terms,
      toSymbol: spun,
      ratio: '1:4',
      costShare: '0.2',
      cashInLieuPrice: '10',
    })
    const dividend = await announced({ type: 'Dividend', ...terms, cashPerShare: '2' })
    await closeDay()
    assert.deepEqual(await positionsOf(one), [`${spun} 25 for 200.00`, `${symbol} 100 for 800.00`].sort())
    assert.deepEqual((await linesInShort(other)).sort(), [
      `Dividend ${payDate} 18.00`,
      `Spinoff ${payDate} 2.50`,
    ])
    await cancelled(spinoff)
    await cancelled(dividend)
    assert.deepEqual([await stateOf(spinoff), await stateOf(dividend)], ['Cancelled', 'Cancelled'])
    assert.deepEqual([await positionsOf(one), await positionsOf(other)], before)
    assert.deepEqual([await linesInShort(one), await linesInShort(other)], [[], []])
    assert.deepEqual(
      (await entitlementsOf(dividend)).map(({ state, lines }) => [state, lines]),
      [
        ['Reversed', []],
        ['Reversed', []],
      ],
    )
    await book(buy(one, symbol, '1', first))
    await closeDay()
    assert.deepEqual(await linesInShort(one), [])
    await booksHold()
  })

  test('before the pay date leaves nothing to book', async () => {
    const symbol = await newSecurity()
    const holder = await newAccount()
    const first = await today()
    const payDate = addMarketDays(first, 1)
    await book(buy(holder, symbol, '100', first))
    const id = await announced({ type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '1' })
    await cancelled(id)
    await closeDay()
    assert.deepEqual([await stateOf(id), await linesInShort(holder)], ['Cancelled', []])
    assert.deepEqual(
      (await entitlementsOf(id)).map(({ state }) => state),
      ['Reversed'],
    )
  })
})

describe('each kind of action', () => {
  /** 100 shares bought for 1,000.00 and 60 sold short for 600.00. */
  const kinds: [
    what: string,
    terms: (to: string) => Line,
    long: (symbol: string, to: string) => string[],
    short: (symbol: string, to: string) => string[],
    cash: [long: number, short: number],
  ][] = [
    [
      'a merger into shares and cash',
      (to) => ({ type: 'Merger', toSymbol: to, ratio: '1:2', cashPerShare: '3' }),
      (_, to) => [`${to} 50 for 700.00`],
      (_, to) => [`${to} -30 for -420.00`],
      [300, -180],
    ],
    ['a merger for cash', () => ({ type: 'Merger', cashPerShare: '12' }), () => [], () => [], [1200, -720]],
    [
      'a change of name',
      (to) => ({ type: 'NameChange', toSymbol: to }),
      (_, to) => [`${to} 100 for 1000.00`],
      (_, to) => [`${to} -60 for -600.00`],
      [0, 0],
    ],
    [
      'a return of capital',
      () => ({ type: 'ReturnOfCapital', cashPerShare: '1.5' }),
      (symbol) => [`${symbol} 100 for 850.00`],
      (symbol) => [`${symbol} -60 for -510.00`],
      [150, -90],
    ],
    [
      'a dividend in shares',
      () => ({ type: 'StockDividend', ratio: '1:10' }),
      (symbol) => [`${symbol} 110 for 1000.00`],
      (symbol) => [`${symbol} -66 for -600.00`],
      [0, 0],
    ],
    ['a redemption', () => ({ type: 'Redemption', price: '11' }), () => [], () => [], [1100, -660]],
  ]
  for (const [what, termsOf, long, short, cash] of kinds) {
    test(`is booked for long and short positions: ${what}`, async () => {
      const [symbol, to] = [await newSecurity(), await newSecurity()]
      const [holder, seller] = [await newAccount(), await newAccount()]
      const first = await today()
      await book(
        buy(holder, symbol, '100', first),
        buy(seller, symbol, '60', first, { buySell: 'SSL', acctType: '3', netAmount: '600' }),
      )
      const payDate = addMarketDays(first, 1)
      await announced({ symbol, recordDate: payDate, payDate, ...termsOf(to) })
      await closeDay()
      assert.deepEqual(await positionsOf(holder), long(symbol, to))
      assert.deepEqual(await positionsOf(seller), short(symbol, to))
      const cashOf = async (account: string) =>
        (await linesOf(account)).reduce((sum, { netAmount }) => sum + Number(netAmount), 0)
      assert.deepEqual([await cashOf(holder), await cashOf(seller)], cash)
      await booksHold()
    })
  }
})

test('an action announced after its pay date is booked at once for who held before its ex-date', async () => {
  const symbol = await newSecurity()
  const [holder, gone, buyer] = [await newAccount(), await newAccount(), await newAccount()]
  const first = await today()
  await book(buy(holder, symbol, '10', first), buy(gone, symbol, '20', first))
  await closeDay()
  const exDate = await today()
  await book(buy(gone, symbol, '20', exDate, { buySell: 'SEL' }), buy(buyer, symbol, '30', exDate))
  const terms = { type: 'Dividend', symbol, exDate, payDate: exDate, cashPerShare: '1' }
  const id = await announced(terms)
  assert.equal(await stateOf(id), 'Booked')
  assert.deepEqual(
    [await linesInShort(holder), await linesInShort(gone), await linesInShort(buyer)],
    [[`Dividend ${exDate} 10.00`], [`Dividend ${exDate} 20.00`], []],
  )
})

test('two actions of one security take effect in the order of their ex-dates', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const first = await today()
  await book(buy(holder, symbol, '10', first))
  await closeDay()
  await closeDay()
  const payDate = await today()
  const splitOn = addMarketDays(first, 1)
  const externalIds = ['z', 'a'].map((mark) => `${mark}-${symbol}`)
  const [split, dividend] = externalIds
  await announce(
    { externalId: dividend, type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '1' },
    { externalId: split, type: 'Split', symbol, exDate: splitOn, payDate: splitOn, ratio: '2:1' },
  )
  await workIsDone()
  assert.deepEqual((await linesInShort(holder)).sort(), [
    `Dividend ${payDate} 20.00`,
    `Split ${splitOn} 0.00`,
  ])
})

test('part of a position is tendered, and the rest stays', async () => {
  const symbol = await newSecurity()
  const [tenders, keeps] = [await newAccount(), await newAccount()]
  const first = await today()
  const payDate = addMarketDays(first, 2)
  await book(buy(tenders, symbol, '100', first), buy(keeps, symbol, '50', first))
  const id = await announced({
    type: 'Merger',
    symbol,
    payDate,
    deadline: first,
    options: [
      { option: 'Tender', cashPerShare: '15' },
      { option: 'Keep', type: 'None' },
    ],
    defaultOption: 'Keep',
  })
  await service.alpha.elect({
    corporateActionId: id,
    accountNumber: tenders,
    elections: [{ option: 'Tender', quantity: '40' }],
  })
  await closeDay()
  await closeDay()
  assert.deepEqual(await positionsOf(tenders), [`${symbol} 60 for 600.00`])
  assert.deepEqual(await positionsOf(keeps), [`${symbol} 50 for 500.00`])
  assert.deepEqual(
    (await entitlementsOf(id)).map(({ accountNumber, state }) => [accountNumber, state]).sort(),
    [
      [tenders, 'Booked'],
      [keeps, 'Nothing'],
    ].sort(),
  )
  await booksHold()
})
