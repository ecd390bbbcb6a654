/** Lines of load-corporate-actions that amend an announcement: refusals, repeats, and what is listed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  amended,
  announce,
  type Line,
  newSecurity,
  service,
  startBeforeTests,
  workIsDone,
} from './announced-actions.ts'

startBeforeTests()

const dividend = { type: 'Dividend', recordDate: '2026-02-13', payDate: '2099-02-27', cashPerShare: '1' }

/** An announcement of a new security; its id begins with the symbol. */
async function announcedDividend() {
  const symbol = await newSecurity()
  const line = { externalId: `${symbol}-1`, symbol, ...dividend }
  assert.equal((await announce(line)).accepted, 1)
  return { symbol, line, amending: { ...line, externalId: `${symbol}-A`, amends: `${symbol}-1` } }
}
async function actionOf(corporateActionId: string) {
  const { data } = await service.alpha.listCorporateActions({ corporateActionId })
  assert.ok(data.corporateActions[0])
  return data.corporateActions[0]
}
async function answers(...lines: Line[]) {
  const { accepted, duplicates, conflicts, rejects } = await announce(...lines)
  return [accepted, duplicates, conflicts, rejects.map(({ code, field }) => `${code} ${field}`).join()]
}

describe('an amendment is', () => {
  const rows: [what: string, changes: Line, expected: unknown[]][] = [
    ['accepted: another rate', { cashPerShare: '2' }, [1, 0, 0, '']],
    ['a duplicate: the terms that count already', {}, [0, 1, 0, '']],
    ['refused: of an announcement that does not exist', { amends: 'NOSUCH' }, [0, 0, 0, 'ERR.2003 amends']],
    ['refused: without terms', { cashPerShare: undefined }, [0, 0, 0, 'ERR.1000 cashPerShare']],
    ['refused: without an id of its own', { externalId: undefined }, [0, 0, 0, 'ERR.1000 externalId']],
    [
      'refused: with a pay date before the record date',
      { payDate: '2026-02-12' },
      [0, 0, 0, 'ERR.1024 payDate'],
    ],
    ['refused: of another type', { type: 'CapitalGain' }, [0, 0, 0, 'ERR.1015 type']],
    ['refused: with a tagNo', { tagNo: 'X', cashPerShare: '2' }, [0, 0, 0, 'ERR.1015 tagNo']],
    ['refused: also a cancel', { cancelType: 'C', tagNo: 'X' }, [0, 0, 0, 'ERR.1015 amends']],
  ]
  for (const [what, changes, expected] of rows)
    test(what, async () => {
      const { amending } = await announcedDividend()
      assert.deepEqual(await answers({ ...amending, ...changes }), expected)
    })

  test('refused: of another security', async () => {
    const { amending } = await announcedDividend()
    const symbol = await newSecurity()
    assert.deepEqual(await answers({ ...amending, symbol }), [0, 0, 0, 'ERR.1015 cusip'])
  })

  test('refused: of an announcement that was cancelled', async () => {
    const { symbol, amending } = await announcedDividend()
    await announce({ externalId: `${symbol}-C`, cancelType: 'C', tagNo: `${symbol}-1` })
    assert.deepEqual(await answers({ ...amending, cashPerShare: '2' }), [0, 0, 0, 'ERR.1015 amends'])
  })
})

test('a line that is sent again changes nothing, whatever amended the announcement since', async () => {
  const { symbol, line, amending } = await announcedDividend()
  const [first, second] = [
    { ...amending, cashPerShare: '2' },
    { ...amending, externalId: `${symbol}-B`, cashPerShare: '3' },
  ]
  assert.deepEqual(await answers(first, first, second), [2, 1, 0, ''])
  const before = await actionOf(line.externalId)
  assert.deepEqual(await answers(line, first, second), [0, 3, 0, ''])
  assert.deepEqual(await actionOf(line.externalId), before)
  assert.equal(before.options[0]?.cashPerShare, '3')
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ types: ['corporate_action.amended'] })
  const contents = data.events.map(({ data: content }) => content as Record<string, unknown>)
  assert.deepEqual(
    contents.filter(({ corporateActionId }) => corporateActionId === line.externalId),
    [2, 3].map((version) => ({
      corporateActionId: line.externalId,
      type: 'Dividend',
      secNo: before.secNo,
      exDate: '2026-02-13',
      payDate: '2099-02-27',
      deadline: '',
      version,
    })),
  )
})

test('one id is for one line: an announcement, an amendment or a cancel', async () => {
  const { symbol, line, amending } = await announcedDividend()
  const first = { ...amending, cashPerShare: '2' }
  const cancel = { externalId: `${symbol}-C`, cancelType: 'C', tagNo: line.externalId }
  assert.deepEqual(await answers(first), [1, 0, 0, ''])
  const conflicts: [line: Line, field: string][] = [
    [{ ...first, cashPerShare: '3' }, 'options'],
    [{ ...first, payDate: '2099-02-28' }, 'payDate'],
    [{ ...first, amends: 'NOSUCH' }, 'amends'],
    [{ ...first, externalId: line.externalId }, 'amends'],
    [{ ...line, externalId: first.externalId }, 'amends'],
    [{ ...cancel, externalId: first.externalId }, 'cancelType'],
    [{ ...line, cashPerShare: '2' }, 'options'],
  ]
  const others = await announcedDividend()
  conflicts.push([{ ...others.amending, externalId: first.externalId, cashPerShare: '2' }, 'amends'])
  for (const [sent, field] of conflicts)
    assert.deepEqual(await answers(sent), [0, 0, 1, `ERR.2018 ${field}`], JSON.stringify(sent))
  assert.deepEqual(await answers(cancel), [1, 0, 0, ''])
  assert.deepEqual(await answers({ ...first, externalId: cancel.externalId }), [0, 0, 1, 'ERR.2018 amends'])
  // Lines of before the cancel are still repeats.
  assert.deepEqual(await answers(line, first, cancel), [0, 3, 0, ''])
})

test('the list has the version, its time and load, and what each amendment changed', async () => {
  const { line } = await announcedDividend()
  const { symbol } = line
  const original = await actionOf(line.externalId)
  assert.deepEqual([original.version, original.amendedOn, original.amendments], [1, null, []])
  const choice = {
    ...{ type: 'Dividend', symbol, recordDate: '2026-02-13', payDate: '2099-03-02', deadline: '2099-02-27' },
    options: [
      { option: 'Cash', cashPerShare: '1.5' },
      { option: 'Shares', type: 'StockDividend', ratio: '1:20' },
    ],
    defaultOption: 'Cash',
  }
  const first = await amended(line.externalId, {
    ...dividend,
    symbol,
    cashPerShare: '1.5',
    recordDate: '2026-02-17',
  })
  const second = await amended(line.externalId, choice)
  const action = await actionOf(line.externalId)
  assert.deepEqual(
    [action.version, action.amendedOn, action.announcedOn, action.payDate, action.bookedOn, action.deadline],
    [3, action.amendments[1]?.amendedOn, original.announcedOn, '2099-03-02', '2099-03-02', '2099-02-27'],
  )
  assert.deepEqual(
    action.amendments.map(({ externalId, version, changes }) => [
      externalId,
      version,
      changes.map(({ option, field, from, to }) => `${option} ${field} ${from}>${to}`),
    ]),
    [
      [
        first,
        2,
        [
          ' recordDate 2026-02-13>2026-02-17',
          ' exDate 2026-02-13>2026-02-17',
          'Mandatory cashPerShare 1>1.5',
        ],
      ],
      [
        second,
        3,
        [
          ' recordDate 2026-02-17>2026-02-13',
          ' exDate 2026-02-17>2026-02-13',
          ' payDate 2099-02-27>2099-03-02',
          ' deadline >2099-02-27',
          ' defaultOption Mandatory>Cash',
          'Mandatory type Dividend>',
          'Mandatory cashPerShare 1.5>',
          'Cash type >Dividend',
          'Cash cashPerShare >1.5',
          'Shares type >StockDividend',
          'Shares ratio >1:20',
        ],
      ],
    ],
  )
  const { data } = await service.operations.operations.listLoads({ kind: 'load-corporate-actions' })
  assert.equal(
    action.amendments.every(({ loadId }) => data.loads.some((load) => load.loadId === loadId)),
    true,
  )
  const { rows } = await service.query(
    `select detail::jsonb as detail from clearing.audit where action = 'amend-corporate-action' and target = '${line.externalId}' order by sequence`,
  )
  assert.deepEqual(
    rows.map(({ detail }) => [detail.by, detail.version, detail.changes.length]),
    [
      [first, 2, 3],
      [second, 3, 11],
    ],
  )
})

test('an amendment to the terms of another announcement is refused until that one is cancelled', async () => {
  const { line, amending } = await announcedDividend()
  const other = { ...line, externalId: `${line.externalId}-other`, cashPerShare: '2' }
  assert.deepEqual(await answers(other), [1, 0, 0, ''])
  const same = { ...amending, cashPerShare: '2' }
  assert.deepEqual(await answers(same), [0, 0, 0, 'ERR.2050 externalId'])
  const cancel = { externalId: `${line.externalId}-cancel`, cancelType: 'C', tagNo: other.externalId }
  assert.deepEqual(await answers(cancel, same), [2, 0, 0, ''])
})

test('an amendment in CSV', async () => {
  const { symbol, line } = await announcedDividend()
  const csv = [
    'externalId,amends,type,symbol,recordDate,payDate,cashPerShare',
    `${symbol}-A,${line.externalId},Dividend,${symbol},2026-02-13,2099-02-27,2.5`,
  ].join('\n')
  const { data } = await service.operations.operations.loadCorporateActions({ lines: { csv } })
  assert.deepEqual([data.accepted, data.rejects], [1, []])
  await workIsDone()
  assert.equal((await actionOf(line.externalId)).options[0]?.cashPerShare, '2.5')
})
