import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { countFactors, factorOnDay, firstOtherFactor } from './pool-factor.ts'

type Loaded = readonly (readonly [factor: string, enteredOn: string])[]
type Lines = readonly (readonly [factor: string, tradeDate: string])[]

const month = '2026-11-05'
const table: readonly (readonly [what: string, loaded: Loaded, lines: Lines, from: readonly string[]])[] = [
  ['nothing', [], [['0.5', month]], []],
  ['one factor, for all days', [['0.5', month]], [['0.5', month]], ['']],
  [
    'a factor of the month',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [],
    ['', month],
  ],
  [
    'its principal on the day',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [['0.4', month]],
    ['', month],
  ],
  [
    'its principal before',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [['0.4', '2026-11-04']],
    ['', '2026-11-04'],
  ],
  [
    'its principal later',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [['0.4', '2026-11-06']],
    ['', month],
  ],
  [
    'other principal',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [['0.3', '2026-11-01']],
    ['', month],
  ],
  [
    'principal that was paid at this factor twice',
    [
      ['0.5', '-infinity'],
      ['0.4', month],
    ],
    [
      ['0.4', '2026-11-03'],
      ['0.4', '2026-11-04'],
      ['0.4', '2026-11-02'],
    ],
    ['', '2026-11-04'],
  ],
  [
    'a change 16 days after the first',
    [
      ['0.5', '2026-10-20'],
      ['0.4', month],
    ],
    [],
    ['', month],
  ],
  [
    'a correction 15 days after the first',
    [
      ['0.5', '2026-10-21'],
      ['0.4', month],
    ],
    [],
    ['', ''],
  ],
  [
    'a change with principal',
    [
      ['0.5', '2026-10-21'],
      ['0.4', month],
    ],
    [['0.4', month]],
    ['', month],
  ],
  [
    'a change whose principal comes later',
    [
      ['0.5', '2026-10-21'],
      ['0.4', month],
    ],
    [['0.4', '2026-11-25']],
    ['', month],
  ],
  [
    'a correction of a change with principal',
    [
      ['0.5', '-infinity'],
      ['0.45', month],
      ['0.4', '2026-11-06'],
    ],
    [['0.45', '2026-11-02']],
    ['', '2026-11-02', '2026-11-02'],
  ],
  [
    'a wrong factor, and the right one again',
    [
      ['0.4', '-infinity'],
      ['0.3', month],
      ['0.4', '2026-11-06'],
    ],
    [],
    ['', month, month],
  ],
  [
    'corrections of corrections',
    [
      ['0.9', '2026-11-01'],
      ['0.8', '2026-11-10'],
      ['0.7', '2026-11-20'],
      ['0.6', '2026-12-06'],
    ],
    [],
    ['', '', '', '2026-12-06'],
  ],
]

function countingOf(loaded: Loaded, lines: Lines) {
  return countFactors(
    loaded.map(([factor, enteredOn]) => ({ factor: decimal(factor), enteredOn })),
    lines.map(([factor, tradeDate]) => ({ factor: decimal(factor), tradeDate })),
  )
}

for (const [what, loaded, lines, from] of table)
  test(`factors count from their days: ${what}`, () => {
    const counting = countingOf(loaded, lines)
    assert.deepEqual(
      counting.map((one) => one.from),
      from,
    )
    assert.deepEqual(
      counting.map(({ factor, enteredOn }) => [renderDecimal(factor), enteredOn]),
      loaded,
    )
  })

test('the last factor that counts on a day is that of the day', () => {
  const late = countingOf(
    [
      ['0.5', '-infinity'],
      ['0.4', '2026-11-09'],
      ['0.3', '2026-12-10'],
    ],
    [['0.4', month]],
  )
  const on = (day: string) => {
    const factor = factorOnDay(late, day)
    return factor && renderDecimal(factor)
  }
  assert.deepEqual(['2026-11-04', month, '2026-11-06', '2026-12-09', '2026-12-10', '2026-12-11'].map(on), [
    '0.5',
    '0.4',
    '0.4',
    '0.4',
    '0.3',
    '0.3',
  ])
  assert.equal(factorOnDay([], month), undefined)
})

test('a close is concerned by a factor that was loaded after it and counts on its day', () => {
  const late = countingOf(
    [
      ['0.5', '-infinity'],
      ['0.4', '2026-11-09'],
    ],
    [['0.4', month]],
  )
  assert.deepEqual(
    ['2026-11-04', month, '2026-11-06', '2026-11-08', '2026-11-09', '2026-11-10'].map((day) =>
      firstOtherFactor(late, day),
    ),
    [undefined, month, month, month, undefined, undefined],
  )
  const corrected = countingOf(
    [
      ['0.9', month],
      ['0.09', '2026-11-06'],
    ],
    [],
  )
  assert.equal(firstOtherFactor(corrected, month), month, 'the first factor counted from the day of its load')
  assert.equal(firstOtherFactor(corrected, '2026-11-04'), undefined)
  const both = countingOf(
    [
      ['0.5', '-infinity'],
      ['0.4', '2026-11-09'],
      ['0.3', '2026-11-10'],
    ],
    [
      ['0.4', month],
      ['0.3', '2026-11-03'],
    ],
  )
  assert.equal(firstOtherFactor(both, '2026-11-08'), '2026-11-03')
  assert.equal(firstOtherFactor(countingOf([['0.5', '2026-11-09']], []), '2026-11-08'), undefined)
  assert.equal(firstOtherFactor([], month), undefined)
})
