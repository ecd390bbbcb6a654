/** The SMA of stock sold short beside a security that converts into it (12 CFR 220.12(c)(2)), from day to day. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import {
  book,
  buy,
  closeDay,
  type Line,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { marginOf, price } from './written-on-stock.ts'

startBeforeTests()

/** A trade in the convertible (`C`) or its stock (`S`). `cancels`: the first line of the first day. */
type Given = readonly [buySell: string, symbol: 'C' | 'S', quantity: string, more?: Line] | 'cancels'
/** The trades of a day, and the Regulation T requirement and the SMA after them. */
type Day = readonly [trades: readonly Given[], regTRequirement: number, sma: number]

const held: Given = ['BUY', 'C', '100']
const soldShort: Given = ['SSL', 'S', '100']
const cover: Given = ['BCV', 'S', '100']
const paired: Day = [[held, soldShort], 2_500, 7_500]
const onlyHeld: Day = [[cover], 2_500, 7_500]

/** Every account deposits 10,000 on the first day. Both securities close at 50 on every day. */
const cases: Record<string, readonly [Day, Day, Day]> = {
  'a cover releases nothing, because the short sale required nothing': [paired, onlyHeld, [[], 2_500, 7_500]],
  'a cover of half and one of the rest': [
    paired,
    [[['BCV', 'S', '50']], 2_500, 7_500],
    [[['BCV', 'S', '50']], 2_500, 7_500],
  ],
  'covers of one day at two prices, with commissions': [
    paired,
    [
      [
        ['BCV', 'S', '50', { price: '49', commission: '5' }],
        ['BCV', 'S', '50', { price: '51', commission: '5' }],
      ],
      2_500,
      7_500,
    ],
    [[], 2_500, 7_500],
  ],
  'the stock that stays short requires margin when the convertible is sold': [
    paired,
    [[['SEL', 'C', '100']], 2_500, 7_500],
    [[cover], 0, 10_000],
  ],
  'the sale of half of the convertible': [
    paired,
    [[['SEL', 'C', '50']], 2_500, 7_500],
    [[['SEL', 'C', '50'], cover], 0, 10_000],
  ],
  'a convertible that is bought after the short sale takes off what that required': [
    [[soldShort], 2_500, 7_500],
    [[held], 2_500, 7_500],
    onlyHeld,
  ],
  'all on one day': [
    [[], 0, 10_000],
    [[held, soldShort, cover], 2_500, 7_500],
    [[], 2_500, 7_500],
  ],
  'a short sale on the day of its cover': [paired, [[soldShort, cover], 2_500, 7_500], onlyHeld],
  'more stock sold short than the convertible delivers': [
    [[['BUY', 'C', '50'], soldShort], 2_500, 7_500],
    [[['BCV', 'S', '50']], 1_250, 8_750],
    [[['BCV', 'S', '50']], 1_250, 8_750],
  ],
  'shares held against the box count first': [
    [[held, ['BUY', 'S', '100'], soldShort], 2_750, 7_500],
    [[['SEL', 'S', '100']], 2_500, 7_500],
    onlyHeld,
  ],
  'a cover against the box is a purchase': [
    [[held, ['BUY', 'S', '100'], soldShort], 2_750, 7_500],
    [[cover], 5_000, 5_000],
    [[['SEL', 'S', '100']], 2_500, 7_500],
  ],
  'an ordinary short sale': [
    [[soldShort], 2_500, 7_500],
    [[cover], 0, 10_000],
    [[], 0, 10_000],
  ],
  'a purchase of the convertible that is cancelled a day later': [
    paired,
    [['cancels'], 2_500, 7_500],
    [[cover], 0, 10_000],
  ],
  'a short sale that is cancelled a day later': [
    [[soldShort, held], 2_500, 7_500],
    [['cancels'], 2_500, 7_500],
    [[], 2_500, 7_500],
  ],
}

describe('the SMA beside a convertible:', () => {
  const found = new Map<string, number[][]>()
  before(async () => {
    const stock = await newSecurity()
    const convertible = await newSecurity({
      ...{ secTypeName: 'Convertible Preferred Stock', convertsTo: stock, conversionRatio: '1' },
    })
    const symbols = { C: convertible, S: stock }
    const first = await today()
    for (const symbol of [stock, convertible]) await price(symbol, '50', addDays(first, -4))
    const accounts = new Map<string, string>()
    const cancelled = new Map<string, string | undefined>()
    for (const name of Object.keys(cases)) {
      const acctNo = await openAndFollow(service.alpha, marginApplication())
      accounts.set(name, acctNo)
      found.set(name, [])
      await book({ acctNo, acctType: '2', transType: 'Deposit', netAmount: '10000', tradeDate: first })
    }
    for (const place of [0, 1, 2] as const) {
      const day = await today()
      for (const [name, days] of Object.entries(cases)) {
        const acctNo = accounts.get(name) ?? ''
        const lines = days[place][0].map((given) => {
          if (given === 'cancels') return { acctNo, cancelType: 'C', tagNo: cancelled.get(name) }
          const [buySell, what, quantity, more] = given
          const acctType = buySell === 'SSL' || buySell === 'BCV' ? '3' : '2'
          const terms = { price: '50', secFee: '0', ...more, buySell, acctType }
          return buy(acctNo, symbols[what], quantity, day, terms)
        })
        const ids = lines.length > 0 ? await book(...lines) : []
        if (place === 0) cancelled.set(name, ids[0])
      }
      for (const closed of [false, true]) {
        if (closed) await closeDay()
        for (const [name, accountNumber] of accounts) {
          const { figures } = await marginOf(accountNumber)
          const { data } = await service.alpha.listCalls({ accountNumber })
          const [, regTRequirement = 0, , sma = 0] = figures
          found.get(name)?.push([regTRequirement, sma, data.calls.length])
        }
      }
    }
  })

  for (const [name, days] of Object.entries(cases)) {
    test(name, () => {
      const expected = days.map(([, regTRequirement, sma]) => [regTRequirement, sma, 0])
      assert.deepEqual(
        found.get(name),
        expected.flatMap((day) => [day, day]),
      )
    })
  }
})
