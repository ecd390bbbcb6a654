/** Options that tests write on stocks, and what the margin of the writer is. */
import assert from 'node:assert/strict'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import { buy, type Line, newSecurity, service } from './announced-actions.ts'

function operations() {
  return service.operations.operations
}
export async function price(symbol: string, value: string, day: string) {
  const priceDate = startOfEasternDay(day).toISOString()
  const lines = { ndjson: [{ symbol, price: value, priceType: 'LastClose', priceDate }] }
  assert.deepEqual((await operations().loadPrices({ lines })).data.rejects, [])
}
export function contract(underlying: string, strike: string, facts: Line = {}) {
  return newSecurity({
    ...{ secTypeName: 'Option', multiplier: '100', underlying, putCall: 'Call', expiration: '2037-12-18' },
    ...{ strike, ...facts },
  })
}
export function write(account: string, option: string, quantity: string, day: string, cents: string): Line {
  return {
    ...buy(account, option, quantity, day, { acctType: '2', price: cents, secFee: '0' }),
    buySell: 'SEL',
  }
}
export async function marginOf(accountNumber: string) {
  const [{ data }, breaks] = await Promise.all([
    service.alpha.balanceSummary({ accountNumber }),
    operations().listBreaks({ accountNumber }),
  ])
  const { equity, regTRequirement, houseExcess, sma } = data.marginBalance
  return {
    figures: [equity, regTRequirement, houseExcess, sma].map(Number),
    breaks: breaks.data.breaks
      .filter(({ kind }) => kind === 'ActionMissed')
      .map(({ kind, symbol }) => `${kind} ${symbol}`),
  }
}

let numbers = 0
/** A CUSIP with its check digit, which doubles every second character. */
export function newCusip(): string {
  numbers += 1
  const first = `FLW${String(numbers).padStart(5, '0')}`
  const sum = [...first].reduce((total, character, index) => {
    const value = Number.parseInt(character, 36) * (index % 2 === 1 ? 2 : 1)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return `${first}${(10 - (sum % 10)) % 10}`
}
