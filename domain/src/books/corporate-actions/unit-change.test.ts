/** The change of units that a line reports. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../../decimal.ts'
import type { TransType } from '../activity.ts'
import type { ExampleLine } from '../example-lines.ts'
import { foldAccount } from '../fold.ts'
import { date, held, other, shorted } from './test-positions.ts'
import { unitsReported } from './unit-change.ts'

/** `OLD>NEW 2:1`, with the marks of a ratio that the line does not state, and of a merger. */
function reported({ feed, lines }: ReturnType<typeof held>, transType: TransType, fields: ExampleLine) {
  const line = feed.line(transType, fields)
  const { movements } = foldAccount([...lines, line], { lotMethod: 'FIFO' })
  const found = unitsReported(
    line,
    movements.filter(({ lineId }) => lineId === line.externalId),
  )
  if (found === undefined) return undefined
  assert.equal(found.day, date)
  const ratio = `${renderDecimal(found.received)}:${renderDecimal(found.held)}`
  const marks = [found.isStated ? '' : ' of the position', found.isMerger ? ' merger' : '']
  return `${found.from}>${found.to} ${ratio}${marks.join('')}`
}

describe('the units that a line reports', () => {
  const long: [what: string, type: TransType, fields: Partial<ExampleLine>, is: string | undefined][] = [
    ['a split', 'Split', { ratio: '4:2' }, 'OLD>OLD 2:1'],
    ['a split with a fraction in its ratio', 'Split', { ratio: '1.5:1' }, 'OLD>OLD 1.5:1'],
    ['a reverse split with cash', 'Split', { ratio: '1:10', cashInLieu: 5 }, 'OLD>OLD 1:10'],
    ['a split with a quantity', 'Split', { quantity: 302 }, 'OLD>OLD 3:1 of the position'],
    ['a reverse split with a quantity', 'Split', { quantity: -150 }, 'OLD>OLD 1:151 of the position'],
    ['a split into another security', 'Split', { ratio: '1:10', toSecurity: other }, 'OLD>NEW 1:10'],
    ['a stock dividend', 'StockDividend', { ratio: '1:10' }, 'OLD>OLD 11:10'],
    ['a stock dividend with a quantity', 'StockDividend', { quantity: 151 }, 'OLD>OLD 2:1 of the position'],
    ['a change of name', 'NameChange', { toSecurity: other }, 'OLD>NEW 1:1'],
    ['a change of name with a ratio', 'NameChange', { toSecurity: other, ratio: '1:5' }, 'OLD>NEW 1:5'],
    ['a merger for shares', 'Merger', { toSecurity: other, ratio: '1:2' }, 'OLD>NEW 1:2 merger'],
    [
      'a merger for shares and cash',
      'Merger',
      { toSecurity: other, ratio: '1:2', cashPerShare: 3 },
      undefined,
    ],
    ['the same by its amount', 'Merger', { toSecurity: other, ratio: '1:2', netAmount: 3 }, undefined],
    ['a merger for cash', 'Merger', { cashPerShare: 3 }, undefined],
    ['a spin-off', 'Spinoff', { toSecurity: other, ratio: '1:2', costShare: '0.1' }, undefined],
    ['a return of capital', 'ReturnOfCapital', { cashPerShare: 1 }, undefined],
    ['a split of what account type 2 does not hold', 'Split', { ratio: '2:1', acctType: 2 }, undefined],
  ]
  for (const [what, type, fields, is] of long)
    test(`${what}: ${is ?? 'none'}`, () => assert.equal(reported(held(), type, { date, ...fields }), is))

  const short: typeof long = [
    ['a split', 'Split', { ratio: '2:1' }, 'OLD>OLD 2:1'],
    ['a split with a quantity', 'Split', { quantity: -10 }, 'OLD>OLD 2:1 of the position'],
  ]
  for (const [what, type, fields, is] of short)
    test(`${what} of a short position: ${is}`, () => {
      assert.equal(reported(shorted(), type, { date, acctType: 3, ...fields }), is)
    })

  test('of a cancel: none', () => {
    const { feed, lines } = held()
    const line = feed.line('Split', { date, ratio: '2:1' })
    const { movements } = foldAccount([...lines, line], { lotMethod: 'FIFO' })
    assert.equal(unitsReported({ ...line, cancels: true }, movements), undefined)
  })
})
