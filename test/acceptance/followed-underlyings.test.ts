/** Options and convertibles whose underlying changes its ticker, or becomes another security. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import {
  announced,
  book,
  booksHold,
  buy,
  closeDay,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'
import { contract, marginOf, newCusip, price, write } from './written-on-stock.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
async function load(...ndjson: Line[]) {
  const { data, message } = await operations().loadSecurities({ lines: { ndjson } })
  return { message, refused: data.rejects.map(({ line, code, field }) => `${line} ${code} ${field}`) }
}
let symbols = 0
function newSymbol(): string {
  symbols += 1
  return `FLW${symbols}`
}
async function newStock() {
  const stock = { symbol: newSymbol(), cusip: newCusip() }
  await newSecurity(stock)
  await price(stock.symbol, '10', addDays(await today(), -4))
  return stock
}
/** 2,000 shares at 10 with 20 written calls of strike 10, which they cover, and 40 written puts if `puts`. */
async function writer(stock: { symbol: string }, names: { underlying?: string; puts?: boolean } = {}) {
  const day = await today()
  const account = await newAccount()
  const option = await contract(names.underlying ?? stock.symbol, '10', names.puts ? { putCall: 'Put' } : {})
  await price(option, '0.5', addDays(day, -4))
  await book(
    { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: '15000', tradeDate: day },
    ...(names.puts ? [] : [buy(account, stock.symbol, '2000', day, { acctType: '2', price: '10' })]),
    write(account, option, names.puts ? '40' : '20', day, '0.5'),
  )
  return { account, option }
}

type Stock = Awaited<ReturnType<typeof newStock>>
const covered = { figures: [15_000, 9_000, 11_000, 6_000], breaks: [] as string[] }

describe('a written option requires the same after its stock', () => {
  const changes: [what: string, change: (stock: Stock) => Promise<void>, missed: boolean][] = [
    [
      'changes its ticker',
      async ({ cusip }) => {
        await load({ cusip, symbol: newSymbol() })
      },
      false,
    ],
    [
      'is exchanged one for ten for a security that takes its ticker',
      async ({ cusip, symbol }) => {
        const toCusip = newCusip()
        const day = await today()
        await load({ cusip: toCusip, symbol, secTypeName: 'Common Stock' }, { cusip, symbol: newSymbol() })
        await announced({ type: 'Split', cusip, toCusip, ratio: '1:10', exDate: day, payDate: day })
      },
      true,
    ],
    [
      'is exchanged one for one for a security that takes its ticker',
      async ({ cusip, symbol }) => {
        const toCusip = newCusip()
        const day = await today()
        await load({ cusip, symbol: newSymbol() }, { cusip: toCusip, symbol, secTypeName: 'Common Stock' })
        await announced({ type: 'NameChange', cusip, toCusip, ratio: '1:1', exDate: day, payDate: day })
      },
      false,
    ],
    [
      'becomes a security with another ticker',
      async ({ cusip }) => {
        const toSymbol = await newSecurity()
        const day = await today()
        await announced({ type: 'NameChange', cusip, toSymbol, ratio: '1:1', exDate: day, payDate: day })
      },
      true,
    ],
    [
      'merges two for one into a stock that has a price',
      async ({ cusip }) => {
        const toSymbol = await newSecurity()
        await price(toSymbol, '20', addDays(await today(), -4))
        const day = await today()
        await announced({ type: 'Merger', cusip, toSymbol, ratio: '1:2', exDate: day, payDate: day })
      },
      true,
    ],
  ]
  for (const [what, change, isMissed] of changes) {
    test(what, async () => {
      const stock = await newStock()
      const { account, option } = await writer(stock)
      const puts = await writer(stock, { puts: true })
      assert.deepEqual(await marginOf(account), covered)
      const ofPuts = await marginOf(puts.account)
      await closeDay()
      await change(stock)
      assert.deepEqual(await marginOf(account), covered)
      assert.deepEqual(await marginOf(puts.account), ofPuts)
      await closeDay()
      const missed = (name: string) => (isMissed ? [`ActionMissed ${name}`] : [])
      assert.deepEqual(await marginOf(account), { ...covered, breaks: missed(option) })
      assert.deepEqual(await marginOf(puts.account), { ...ofPuts, breaks: missed(puts.option) })
    })
  }

  test('and another company takes the ticker', async () => {
    const stock = await newStock()
    const { account } = await writer(stock)
    await load({ cusip: stock.cusip, symbol: newSymbol() })
    await load({ cusip: newCusip(), symbol: stock.symbol, secTypeName: 'Common Stock' })
    await price(stock.symbol, '90', addDays(await today(), -4))
    assert.deepEqual(await marginOf(account), covered)
  })
})

test('an option that is adjusted after an exchange has no break, and one written after it is on the new stock', async () => {
  const { cusip, symbol } = await newStock()
  const { account, option } = await writer({ symbol })
  await closeDay()
  const day = await today()
  const toCusip = newCusip()
  await load({ cusip, symbol: newSymbol() }, { cusip: toCusip, symbol, secTypeName: 'Common Stock' })
  await announced({ type: 'Split', cusip, toCusip, ratio: '1:10', exDate: day, payDate: day })
  const adjusted = await contract(symbol, '100')
  await price(adjusted, '5', addDays(day, -4))
  const line = { transType: 'Split', symbol: option, toSymbol: adjusted, ratio: '1:10', tradeDate: day }
  await book({ acctNo: account, acctType: '2', ...line })
  await closeDay()
  assert.deepEqual(await marginOf(account), covered)
  await booksHold()
})

describe('in a cash account, shares still cover calls', () => {
  const changes: [what: string, change: (stock: Stock) => Promise<unknown>][] = [
    ['after a change of the ticker', ({ cusip }) => load({ cusip, symbol: newSymbol() })],
    [
      'after a split one for ten',
      async ({ cusip }) => {
        const day = await today()
        return announced({ type: 'Split', cusip, ratio: '1:10', exDate: day, payDate: day })
      },
    ],
  ]
  for (const [what, change] of changes) {
    test(what, async () => {
      const stock = await newStock()
      const account = await newAccount()
      const option = await contract(stock.symbol, '10')
      const day = await today()
      await book(
        { acctNo: account, transType: 'Deposit', netAmount: '25000', tradeDate: day },
        buy(account, stock.symbol, '2000', day),
        { ...write(account, option, '20', day, '0.5'), acctType: '1' },
      )
      await closeDay()
      await change(stock)
      await book({ acctNo: account, transType: 'Fee', netAmount: '-1', tradeDate: await today() })
      const { data } = await operations().listBreaks({ accountNumber: account })
      const kinds = data.breaks.map(({ kind, reason }) => `${kind} ${reason}`)
      assert.deepEqual(
        kinds.filter((text) => text.includes('not covered')),
        [],
      )
    })
  }
})

describe('an underlying', () => {
  test('can be named by its CUSIP, before that security is loaded, and is named as unknown until then', async () => {
    const stock = { symbol: newSymbol(), cusip: newCusip() }
    const option = newSymbol()
    const facts = { putCall: 'Call', strike: '10', expiration: '2037-12-18', underlying: stock.cusip }
    const unknown = await load({ symbol: option, secTypeName: 'Option', ...facts })
    assert.deepEqual(unknown, {
      message: `No security is known by the underlying or convertsTo ${stock.cusip}: load it, or correct the line.`,
      refused: [],
    })
    const account = await newAccount()
    const day = await today()
    await book(
      { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: '15000', tradeDate: day },
      write(account, option, '20', day, '0.5'),
    )
    await price(option, '0.5', addDays(day, -4))
    const sentence = `Not known as a security: ${stock.cusip}. Options on it, and what converts into it, are margined without its price and without cover.`
    for (const { message } of [
      await service.alpha.positionSummary({ accountNumber: account }),
      await service.alpha.balanceSummary({ accountNumber: account }),
    ])
      assert.equal(message, sentence)
    assert.equal((await load({ secTypeName: 'Common Stock', ...stock })).message, 'Request successful.')
    await price(stock.symbol, '10', addDays(day, -4))
    await book(buy(account, stock.symbol, '2000', day, { acctType: '2', price: '10' }))
    assert.deepEqual(await marginOf(account), covered)
    const { message } = await service.alpha.positionSummary({ accountNumber: account })
    assert.equal(message, 'Request successful.')
  })

  test('that is a broad index needs no security', async () => {
    const facts = { putCall: 'Call', strike: '10', expiration: '2037-12-18', underlying: 'SPX' }
    const { message } = await load({ symbol: newSymbol(), secTypeName: 'Option', ...facts })
    assert.equal(message, 'Request successful.')
  })

  test('cannot change to another security once activity names the option, but can be named otherwise', async () => {
    const [stock, other] = [await newStock(), await newStock()]
    const { account, option } = await writer(stock)
    const refused = ['1 ERR.1021 underlying']
    assert.deepEqual((await load({ symbol: option, underlying: other.symbol })).refused, refused)
    assert.deepEqual((await load({ symbol: option, underlying: 'NOSUCH' })).refused, refused)
    assert.deepEqual((await load({ symbol: option, underlying: stock.cusip })).refused, [])
    const renamed = newSymbol()
    const lines = [
      { symbol: option, underlying: renamed },
      { cusip: stock.cusip, symbol: renamed },
    ]
    assert.deepEqual((await load(...lines)).refused, [])
    assert.deepEqual(await marginOf(account), covered)
    await closeDay()
    const day = await today()
    const toSymbol = await newSecurity()
    await announced({
      ...{ type: 'Split', cusip: stock.cusip, toSymbol, ratio: '1:10' },
      ...{ exDate: day, payDate: day },
    })
    assert.deepEqual((await load({ symbol: option, underlying: toSymbol })).refused, [])
    assert.equal((await marginOf(account)).figures[1], covered.figures[1])
  })
})

describe('a convertible keeps its relief when its stock', () => {
  const changes: [what: string, change: (stock: Stock) => Promise<unknown>][] = [
    ['changes its ticker', ({ cusip }) => load({ cusip, symbol: newSymbol() })],
    [
      'is split two for one, until the terms are loaded and after it',
      async ({ cusip }) => {
        const day = await today()
        return announced({ type: 'Split', cusip, ratio: '2:1', exDate: day, payDate: day })
      },
    ],
    [
      'is exchanged one for ten',
      async ({ cusip, symbol }) => {
        const toCusip = newCusip()
        const day = await today()
        await load({ cusip: toCusip, symbol, secTypeName: 'Common Stock' }, { cusip, symbol: newSymbol() })
        return announced({ type: 'Split', cusip, toCusip, ratio: '1:10', exDate: day, payDate: day })
      },
    ],
  ]
  for (const [what, change] of changes) {
    test(what, async () => {
      const stock = await newStock()
      const day = await today()
      const account = await newAccount()
      const converts = { secTypeName: 'Convertible Preferred Stock', convertsTo: stock.symbol }
      const convertible = await newSecurity({ ...converts, conversionRatio: '5' })
      await price(convertible, '50', addDays(day, -4))
      await book(
        { acctNo: account, acctType: '2', transType: 'Deposit', netAmount: '20000', tradeDate: day },
        buy(account, convertible, '200', day, { acctType: '2', price: '50' }),
        { ...buy(account, stock.symbol, '1000', day, { acctType: '3', secFee: '0' }), buySell: 'SSL' },
      )
      const paired = { figures: [20_000, 5_000, 19_000, 15_000], breaks: [] }
      assert.deepEqual(await marginOf(account), paired)
      await closeDay()
      await change(stock)
      assert.deepEqual(await marginOf(account), paired)
      if (what.includes('terms')) {
        assert.deepEqual((await load({ symbol: convertible, conversionRatio: '10' })).refused, [])
        assert.deepEqual(await marginOf(account), paired)
      }
      await closeDay()
      assert.deepEqual(await marginOf(account), paired)
    })
  }
})

describe('a file in which symbols pass', () => {
  const stock = (symbol: string, cusip: string) => ({ symbol, cusip, secTypeName: 'Common Stock' })
  const swaps: [
    what: string,
    lines: (a: Stock, b: Stock) => Line[],
    symbols: (a: Stock, b: Stock) => string[],
  ][] = [
    [
      'gives one up after it is taken',
      (a, b) => [stock(a.symbol, b.cusip), stock('GIVEN1', a.cusip)],
      (a) => ['GIVEN1', a.symbol],
    ],
    [
      'gives one up before it is taken',
      (a, b) => [stock('GIVEN2', a.cusip), stock(a.symbol, b.cusip)],
      (a) => ['GIVEN2', a.symbol],
    ],
    [
      'exchanges two',
      (a, b) => [stock(b.symbol, a.cusip), stock(a.symbol, b.cusip)],
      (a, b) => [b.symbol, a.symbol],
    ],
  ]
  for (const [what, lines, symbols] of swaps) {
    test(`${what} is accepted, and is a duplicate the second time`, async () => {
      const [a, b] = [await newStock(), await newStock()]
      const ndjson = lines(a, b)
      const answers = [
        await operations().loadSecurities({ lines: { ndjson } }),
        await operations().loadSecurities({ lines: { ndjson } }),
      ]
      assert.deepEqual(
        answers.map(({ data }) => [data.accepted, data.duplicates, data.rejects]),
        [
          [2, 0, []],
          [0, 2, []],
        ],
      )
      const found = await service.query(
        'select symbol from clearing.security where cusip = any ($1) order by cusip',
        [[a.cusip, b.cusip].sort()],
      )
      assert.deepEqual(
        found.rows.map(({ symbol }) => symbol),
        symbols(a, b),
      )
    })
  }

  test('takes none from a security whose own line is refused', async () => {
    const [a, b, owner] = [await newStock(), await newStock(), await newStock()]
    const { refused } = await load(stock(a.symbol, b.cusip), stock(owner.symbol, a.cusip))
    assert.deepEqual(refused, ['1 ERR.1014 symbol', '2 ERR.1014 symbol'])
  })
})
