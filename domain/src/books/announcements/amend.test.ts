/** What an amendment changes, what it must keep, and which elections it makes void. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../../decimal.ts'
import { changesOf, electionsAfter, whyNotAmended } from './amend.ts'
import type { ActionOption, Announcement } from './announcement.ts'

const cash: ActionOption = { option: 'Cash', type: 'Dividend', cashPerShare: decimal('0.25') }
const shares: ActionOption = {
  option: 'Shares',
  type: 'StockDividend',
  ratio: { received: decimal('1'), held: decimal('200') },
  cashInLieuPrice: decimal('50'),
}
const before: Announcement = {
  externalId: 'CA1',
  type: 'Dividend',
  security: '1',
  recordDate: '2026-02-13',
  exDate: '2026-02-13',
  payDate: '2026-02-27',
  options: [cash, shares],
  defaultOption: 'Cash',
  deadline: '2026-02-24',
}

describe('an amendment changes', () => {
  const rows: [what: string, changes: Partial<Announcement>, listed: string[]][] = [
    ['nothing', {}, []],
    ['nothing with its options in another order', { options: [shares, cash] }, []],
    ['nothing with the id of its line', { externalId: 'CA1-A' }, []],
    [
      'its dates',
      { recordDate: undefined, exDate: '2026-02-17', payDate: '2026-03-02', deadline: '2026-02-25' },
      [
        ' recordDate 2026-02-13>',
        ' exDate 2026-02-13>2026-02-17',
        ' payDate 2026-02-27>2026-03-02',
        ' deadline 2026-02-24>2026-02-25',
      ],
    ],
    ['its choice', { deadline: undefined }, [' deadline 2026-02-24>']],
    ['its default', { defaultOption: 'Shares' }, [' defaultOption Cash>Shares']],
    [
      'a rate',
      { options: [{ ...cash, cashPerShare: decimal('0.255') }, shares] },
      ['Cash cashPerShare 0.25>0.255'],
    ],
    [
      'every term of an option',
      {
        options: [
          cash,
          {
            option: 'Shares',
            type: 'Merger',
            ratio: { received: decimal('3'), held: decimal('2') },
            toSecurity: '2',
            cashPerShare: decimal('1'),
            costShare: decimal('0.5'),
            price: decimal('4'),
          },
        ],
      },
      [
        'Shares type StockDividend>Merger',
        'Shares ratio 1:200>3:2',
        'Shares toSecNo >2',
        'Shares cashPerShare >1',
        'Shares costShare >0.5',
        'Shares price >4',
        'Shares cashInLieuPrice 50>',
      ],
    ],
    [
      'a merger that is taxable',
      {
        options: [cash, { option: 'Shares', type: 'Merger', taxable: true, price: decimal('4') }],
      },
      [
        'Shares type StockDividend>Merger',
        'Shares ratio 1:200>',
        'Shares taxable >Y',
        'Shares price >4',
        'Shares cashInLieuPrice 50>',
      ],
    ],
    [
      'one option for another',
      { options: [cash, { option: 'Nothing', type: 'None' }] },
      [
        'Shares type StockDividend>',
        'Shares ratio 1:200>',
        'Shares cashInLieuPrice 50>',
        'Nothing type >None',
      ],
    ],
  ]
  for (const [what, changes, listed] of rows)
    test(what, () =>
      assert.deepEqual(
        changesOf(before, { ...before, ...changes }).map(
          ({ option, field, from, to }) => `${option} ${field} ${from}>${to}`,
        ),
        listed,
      ),
    )
})

test('an amendment keeps the type and the security', () => {
  const refused = (changes: Partial<Announcement>) =>
    whyNotAmended(before, { ...before, ...changes }).map(({ code, field, reason }) => [code, field, reason])
  const instead = 'Cancel the announcement, and announce the action with another externalId.'
  assert.deepEqual(
    refused({ externalId: 'CA1-A', payDate: '2026-03-02', options: [], deadline: undefined }),
    [],
  )
  assert.deepEqual(refused({ type: 'CapitalGain', security: '2' }), [
    ['ERR.1015', 'type', `An amendment keeps the type of the announcement. ${instead}`],
    ['ERR.1015', 'cusip', `An amendment keeps the security of the announcement. ${instead}`],
  ])
})

describe('an election of shares', () => {
  const gone = 'The amended corporate action has no option Shares.'
  const other = 'The option Shares of the amended corporate action gives something else.'
  const none = 'The amended corporate action leaves no choice.'
  const rows: [what: string, changes: Partial<Announcement>, reason: string | undefined][] = [
    [
      'stays when dates change',
      { exDate: '2026-02-17', payDate: '2026-03-02', deadline: '2026-02-10' },
      undefined,
    ],
    ['stays when the default changes', { defaultOption: 'Shares' }, undefined],
    [
      'stays when its rates change',
      {
        options: [
          { ...shares, ratio: { received: decimal('1'), held: decimal('100') }, cashInLieuPrice: undefined },
        ],
      },
      undefined,
    ],
    ['stays when the other option is gone', { options: [shares], defaultOption: 'Shares' }, undefined],
    ['is void when the option is gone', { options: [cash] }, gone],
    ['is void when the option has another name', { options: [cash, { ...shares, option: 'shares' }] }, gone],
    ['is void when the option has another type', { options: [cash, { ...cash, option: 'Shares' }] }, other],
    [
      'is void when the option gives another security',
      { options: [cash, { ...shares, toSecurity: '2' }] },
      other,
    ],
    ['is void when the action leaves no choice', { deadline: undefined, options: [shares] }, none],
  ]
  for (const [what, changes, reason] of rows)
    test(what, () => {
      const election = { option: 'Shares', quantity: decimal('50') }
      assert.deepEqual(electionsAfter(before, { ...before, ...changes }, [election, { option: 'Cash' }])[0], {
        ...election,
        ...(reason !== undefined && { void: reason }),
      })
    })

  test('that is void stays void, with its first reason', () => {
    const elections = [{ option: 'Shares', void: gone }]
    assert.deepEqual(electionsAfter(before, before, elections), elections)
    assert.deepEqual(electionsAfter(before, { ...before, deadline: undefined }, elections), elections)
  })
})
