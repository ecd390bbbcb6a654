/**
 * A line of a feed whose marks (`cancel`, `cancelStatus`, `rebillStatus`, `tranId`) contradict what the line is, is
 * rejected. Only cancelType and rebill make a line a correction.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { fieldIndexOf, packRecord, splitRecord } from '../../server/src/books/activity-record.ts'
import {
  activityOf,
  buy,
  held,
  type Line,
  line,
  load,
  newAccount,
  proves,
  service,
  startBeforeTests,
} from './booked-lines.ts'

startBeforeTests()

async function send(lines: { readonly ndjson: readonly Line[] } | { readonly csv: string }) {
  return (await service.operations.operations.loadActivity({ lines })).data
}
function counts({ accepted, duplicates, conflicts, rejected }: Awaited<ReturnType<typeof send>>) {
  return { accepted, duplicates, conflicts, rejected }
}
const oneRejected = { accepted: 0, duplicates: 0, conflicts: 0, rejected: 1 }
const oneDuplicate = { accepted: 0, duplicates: 1, conflicts: 0, rejected: 0 }

/** Stores a mark in the record of a line as an earlier release did, which stored what the feed gave. */
async function storeMark(externalId: string, name: string, text: string) {
  const of = [externalId]
  const { rows } = await service.query('select record from clearing.activity where external_id = $1', of)
  const values = splitRecord(rows[0].record)
  values[fieldIndexOf(name)] = text
  await service.query('update clearing.activity set record = $2 where external_id = $1', [
    externalId,
    packRecord(values),
  ])
}

describe('a line whose mark contradicts it', () => {
  const toCancel = /To cancel a line, send cancelType C and its externalId as tagNo\.$/
  const toRebill = /To rebill a line, send rebill Y and its externalId as tagNo\.$/
  const leaveOut = /Leave it out\.$/
  const cancels = { cancelType: 'C' }
  const rebills = { rebill: 'Y' }
  const contradictions: readonly (readonly [kind: Line, marks: Line, reason: RegExp])[] = [
    [{}, { cancel: 'Y' }, toCancel],
    [{}, { cancel: 'y' }, toCancel],
    [{}, { cancel: 'C' }, toCancel],
    [{}, { cancel: 'X' }, toCancel],
    [{}, { tranId: 'C' }, toCancel],
    [{}, { cancelStatus: 'Cancelled' }, toCancel],
    [{}, { cancelStatus: 'Open' }, toCancel],
    [{}, { rebillStatus: 'R' }, toRebill],
    [{}, { rebillStatus: 'X' }, toRebill],
    [{}, { tranId: 'R' }, toRebill],
    [{ rebill: 'N' }, { tranId: 'R' }, toRebill],
    [rebills, { cancel: 'Y' }, toCancel],
    [rebills, { tranId: 'C' }, toCancel],
    [rebills, { tranId: 'T' }, leaveOut],
    [cancels, { cancel: 'N' }, leaveOut],
    [cancels, { tranId: 'T' }, leaveOut],
    [cancels, { tranId: 'R' }, leaveOut],
    [cancels, { rebillStatus: 'R' }, leaveOut],
  ]
  test('is rejected with its number and what to send, in NDJSON and in CSV', async () => {
    const account = await newAccount()
    const original = buy(account, 'AAA', 100, '12')
    await load(original)
    for (const [kind, marks, reason] of contradictions) {
      const sent: Line = buy(account, 'AAA', 100, '12', { tagNo: original.externalId, ...kind, ...marks })
      const csv = `${Object.keys(sent).join(',')}\n${Object.values(sent).join(',')}\n`
      for (const [lines, number] of [
        [{ ndjson: [sent] }, 1],
        [{ csv }, 2],
      ] as const) {
        const data = await send(lines)
        const what = JSON.stringify([kind, marks])
        assert.deepEqual(counts(data), oneRejected, what)
        const [rejected] = data.rejects
        const [field] = Object.keys(marks)
        assert.deepEqual([rejected?.line, rejected?.code, rejected?.field], [number, 'ERR.1015', field], what)
        assert.match(rejected?.reason ?? '', reason)
      }
    }
    assert.deepEqual(await held(account), [['AAA', 100, 1200]])
  })

  test('names each mark that contradicts it, and does not hold the lines beside it', async () => {
    const account = await newAccount()
    const wrong = buy(account, 'AAA', 100, '12', { cancel: 'Y', tranId: 'C' })
    // The corrected line may follow in the same file.
    const right = { ...wrong, cancel: 'N', tranId: 'T' }
    const data = await send({ ndjson: [wrong, right, buy(account, 'BBB', 1, '30')] })
    assert.deepEqual(counts(data), { accepted: 2, duplicates: 0, conflicts: 0, rejected: 1 })
    assert.deepEqual(
      data.rejects.map((reject) => [reject.line, reject.field]),
      [
        [1, 'cancel'],
        [1, 'tranId'],
      ],
    )
    assert.deepEqual(await held(account), [
      ['AAA', 100, 1200],
      ['BBB', 1, 30],
    ])
  })

  test('is rejected before it waits for its day', async () => {
    const account = await newAccount()
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    const tradeDate = addMarketDays(businessDate, 1)
    const data = await send({ ndjson: [buy(account, 'AAA', 1, '12', { tradeDate, cancel: 'Y' })] })
    assert.deepEqual(counts(data), oneRejected)
    const { data: pending } = await service.alpha.listPendingLines({ accountNumber: account })
    assert.deepEqual(pending.lines, [])
  })
})

test('marks that agree with the line are accepted, and the record has those of the service', async () => {
  const account = await newAccount()
  const wrong = buy(account, 'AAA', 100, '12', { cancel: 'N', tranId: 'T', rebillStatus: 'N' })
  const tagNo = wrong.externalId
  const cancel = { cancelType: 'C', tagNo, cancel: 'C', cancelStatus: 'Cancelled', tranId: 'C' }
  const lines = [
    wrong,
    line(account, cancel),
    buy(account, 'AAA', 90, '12', { rebill: 'Y', tagNo, rebillStatus: 'R', tranId: 'R', cancel: 'n' }),
    buy(account, 'BBB', 1, '30', { tranId: 'X', cancelStatus: 'N' }),
  ]
  await load(...lines)
  assert.deepEqual(await held(account), [
    ['AAA', 90, 1080],
    ['BBB', 1, 30],
  ])
  assert.deepEqual(
    (await activityOf(account)).map((record) => [
      record.cancel,
      record.cancelType,
      record.cancelStatus,
      record.rebill,
      record.rebillStatus,
      record.tranId,
    ]),
    [
      ['N', '', 'Cancelled', 'N', 'R', 'T'],
      ['Y', 'C', '', 'N', '', 'C'],
      ['N', '', '', 'Y', '', 'R'],
      ['N', '', '', 'N', '', 'X'],
    ],
  )
  assert.deepEqual(counts(await send({ ndjson: lines })), {
    accepted: 0,
    duplicates: 4,
    conflicts: 0,
    rejected: 0,
  })
  await proves(account)
})

describe('a stored line of an earlier release', () => {
  const kept: readonly (readonly [kind: Line, mark: string, text: string])[] = [
    [{}, 'cancel', 'Y'],
    [{}, 'cancel', 'X'],
    [{}, 'cancelStatus', 'Cancelled'],
    [{}, 'rebillStatus', 'R'],
    [{}, 'tranId', 'C'],
    [{ cancelType: 'C' }, 'cancel', 'N'],
    [{ cancelType: 'C' }, 'cancel', 'C'],
    [{ cancelType: 'C' }, 'cancelStatus', 'Cancelled'],
    [{ cancelType: 'C' }, 'tranId', 'T'],
  ]
  test('that is sent again with its mark is a duplicate, and answers the mark as before', async () => {
    for (const [kind, mark, text] of kept) {
      const account = await newAccount()
      const original = buy(account, 'AAA', 100, '12')
      const sent: Line = buy(account, 'AAA', 100, '12', { tagNo: original.externalId, ...kind })
      await load(original, sent)
      await storeMark(String(sent.externalId), mark, text)
      const what = JSON.stringify([kind, mark, text])
      assert.deepEqual(counts(await send({ ndjson: [{ ...sent, [mark]: text }] })), oneDuplicate, what)
      const record = (await activityOf(account)).find(({ externalId }) => externalId === sent.externalId)
      assert.equal(record?.[mark as 'cancel'], text)
    }
  })

  test('without a mark is a conflict if it is sent again with a mark that contradicts it', async () => {
    const account = await newAccount()
    const sent = buy(account, 'AAA', 100, '12')
    await load(sent)
    for (const [mark, text] of [
      ['cancel', 'Y'],
      ['cancelStatus', 'Cancelled'],
      ['rebillStatus', 'R'],
      ['tranId', 'C'],
    ] as const) {
      const data = await send({ ndjson: [{ ...sent, [mark]: text }] })
      assert.deepEqual(
        [data.conflicts, data.rejects.map(({ code, field }) => [code, field])],
        [1, [['ERR.2018', mark]]],
      )
    }
  })

  test('that waits is a duplicate if it is sent again, and is rejected on its day', async () => {
    const account = await newAccount()
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    const tradeDate = addMarketDays(businessDate, 1)
    const sent = buy(account, 'AAA', 1, '12', { tradeDate })
    await load(sent)
    await service.query(
      `update clearing.pending_line set content = (content::jsonb || '{"cancel":"Y"}')::text where external_id = $1`,
      [sent.externalId],
    )
    assert.deepEqual(counts(await send({ ndjson: [{ ...sent, cancel: 'Y' }] })), oneDuplicate)
    await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
    assert.deepEqual(await held(account), [])
    const { loads } = (await service.operations.operations.listLoads({})).data
    const posted = loads.find(({ rejected }) => rejected > 0)
    const { data } = await service.operations.operations.getLoad({ loadId: posted?.loadId ?? '' })
    assert.deepEqual(
      data.rejects.map(({ field, sent: text }) => [field, JSON.parse(text).externalId]),
      [['cancel', sent.externalId]],
    )
  })
})
