import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import {
  type Asset,
  correctingEntry,
  type Entry,
  foldEntries,
  type Leg,
  makeEntry,
  reverseEntry,
} from './entry.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import { verifyBalances, verifyLots, verifyStockRecord, verifyWashes } from './invariants.ts'
import { postActivity } from './post-activity.ts'
import { verifyBooks } from './test-invariants.ts'

const xyz = exampleSecurity('XYZ')
const date = '2024-06-03'
function nameOf(asset: Asset) {
  return asset.kind === 'cash' ? asset.currency : asset.securityKey
}
function legsOf(entry: Entry) {
  return entry.legs.map(
    (leg) => `${leg.ledger} ${leg.acctType} ${renderDecimal(leg.amount)} ${nameOf(leg.asset)}`,
  )
}
const usd = { kind: 'cash', currency: 'USD' } as const
function leg(ledger: Leg['ledger'], amount: string, asset: Asset = usd): Leg {
  return {
    ledger,
    acctType: 1,
    asset,
    amount: decimal(amount),
  }
}

describe('an entry', () => {
  test('that does not balance per currency and per security cannot be made', () => {
    const shares = { kind: 'security', securityKey: 'USD' } as const
    assert.throws(
      () => makeEntry('L1', [leg('customer', '5'), leg('location:bank', '-4.9999999999')]),
      /out of balance/,
    )
    assert.throws(
      () => makeEntry('L1', [leg('customer', '5'), leg('location:bank', '-5', shares)]),
      /out of balance/,
    )
    assert.throws(
      () =>
        makeEntry('L1', [
          leg('customer', '5'),
          leg('location:bank', '-5', { kind: 'cash', currency: 'EUR' }),
        ]),
      /out of balance/,
    )
    const security = (securityKey: string) => ({ kind: 'security', securityKey }) as const
    assert.throws(
      () =>
        makeEntry('L1', [
          leg('customer', '5', security('A')),
          leg('street:transfer', '-5', security('B')),
          leg('customer', '-5', security('B')),
          leg('street:transfer', '5', security('A')),
        ]),
      /out of balance by 100000000000 units of security A/,
    )
    assert.doesNotThrow(() => makeEntry('L1', [leg('customer', '5'), leg('location:bank', '-5')]))
  })

  test('cannot be changed, and has no legs of zero', () => {
    const entry = makeEntry('L1', [leg('customer', '5'), leg('firm:fees', '0'), leg('location:bank', '-5')])
    assert.equal(entry.legs.length, 2)
    assert.ok(Object.isFrozen(entry) && Object.isFrozen(entry.legs))
  })

  test('and its reversal add up to zero', () => {
    const entry = makeEntry('L1', [leg('customer', '5'), leg('location:bank', '-5')])
    assert.deepEqual(foldEntries([entry, reverseEntry(entry, 'C1')]), [])
    assert.equal(reverseEntry(entry, 'C1').lineId, 'C1')
  })

  test('is turned into another entry by a correcting entry', () => {
    const before = makeEntry('L1', [leg('customer', '5'), leg('location:bank', '-5')])
    const after = makeEntry('L1', [leg('customer', '7'), leg('location:bank', '-6'), leg('firm:fees', '-1')])
    const correction = correctingEntry(before, after)
    assert.deepEqual(legsOf(correction), ['customer 1 2 USD', 'location:bank 1 -1 USD', 'firm:fees 1 -1 USD'])
    assert.deepEqual(foldEntries([before, correction]), foldEntries([after]))
    assert.deepEqual(correctingEntry(after, after).legs, [])
  })
})

describe('the entry of a line', () => {
  const feed = exampleFeed(xyz)
  const cash = (line: ActivityLine): ActivityLine => ({ ...line, security: undefined })
  const rows: [string, ActivityLine, string[]][] = [
    [
      'a purchase',
      feed.buy({ date, quantity: 10, price: 5, commission: 1, secFee: 0.02, acctType: 2 }),
      [
        'customer 2 10 XYZ',
        'street:clearing 2 -10 XYZ',
        'customer 2 -51.02 USD',
        'firm:commission 2 1 USD',
        'street:regulator 2 0.02 USD',
        'street:clearing 2 50 USD',
      ],
    ],
    [
      'a sale with accrued interest',
      feed.sell({ date, quantity: 10, price: 5, commission: 1, interest: 3 }),
      [
        'customer 1 -10 XYZ',
        'street:clearing 1 10 XYZ',
        'customer 1 52 USD',
        'firm:commission 1 1 USD',
        'street:clearing 1 -53 USD',
      ],
    ],
    [
      'a deposit',
      cash(feed.line('Deposit', { date, netAmount: 5 })),
      ['customer 1 5 USD', 'location:bank 1 -5 USD'],
    ],
    [
      'a withdrawal',
      cash(feed.line('Withdrawal', { date, netAmount: 5 })),
      ['customer 1 -5 USD', 'location:bank 1 5 USD'],
    ],
    [
      'a dividend',
      feed.line('Dividend', { date, netAmount: 5 }),
      ['customer 1 5 USD', 'street:issuer 1 -5 USD'],
    ],
    [
      'a capital gain',
      feed.line('CapitalGain', { date, netAmount: 5 }),
      ['customer 1 5 USD', 'street:issuer 1 -5 USD'],
    ],
    [
      'interest on a security',
      feed.line('Interest', { date, netAmount: 5 }),
      ['customer 1 5 USD', 'street:issuer 1 -5 USD'],
    ],
    [
      'interest on cash',
      cash(feed.line('Interest', { date, netAmount: -5 })),
      ['customer 1 -5 USD', 'firm:interest 1 5 USD'],
    ],
    ['a fee', cash(feed.line('Fee', { date, netAmount: 5 })), ['customer 1 -5 USD', 'firm:fees 1 5 USD']],
    ['a tax', cash(feed.line('Tax', { date, netAmount: 5 })), ['customer 1 -5 USD', 'street:tax 1 5 USD']],
    [
      'a transfer in',
      feed.line('TransferIn', { date, quantity: 5, cost: 50 }),
      ['customer 1 5 XYZ', 'street:transfer 1 -5 XYZ'],
    ],
    [
      'a journal',
      feed.line('Journal', { date, quantity: -5, netAmount: 3 }),
      ['customer 1 -5 XYZ', 'firm:journal 1 5 XYZ', 'customer 1 3 USD', 'firm:journal 1 -3 USD'],
    ],
    [
      'a reinvestment',
      feed.line('Reinvest', { date, quantity: 5, netAmount: 3 }),
      ['customer 1 5 XYZ', 'street:issuer 1 -5 XYZ', 'customer 1 -3 USD', 'street:issuer 1 3 USD'],
    ],
  ]
  for (const [name, line, legs] of rows)
    test(`of ${name} has ${legs.length} legs`, () => assert.deepEqual(legsOf(postActivity(line)), legs))

  test('of a split contains the movements of the fold for this line only', () => {
    const own = exampleFeed(xyz)
    const lines = [
      own.buy({ date, quantity: 3, netAmount: 30 }),
      own.line('Split', { date, ratio: '3:2', cashInLieu: 2 }),
    ]
    const { movements } = foldAccount(lines)
    const split = lines[1]
    assert.ok(split)
    assert.deepEqual(
      legsOf(postActivity(split, [{ ...movements[0], lineId: 'another' } as never, ...movements])),
      ['customer 1 1 XYZ', 'street:issuer 1 -1 XYZ', 'customer 1 2 USD', 'street:issuer 1 -2 USD'],
    )
    assert.deepEqual(postActivity(split).legs, [])
  })

  test('of an exercise contains the option, the shares and the cash, with the commission once', () => {
    const call = exampleSecurity('CALL', {
      multiplier: '100',
      option: { putCall: 'Call', strike: decimal('5') },
    })
    const own = exampleFeed(call)
    const lines = [
      own.buy({ date, quantity: 1, price: 1 }),
      own.line('Exercise', { date, quantity: 1, toSecurity: xyz, commission: 4 }),
    ]
    const exercise = lines[1]
    assert.ok(exercise)
    assert.deepEqual(legsOf(postActivity(exercise, foldAccount(lines).movements)), [
      'customer 1 -1 CALL',
      'street:options 1 1 CALL',
      'customer 1 100 XYZ',
      'street:options 1 -100 XYZ',
      'customer 1 -504 USD',
      'firm:commission 1 4 USD',
      'street:options 1 500 USD',
    ])
  })

  test('of a settled trade uses the bank and the depository, and any other line uses its own counterparty', () => {
    const feed = exampleFeed(xyz)
    const settled = (line: ActivityLine) => legsOf(postActivity(line, [], true))
    assert.deepEqual(settled(feed.buy({ date, quantity: 10, netAmount: 100 })), [
      'customer 1 10 XYZ',
      'location:depository 1 -10 XYZ',
      'customer 1 -100 USD',
      'location:bank 1 100 USD',
    ])
    assert.deepEqual(settled(feed.line('Dividend', { date, netAmount: 5 })), [
      'customer 1 5 USD',
      'street:issuer 1 -5 USD',
    ])
  })

  test('of a line that moves only cash contains neither its quantity nor its commission', () => {
    const feed = exampleFeed(xyz)
    const paid = feed.line('Dividend', { date, netAmount: 5, quantity: 10, commission: 1 })
    assert.deepEqual(legsOf(postActivity(paid)), ['customer 1 5 USD', 'street:issuer 1 -5 USD'])
  })

  test('of a cancel does not exist', () => {
    const own = exampleFeed(xyz)
    assert.throws(
      () => postActivity(own.line('Trade', { date, cancels: true, tagNo: 'L1' })),
      /reverse the entry/,
    )
  })
})

describe('the checks of the books', () => {
  const feed = exampleFeed(xyz)
  const lines = [
    feed.buy({ date: '2023-01-03', quantity: 10, netAmount: 100 }),
    feed.buy({ date: '2023-01-04', quantity: 10, netAmount: 110 }),
    feed.sell({ date: '2023-02-01', quantity: 5, netAmount: 40 }),
  ]
  const fold = foldAccount(lines)
  const entries = lines.map((line) => postActivity(line))
  const holding = fold.holdings.get('XYZ')
  assert.ok(holding)
  const [first, second] = holding.lots[0]
  assert.ok(first && second)
  const withLots = (...lots: (typeof first)[]) => ({
    holdings: new Map([['XYZ', { ...holding, lots: [lots, [], []] as const }]]),
  })

  test('find nothing in correct books', () => assert.deepEqual(verifyBooks(fold, entries), []))

  test('find a missing entry and an extra entry', () => {
    const missing = verifyBooks(fold, entries.slice(0, 2))
    assert.deepEqual(missing, [
      'security XYZ in account type 1: fold 15, entries 20',
      'cash USD in account type 1: fold -170, entries -210',
    ])
    const extra = postActivity(
      exampleFeed(exampleSecurity('ABC')).buy({ date, quantity: 1, netAmount: 0, acctType: 2 }),
    )
    assert.deepEqual(verifyBooks(fold, [...entries, extra]), [
      'security ABC in account type 2: fold 0, entries 1',
    ])
    assert.deepEqual(verifyBalances(fold, []), [
      'security XYZ in account type 1: fold 15, entries 0',
      'cash USD in account type 1: fold -170, entries 0',
    ])
    const flat = { positions: fold.positions.map((position) => ({ ...position, quantity: 0n })), cash: [] }
    assert.deepEqual(verifyBalances(flat, []), [])
  })

  test('find a stock record that does not balance', () => {
    const { acctType, asset } = leg('customer', '1')
    assert.deepEqual(verifyStockRecord([{ ledger: 'customer', acctType, asset, amount: decimal('1.5') }]), [
      'cash USD: the stock record is out by 1.5',
    ])
    const shares = { kind: 'security', securityKey: 'XYZ' } as const
    assert.deepEqual(
      verifyStockRecord([{ ledger: 'customer', acctType, asset: shares, amount: decimal('2') }]),
      ['security XYZ: the stock record is out by 2'],
    )
  })

  test('find lots that are empty, of the wrong side, out of order, or with the same name', () => {
    assert.deepEqual(verifyLots(withLots({ ...first, quantity: 0n })), ['XYZ: lot L1 is empty'])
    assert.deepEqual(verifyLots(withLots(first, { ...second, quantity: -1n })), [
      'XYZ: lot L2/1 is of the other side',
    ])
    assert.deepEqual(verifyLots(withLots(second, first)), ['XYZ: lot L1 is out of order'])
    assert.deepEqual(verifyLots(withLots(first, { ...second, id: 'L1' })), ['XYZ: two lots are called L1'])
  })

  test('find a loss that is disallowed twice, and a disallowed gain', () => {
    assert.equal(fold.washes.length, 1)
    assert.deepEqual(verifyWashes({ ...fold, washes: [...fold.washes, ...fold.washes] }), [
      'closing 0 of line L3: more is disallowed than was lost',
    ])
    const gains = fold.closings.map((closing) => ({ ...closing, gain: 1n }))
    assert.equal(verifyWashes({ closings: gains, washes: fold.washes }).length, 1)
  })
})
