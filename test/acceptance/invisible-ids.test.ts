/** A new line has an id that can be seen. A stored line keeps the id that an earlier release accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, line, load, newAccount, proves, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

async function send(...ndjson: Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } })
  const { accepted, duplicates, rejects } = data
  return [accepted, duplicates, rejects.map(({ code, field }) => `${code} ${field}`)]
}

test('an id with a character that cannot be seen is rejected for a new line only', async () => {
  const account = await newAccount()
  const deposit = (fields: Line) =>
    line(account, { transType: 'Deposit', netAmount: '5', tradeDate: '2025-03-05', ...fields })
  const sent = deposit({ externalId: 'SEEN-1' })
  await load(sent)
  assert.deepEqual(await send(deposit({ externalId: 'SEEN-1\u200b' })), [0, 0, ['ERR.1016 externalId']])
  assert.deepEqual(await send(deposit({ orderId: 'O\ufe0f' })), [0, 0, ['ERR.1016 orderId']])
  assert.deepEqual(await send(sent), [0, 1, []])
  await proves(account)
})
