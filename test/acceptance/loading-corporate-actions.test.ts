/** Lines of load-corporate-actions, the lists of actions and entitlements, and the walls between firms. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  announce,
  announced,
  book,
  buy,
  cancelled,
  entitlementsOf,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
  workIsDone,
} from './announced-actions.ts'
import { rejectionsOf } from './calling.ts'

startBeforeTests()

function counts({ received, accepted, duplicates, conflicts, rejected }: Record<string, unknown>) {
  return [received, accepted, duplicates, conflicts, rejected]
}
function refusals({ rejects }: { rejects: readonly { code: string; field: string }[] }) {
  return rejects.map(({ code, field }) => `${code} ${field}`)
}
async function actionOf(corporateActionId: string) {
  return (await service.alpha.listCorporateActions({ corporateActionId })).data.corporateActions[0]
}

const dividend = { type: 'Dividend', recordDate: '2026-02-13', payDate: '2026-02-27', cashPerShare: '1' }

describe('a line of an announcement', () => {
  const rows: [what: string, line: Line, refused: string[]][] = [
    ['without a pay date', { payDate: undefined }, ['ERR.1000 payDate']],
    ['without a security', { symbol: undefined }, ['ERR.1000 cusip']],
    ['of an unknown security', { symbol: 'NOSUCH' }, ['ERR.1015 symbol']],
    ['without a record date and an ex-date', { recordDate: undefined }, ['ERR.1000 recordDate']],
    ['with a pay date before the record date', { payDate: '2026-02-12' }, ['ERR.1024 payDate']],
    ['with a pay date on the record date', { payDate: '2026-02-13' }, []],
    ['of an unknown type', { type: 'Present' }, ['ERR.1015 type']],
    ['without its terms', { cashPerShare: undefined }, ['ERR.1000 cashPerShare']],
    ['with terms of another type', { ratio: '2:1' }, ['ERR.1015 ratio']],
    ['with nothing to pay', { cashPerShare: '0' }, ['ERR.1015 cashPerShare']],
    ['with a negative amount', { cashPerShare: '-1' }, ['ERR.1015 cashPerShare']],
    ['with a ratio of zero', { type: 'Split', cashPerShare: undefined, ratio: '0:1' }, ['ERR.1015 ratio']],
    ['with an unknown field', { colour: 'red' }, ['ERR.2001 colour']],
    ['that cancels nothing', { cancelType: 'C' }, ['ERR.1000 tagNo']],
    ['that cancels an unknown one', { cancelType: 'C', tagNo: 'NOSUCH' }, ['ERR.2003 tagNo']],
    ['with a deadline and no options', { deadline: '2026-02-20' }, ['ERR.1015 options']],
    ['with a name of 61 letters', { externalId: 'x'.repeat(61) }, ['ERR.1010 externalId']],
    ['with a name of 60 letters', { externalId: 'x'.repeat(60) }, []],
    ['into itself', { type: 'NameChange', cashPerShare: undefined, toSymbol: 'SELF' }, ['ERR.1015 toCusip']],
  ]
  for (const [what, changes, refused] of rows) {
    test(`${refused.length > 0 ? 'is refused' : 'is accepted'}: ${what}`, async () => {
      const symbol = await newSecurity(changes.toSymbol === 'SELF' ? { symbol: 'SELF' } : {})
      const line = { externalId: `${symbol}-1`, symbol, ...dividend, ...changes }
      const named = changes.toSymbol === 'SELF' ? { ...line, symbol: 'SELF' } : line
      assert.deepEqual(refusals(await announce(named)), refused)
    })
  }

  const seconds: [what: string, line: Line, refused: string[]][] = [
    ['of the same action', {}, ['ERR.2050 externalId']],
    ['of the same action without its record date', { recordDate: undefined }, ['ERR.2050 externalId']],
    ['of another amount', { cashPerShare: '1.01' }, []],
    ['of another pay date', { payDate: '2026-02-26' }, []],
    ['of another ex-date', { exDate: '2026-02-12' }, []],
    ['of another type', { type: 'CapitalGain' }, []],
  ]
  for (const [what, changes, refused] of seconds) {
    test(`${refused.length > 0 ? 'is refused' : 'is accepted'} with another id: ${what}`, async () => {
      const line = { symbol: await newSecurity(), exDate: '2026-02-13', ...dividend }
      const first = await announced(line)
      const second = { externalId: `${first}-2`, ...line, ...changes }
      const { rejects } = await announce(second)
      assert.deepEqual(refusals({ rejects }), refused)
      if (refused.length > 0) assert.match(rejects[0]?.reason ?? '', new RegExp(`^${first} has the same `))
      await cancelled(first)
      assert.deepEqual(refusals(await announce(second)), [])
    })
  }

  const choices: [what: string, line: Line, refused: string[]][] = [
    ['with a deadline before the pay date', {}, []],
    ['with a deadline on the pay date', { deadline: '2026-02-27' }, ['ERR.1024 deadline']],
    ['without a deadline', { deadline: undefined }, ['ERR.1000 deadline']],
    ['with a default that is no option', { defaultOption: 'Gold' }, ['ERR.1015 defaultOption']],
    ['without a default', { defaultOption: undefined }, ['ERR.1015 defaultOption']],
    ['with terms beside its options', { cashPerShare: '1' }, ['ERR.1015 cashPerShare']],
    ['with no option', { options: [] }, ['ERR.2002 options']],
    ['with options that are no objects', { options: ['Cash'] }, ['ERR.2002 options']],
    [
      'with a second option whose amount is no number',
      {
        options: [
          { option: 'Nothing', type: 'None' },
          { option: 'Cash', cashPerShare: 'much' },
        ],
      },
      ['ERR.1016 options[1].cashPerShare'],
    ],
    ['with an option without a name', { options: [{ type: 'None' }] }, ['ERR.1000 options[0].option']],
    [
      'with a choice of a split',
      {
        options: [
          { option: 'Cash', cashPerShare: '1' },
          { option: 'More', type: 'Split', ratio: '2:1' },
        ],
      },
      ['ERR.1015 options'],
    ],
    [
      'with one name twice',
      {
        options: [
          { option: 'Cash', cashPerShare: '1' },
          { option: 'Cash', type: 'None' },
        ],
      },
      ['ERR.1014 options'],
    ],
  ]
  for (const [what, changes, refused] of choices) {
    test(`with options is ${refused.length > 0 ? 'refused' : 'accepted'}: ${what}`, async () => {
      const symbol = await newSecurity()
      const options = [
        { option: 'Cash', cashPerShare: '1' },
        { option: 'Nothing', type: 'None' },
      ]
      const choice = { options, defaultOption: 'Cash', deadline: '2026-02-26', cashPerShare: undefined }
      const line = { externalId: `${symbol}-1`, symbol, ...dividend, ...choice, ...changes }
      assert.deepEqual(refusals(await announce(line)), refused)
    })
  }

  test('sent again is a duplicate, with other contents a conflict, and one bad line harms no other', async () => {
    const symbol = await newSecurity()
    const line = { externalId: `${symbol}-1`, symbol, ...dividend }
    assert.deepEqual(
      counts(await announce(line, line, { ...line, externalId: `${symbol}-2`, type: '?' })),
      [3, 1, 1, 0, 1],
    )
    assert.deepEqual(counts(await announce({ ...line, cashPerShare: '1.00' })), [1, 0, 1, 0, 0])
    assert.deepEqual(counts(await announce({ ...line, cashPerShare: '1.01' })), [1, 0, 0, 1, 0])
    const cancel = { externalId: `${symbol}-C`, cancelType: 'C', tagNo: `${symbol}-1` }
    assert.deepEqual(counts(await announce(cancel, cancel)), [2, 1, 1, 0, 0])
    const again = await announce(cancel, { ...cancel, externalId: `${symbol}-D` }, line)
    assert.deepEqual([counts(again), refusals(again)], [[3, 0, 2, 0, 1], ['ERR.1015 tagNo']])
    assert.deepEqual(counts(await announce({ ...line, externalId: `${symbol}-C` })), [1, 0, 0, 1, 0])
  })

  test('comes as CSV too, with the options as the text of a JSON array', async () => {
    const symbol = await newSecurity()
    const options = JSON.stringify([
      { option: 'Cash', cashPerShare: '0.30' },
      { option: 'Shares', type: 'StockDividend', ratio: '1:50' },
    ]).replaceAll('"', '""')
    const csv = `externalId,type,symbol,recordDate,payDate,deadline,defaultOption,options\n${symbol}-1,Dividend,${symbol},2026-02-13,02/27/2026,20260220,Cash,"${options}"\n`
    const { data } = await service.operations.operations.loadCorporateActions({ lines: { csv } })
    assert.deepEqual([data.accepted, data.rejects], [1, []])
    const action = await actionOf(`${symbol}-1`)
    assert.deepEqual(
      [
        action?.deadline,
        action?.payDate,
        action?.options.map(({ option, type, ratio, cashPerShare }) => [option, type, ratio, cashPerShare]),
      ],
      [
        '2026-02-20',
        '2026-02-27',
        [
          ['Cash', 'Dividend', '', '0.3'],
          ['Shares', 'StockDividend', '1:50', ''],
        ],
      ],
    )
  })
})

describe('the ex-date', () => {
  const rows: [what: string, line: Line, exDate: string, bookedOn: string][] = [
    ['is the record date', {}, '2026-02-13', '2026-02-27'],
    [
      'is the business day before a record date without settlement',
      { recordDate: '2026-02-15' },
      '2026-02-13',
      '2026-02-27',
    ],
    [
      'was a day earlier until the cycle of one day',
      { recordDate: '2024-05-24', payDate: '2024-06-14' },
      '2024-05-23',
      '2024-06-14',
    ],
    [
      'is the record date under the cycle of one day',
      { recordDate: '2024-05-30', payDate: '2024-06-14' },
      '2024-05-30',
      '2024-06-14',
    ],
    ['is the one of the announcement', { exDate: '2026-03-02' }, '2026-03-02', '2026-03-02'],
  ]
  for (const [what, changes, exDate, bookedOn] of rows) {
    test(what, async () => {
      const symbol = await newSecurity()
      await announce({ externalId: `${symbol}-1`, symbol, ...dividend, ...changes })
      const action = await actionOf(`${symbol}-1`)
      assert.deepEqual([action?.exDate, action?.bookedOn], [exDate, bookedOn])
    })
  }
})

test('a firm sees the entitlements of its own accounts only, and elects for them only', async () => {
  const symbol = await newSecurity()
  const account = await newAccount()
  const first = await today()
  const payDate = addMarketDays(first, 5)
  await book(buy(account, symbol, '10', first))
  const id = await announced({
    type: 'Dividend',
    symbol,
    exDate: payDate,
    payDate,
    deadline: first,
    options: [
      { option: 'Cash', cashPerShare: '1' },
      { option: 'Nothing', type: 'None' },
    ],
    defaultOption: 'Cash',
  })
  const elections = [{ option: 'Nothing' }]
  const seen = await service.beta.listActionEntitlements({ corporateActionId: id })
  assert.deepEqual(seen.data.entitlements, [])
  const listed = await service.beta.listCorporateActions({ symbol })
  assert.deepEqual(
    listed.data.corporateActions.map((one) => one.symbol),
    [symbol],
  )
  assert.deepEqual(await rejectionsOf(service.beta.listActionEntitlements({ accountNumber: account })), [
    'ERR.2003 accountNumber',
  ])
  assert.deepEqual(
    await rejectionsOf(service.beta.elect({ corporateActionId: id, accountNumber: account, elections })),
    ['ERR.2003 accountNumber'],
  )
  assert.deepEqual(
    await rejectionsOf(
      service.alpha.elect({ corporateActionId: 'NOSUCH', accountNumber: account, elections }),
    ),
    ['ERR.2003 corporateActionId'],
  )
  assert.deepEqual(
    await rejectionsOf(
      service.alpha.elect({ corporateActionId: id, accountNumber: account, acctType: '2', elections }),
    ),
    ['ERR.2003 accountNumber'],
  )
  const elected = await service.alpha.elect({ corporateActionId: id, accountNumber: account, elections })
  assert.deepEqual(
    [elected.data.accountName, elected.data.electedBy, elected.data.elections],
    ['ADA MORENO', 'alpha', [{ option: 'Nothing', quantity: '', void: '' }]],
  )
  assert.deepEqual(
    (await entitlementsOf(id)).map(({ accountNumber, accountName }) => [accountNumber, accountName]),
    [[account, 'ADA MORENO']],
  )
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ types: ['corporate_action.*'] })
  const named = data.events.filter(({ data: content }) => JSON.stringify(content).includes(id))
  assert.deepEqual(
    named.map(({ type }) => type),
    ['corporate_action.announced', 'corporate_action.elected'],
  )
  await cancelled(id)
  assert.deepEqual(
    await rejectionsOf(service.alpha.elect({ corporateActionId: id, accountNumber: account, elections })),
    ['ERR.2049 corporateActionId'],
  )
})

test('lists are walked page by page', async () => {
  const symbol = await newSecurity()
  const account = await newAccount()
  await book(buy(account, symbol, '10', await today()))
  const pays = ['2037-02-27', '2037-01-29', '2037-03-26']
  await announce(
    ...pays.map((payDate, index) => ({
      ...dividend,
      externalId: `${symbol}-${index}`,
      symbol,
      recordDate: payDate,
      payDate,
    })),
  )
  await workIsDone()
  const dates: string[] = []
  let after = ''
  do {
    const page = { symbol: symbol.toLowerCase(), size: 1, ...(after !== '' && { after }) }
    const { data } = await service.alpha.listCorporateActions(page)
    dates.push(...data.corporateActions.map(({ payDate }) => payDate))
    after = data.next
  } while (after !== '')
  assert.deepEqual(dates, pays.toSorted().reverse())
  const first = await service.alpha.listActionEntitlements({ accountNumber: account, size: 2 })
  const rest = await service.alpha.listActionEntitlements({
    accountNumber: account,
    size: 2,
    after: first.data.next,
  })
  assert.deepEqual(
    [...first.data.entitlements, ...rest.data.entitlements].map(({ corporateActionId }) => corporateActionId),
    [0, 1, 2].map((index) => `${symbol}-${index}`),
  )
  assert.equal(rest.data.next, '')
})
