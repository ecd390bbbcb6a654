/**
 * Measures the fold of the rules alone, in memory on one core: lines of many accounts into lots, closings,
 * washes and cash.
 */
import { type ActivityLine, completeActivity, foldAccount, type Security } from '@clearing/domain/books'
import { decimal, ONE } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import { median, perSecond, type Row } from '../measure.ts'
import { randomOf } from './feed.ts'

const accounts = 2_000
const linesEach = 200
const securitiesEach = 8
const rounds = 7
const target = 1_000_000

export async function rows(): Promise<Row[]> {
  const books = Array.from({ length: accounts }, (_, number) => linesOf(number))
  const found: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage()
    let closings = 0
    for (const lines of books) closings += foldAccount(lines).closings.length
    const { user, system } = process.threadCpuUsage(before)
    found.push((accounts * linesEach) / ((user + system) / 1_000_000))
    if (closings < accounts) throw new Error(`only ${closings} closings`)
  }
  const figure = median(found)
  return [
    {
      name: 'the fold of lines in memory',
      measured: perSecond(figure),
      floor: '',
      figure,
      target: `≥ ${target.toLocaleString('en-US')}/s`,
      met: figure >= target,
      note: `by the processor time of its one thread; ${accounts.toLocaleString('en-US')} accounts of ${linesEach} lines in ${securitiesEach} securities, first in first out, wash sales included`,
    },
  ]
}

function security(key: string): Security {
  return {
    key,
    currency: 'USD',
    moneyPlaces: 2,
    multiplier: ONE,
    priceDivisor: ONE,
    factor: ONE,
    fund: false,
  }
}

/** Of ten lines, six buy, two sell and two move cash, a day or two apart. */
function linesOf(account: number): ActivityLine[] {
  const random = randomOf(account)
  const securities = Array.from({ length: securitiesEach }, (_, number) => security(String(number)))
  let tradeDate = '2024-01-02'
  return Array.from({ length: linesEach }, (_, index) => {
    tradeDate = addDays(tradeDate, random(3))
    const kind = random(10)
    const common = {
      externalId: `${account}-${index}`,
      sequence: index + 1,
      acctType: 1,
      currency: 'USD',
      tradeDate,
    } as const
    const completed = completeActivity(
      kind >= 8
        ? { ...common, transType: 'Deposit', netAmount: decimal(String(10 + random(5_000))) }
        : {
            ...common,
            transType: 'Trade',
            buySell: kind < 6 ? 'BUY' : 'SEL',
            security: securities[random(securitiesEach)],
            quantity: decimal(String(1 + random(100))),
            price: decimal(`${10 + random(90)}.${10 + random(90)}`),
            commission: ONE,
          },
    )
    if ('rejections' in completed) throw new Error(completed.rejections[0]?.reason)
    return completed.line
  })
}
