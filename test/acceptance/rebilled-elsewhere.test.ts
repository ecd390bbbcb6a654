/** A trade that was booked in the wrong account is cancelled there and rebilled in the right one, in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationOf } from './applications.ts'
import {
  buy,
  held,
  kindsOf,
  type Line,
  line,
  load,
  newAccount,
  proves,
  service,
  startBeforeTests,
} from './booked-lines.ts'
import { openAndFollow } from './calling.ts'

startBeforeTests()

async function booking() {
  const [wrong, right] = [await newAccount(), await newAccount()]
  const trade = buy(wrong, 'AAA', 100, '10')
  const tagNo = trade.externalId
  const cancel = line(wrong, { cancelType: 'C', tagNo, ...fieldsOf(trade) })
  const rebill = buy(right, 'AAA', 100, '10', { rebill: 'Y', tagNo })
  return { wrong, right, trade, cancel, rebill }
}
function fieldsOf({ transType, buySell, symbol, quantity, price }: Line): Line {
  return { transType, buySell, symbol, quantity, price }
}
function lateLine(account: string) {
  return buy(account, 'AAA', 1, '10', { tradeDate: '2025-01-06' })
}
async function isMoved({ wrong, right }: { wrong: string; right: string }, more = 0) {
  assert.deepEqual(await held(wrong), [])
  assert.deepEqual(await held(right), [['AAA', 100 + more, 1_000 + 10 * more]])
  assert.deepEqual([await kindsOf(wrong), await kindsOf(right)], [[], []])
}

test('the rebill has no break, in one load or in three, nor when the account is folded again', async () => {
  const once = await booking()
  await load(once.trade, once.cancel, once.rebill)
  await isMoved(once)
  const first = await booking()
  await load(first.rebill, first.cancel, first.trade)
  await isMoved(first)
  const thrice = await booking()
  for (const one of [thrice.trade, thrice.cancel, thrice.rebill]) await load(one)
  await isMoved(thrice)
  await load(lateLine(thrice.right))
  await isMoved(thrice, 1)
  await proves(thrice.right)
})

test('a rebill that comes first has a break until the original and its cancel are there', async () => {
  const { wrong, right, trade, cancel, rebill } = await booking()
  await load(rebill)
  const [unknown = ''] = await kindsOf(right)
  assert.match(unknown, /^UnknownOriginal: Rebills a line that is not in the books/)
  await load(trade)
  assert.deepEqual(await kindsOf(right), [unknown])
  await load(cancel)
  await isMoved({ wrong, right })
})

test('a rebill of a line of another account that is not cancelled names the account until the cancel comes', async () => {
  const { wrong, right, trade, cancel, rebill } = await booking()
  await load(trade, rebill)
  const expected = `RebillWithoutCancel: Rebills a line of account ${wrong} that is not cancelled; both count. Load the cancel of the original, or cancel the rebill.`
  assert.deepEqual(await kindsOf(right), [expected])
  await load(lateLine(right))
  assert.deepEqual(await kindsOf(right), [expected])
  await load(cancel)
  await isMoved({ wrong, right }, 1)
  await load(lateLine(right))
  await isMoved({ wrong, right }, 2)
})

test('a rebill of a line of its own account that is not cancelled, and of a line of another firm, keep their breaks', async () => {
  const { wrong, trade, cancel } = await booking()
  const own = await newAccount()
  const bought = buy(own, 'AAA', 100, '10')
  await load(trade, bought, buy(own, 'AAA', 100, '10', { rebill: 'Y', tagNo: bought.externalId }))
  const other = await openAndFollow(
    service.beta,
    applicationOf({}, { entityNumber: '302', main: { repCode: 'BB01' } }),
  )
  await load(buy(other, 'AAA', 100, '10', { rebill: 'Y', tagNo: trade.externalId }))
  await load(cancel)
  assert.deepEqual(await kindsOf(wrong), [])
  assert.match((await kindsOf(own)).join(), /^RebillWithoutCancel: Rebills a line that is not cancelled/)
  assert.match((await kindsOf(other)).join(), /^UnknownOriginal/)
})
