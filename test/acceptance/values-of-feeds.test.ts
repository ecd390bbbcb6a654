/** Values of a feed that state one fact in two ways, in the record of the line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldIndexOf, packRecord, splitRecord, viewsAt } from '../../server/src/books/activity-record.ts'
import { activityOf, buy, type Line, load, newAccount, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

async function send(...ndjson: Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson } })).data
}
async function viewsIn(accountNumber: string) {
  const activity = await activityOf(accountNumber)
  return activity.map(({ activityTypeViews, activityTypeViewsList }) => [
    activityTypeViews,
    activityTypeViewsList,
  ])
}

test('views that are given as a text or as a list are in the record in both forms', async () => {
  const account = await newAccount()
  const lines = [
    buy(account, 'AAA', 1, '5', { activityTypeViews: 'A, B' }),
    buy(account, 'AAA', 1, '5', { activityTypeViewsList: ['A', 'B'] }),
    buy(account, 'AAA', 1, '5', { activityTypeViews: 'A', activityTypeViewsList: ['B'] }),
    buy(account, 'AAA', 1, '5', { activityTypeViewsList: [] }),
    buy(account, 'AAA', 1, '5'),
  ]
  await load(...lines)
  assert.deepEqual(await viewsIn(account), [
    ['A, B', ['A', 'B']],
    ['A,B', ['A', 'B']],
    ['A', ['B']],
    ['Trade', []],
    ['Trade', ['Trade']],
  ])
  assert.equal((await send(...lines)).duplicates, lines.length)
  const conflicting = [
    { ...lines[0], activityTypeViews: 'A' },
    { ...lines[1], activityTypeViewsList: ['A'] },
    { ...lines[2], activityTypeViewsList: undefined },
  ]
  const { conflicts, rejects } = await send(...conflicting)
  assert.equal(conflicts, 3)
  assert.ok(rejects.every(({ field }) => field.startsWith('activityTypeViews')))
})

test('views that an earlier release stored in one form are answered as before, and sent again are duplicates', async () => {
  const account = await newAccount()
  const asText = buy(account, 'AAA', 1, '5', { activityTypeViews: 'A,B' })
  const asList = buy(account, 'AAA', 1, '5', { activityTypeViewsList: ['A', 'B'] })
  await load(asText, asList)
  for (const [sent, at, text] of [
    [asText, viewsAt, ''],
    [asList, fieldIndexOf('activityTypeViews'), 'Trade'],
  ] as const) {
    const of = [sent.externalId]
    const { rows } = await service.query('select record from clearing.activity where external_id = $1', of)
    const values = splitRecord(rows[0].record)
    values[at] = text
    const record = packRecord(values)
    await service.query('update clearing.activity set record = $2 where external_id = $1', [...of, record])
  }
  assert.deepEqual(await viewsIn(account), [
    ['A,B', ['Trade']],
    ['Trade', ['A', 'B']],
  ])
  assert.equal((await send(asText, asList)).duplicates, 2)
})
