// A dividend, interest or distribution of gains whose netAmount contradicts its quantity and cashPerShare is booked
// with a break. Tax withheld may make the amount lower. Books 1, Breaks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ZERO } from '../decimal.ts'
import { type ExampleLine, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const stock = exampleSecurity('XYZ')
const yen = exampleSecurity('YEN', { currency: 'JPY', moneyPlaces: 0 })
const date = '2025-03-03'
const paid = { date, quantity: 100, cashPerShare: '0.25' }

const table: [why: string, fields: ExampleLine, breaks: number][] = [
  ['without netAmount', paid, 0],
  ['without cashPerShare', { date, quantity: 100, netAmount: 2500 }, 0],
  ['without quantity', { date, cashPerShare: '0.25', netAmount: 2500 }, 0],
  ['with the computed amount', { ...paid, netAmount: 25 }, 0],
  ['one cent above', { ...paid, netAmount: '25.01' }, 0],
  ['two cents above', { ...paid, netAmount: '25.02' }, 1],
  ['a hundred times as high', { ...paid, netAmount: 2500 }, 1],
  ['after tax withheld', { ...paid, netAmount: '17.50' }, 0],
  ['withheld altogether', { ...paid, netAmount: 0 }, 0],
  ['of the other sign', { ...paid, netAmount: -25 }, 1],
  ['of the other sign, by a cent', { ...paid, netAmount: '-0.01' }, 1],
  ['of the other sign in account type 2', { ...paid, acctType: 2, netAmount: -25 }, 1],
  ['paid by a short position', { ...paid, acctType: 3, netAmount: -25 }, 0],
  ['paid by a short position, too high', { ...paid, acctType: 3, netAmount: '-25.02' }, 1],
  ['of a negative quantity', { ...paid, quantity: -100, netAmount: -25 }, 0],
  ['of a negative quantity, received', { ...paid, quantity: -100, netAmount: 25 }, 1],
  ['of a negative quantity in account type 3', { ...paid, quantity: -100, acctType: 3, netAmount: -25 }, 0],
  ['after fees', { ...paid, commission: 1, secFee: 2, netAmount: 22 }, 0],
  ['that leaves fees out', { ...paid, commission: 1, secFee: 2, netAmount: 25 }, 1],
  ['below its fees', { ...paid, commission: 30, netAmount: -5 }, 0],
  ['below its fees, received', { ...paid, commission: 30, netAmount: 5 }, 1],
  ['in yen, one above', { ...paid, security: yen, netAmount: 26 }, 0],
  ['in yen, two above', { ...paid, security: yen, netAmount: 27 }, 1],
]

describe('a netAmount beside quantity and cashPerShare', () => {
  for (const transType of ['Dividend', 'Interest', 'CapitalGain'] as const)
    for (const [why, fields, breaks] of table) {
      test(`of ${transType} ${why} raises ${breaks === 0 ? 'no break' : 'CashDisagrees'}`, () => {
        const feed = exampleFeed(stock)
        const line = feed.line(transType, { ...fields, externalId: 'D' })
        const folded = foldAccount([line])
        assert.deepEqual(
          folded.breaks.map(({ kind, lineId }) => `${kind} ${lineId}`),
          breaks === 0 ? [] : ['CashDisagrees D'],
        )
        assert.equal(folded.cash[0]?.amount ?? ZERO, line.netAmount)
        assert.deepEqual(folded.movements, [])
      })
    }

  test('raises no break when the line is cancelled', () => {
    const feed = exampleFeed(stock)
    const fields = { ...paid, netAmount: 2500 }
    const line = feed.line('Dividend', { ...fields, externalId: 'D' })
    const cancel = feed.line('Dividend', { ...fields, cancels: true, tagNo: 'D' })
    assert.deepEqual(foldAccount([line, cancel]).breaks, [])
  })
})
