/**
 * Margin is used by what makes or raises a debit: a purchase that the account's own cash pays does not use it, and a
 * withdrawal on credit does. The exercise of a call is a purchase.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import {
  buy,
  kindsOf,
  type Line,
  line,
  load,
  newAccount,
  proves,
  service,
  startBeforeTests,
} from './booked-lines.ts'

startBeforeTests(async () => {
  const option = { secTypeName: 'Option', strike: '40', expiration: '2037-12-18', underlying: 'AAA' }
  const lines = { ndjson: [{ symbol: 'AAA C40', putCall: 'Call', ...option }] }
  assert.deepEqual((await service.operations.operations.loadSecurities({ lines })).data.rejects, [])
})

function today() {
  return easternDay(new Date())
}
function cash(account: string, transType: string, netAmount: string, more: Line = {}) {
  return line(account, { transType, netAmount, acctType: '2', tradeDate: today(), ...more })
}
function shares(account: string, quantity: number, more: Line = {}) {
  return buy(account, 'AAA', quantity, '10', { acctType: '2', tradeDate: today(), ...more })
}
function restrict(accountNumber: string, restrictionCode: string) {
  const request = { accountNumber, restrictionCode, reason: 'A test.' }
  return service.operations.operations.placeRestriction(request)
}
/** An account with 10,000 in account type 2 and 1,000 shares of AAA. */
async function restricted(restrictionCode = 'NoMargin') {
  const account = await newAccount()
  const since = { tradeDate: '2025-03-03' }
  await load(cash(account, 'Deposit', '20000', since), shares(account, 1000, since))
  await restrict(account, restrictionCode)
  return account
}
async function suspended(account: string) {
  const found = await kindsOf(account)
  return found.flatMap((kind) => (kind.startsWith('Suspended: ') ? [kind.slice(11)] : [])).toSorted()
}

describe('while Margin is suspended', () => {
  test('a purchase in account type 2 uses it from the first cent that is not paid', async () => {
    const account = await restricted()
    await load(shares(account, 600), shares(account, 400))
    assert.deepEqual(await suspended(account), [])
    await load(cash(account, 'Deposit', '9.99'), shares(account, 1))
    assert.deepEqual(await suspended(account), ['Trade BUY while NoMargin suspended Margin.'])
    await proves(account)
  })

  test('a withdrawal, a transfer and a journal use it if they are on credit', async () => {
    for (const transType of ['Withdrawal', 'TransferOut', 'Journal']) {
      const account = await restricted()
      await load(cash(account, transType, '-10000'))
      assert.deepEqual(await suspended(account), [], transType)
      await load(cash(account, transType, '-0.01'))
      assert.deepEqual(await suspended(account), [`${transType} while NoMargin suspended Margin.`])
    }
    const both = await restricted('Sanctions')
    await load(cash(both, 'Withdrawal', '-10001'))
    assert.deepEqual(await suspended(both), ['Withdrawal while Sanctions suspended Withdrawals and Margin.'])
  })

  test('a loan that is journalled to account type 1 uses it, and a mark of a short position does not', async () => {
    const account = await restricted()
    await load(cash(account, 'Journal', '-10001'), cash(account, 'Journal', '10001', { acctType: '1' }))
    assert.deepEqual(await suspended(account), ['Journal while NoMargin suspended Margin.'])
    const marked = await restricted()
    await load(cash(marked, 'Withdrawal', '-10000'))
    await load(cash(marked, 'Journal', '-500'), cash(marked, 'Journal', '500', { acctType: '3' }))
    assert.deepEqual(await suspended(marked), [])
  })

  test('the proceeds of a short sale pay nothing, and a money-market fund pays', async () => {
    const short = { buySell: 'SSL', acctType: '3', tradeDate: '2025-03-04' }
    const account = await restricted()
    await load(shares(account, 500, short))
    await load(shares(account, 1001))
    assert.deepEqual(await suspended(account), ['Trade BUY while NoMargin suspended Margin.'])
    const swept = await restricted()
    const fund = { acctType: '2', tradeDate: today() }
    await load(buy(swept, 'MMF', 10000, '1', fund))
    await load(shares(swept, 1000))
    assert.deepEqual(await suspended(swept), [])
    await load(buy(swept, 'MMF', 10000, '1', { ...fund, buySell: 'SEL' }), cash(swept, 'Withdrawal', '-1'))
    assert.deepEqual(await suspended(swept), ['Withdrawal while NoMargin suspended Margin.'])
  })

  test('a short sale always uses it, and a line of the day before the restriction or a fee never', async () => {
    const account = await restricted()
    const before = { tradeDate: addDays(today(), -1) }
    await load(cash(account, 'Withdrawal', '-9000', before), shares(account, 1000, before))
    await load(cash(account, 'Fee', '-25'))
    assert.deepEqual(await suspended(account), [])
    await load(shares(account, 1, { buySell: 'SSL', acctType: '3' }))
    assert.deepEqual(await suspended(account), ['Trade SSL while NoMargin suspended Margin.'])
  })
})

describe('the exercise of a call', () => {
  function option(account: string, transType: string, quantity: string, more: Line = {}) {
    const call = { symbol: 'AAA C40', acctType: '2', tradeDate: today(), quantity }
    const trade = transType === 'Exercise' || transType === 'Assignment'
    return line(account, { transType, ...call, ...(trade && { toSymbol: 'AAA' }), ...more })
  }
  /** An account with two calls and 3,800 in cash. */
  async function holder(code: string) {
    const account = await newAccount()
    await load(
      cash(account, 'Deposit', '4000', { tradeDate: '2025-03-03' }),
      option(account, 'Trade', '2', { buySell: 'BUY', price: '1', tradeDate: '2025-03-03' }),
    )
    await restrict(account, code)
    return account
  }

  test('is a purchase, which uses margin if it is on credit', async () => {
    for (const [code, paid, onCredit] of [
      ['LiquidationOnly', 'Buying', 'Buying and Margin'],
      ['MissingTaxForm', 'Buying', 'Buying'],
      ['NoMargin', '', 'Margin'],
    ] as const) {
      const expected = (what: string) => (what === '' ? [] : [`Exercise while ${code} suspended ${what}.`])
      const account = await holder(code)
      await load(option(account, 'Exercise', '-1'))
      assert.deepEqual(await suspended(account), expected(onCredit), code)
      const rich = await holder(code)
      await load(cash(rich, 'Deposit', '200'), option(rich, 'Exercise', '-1'))
      assert.deepEqual(await suspended(rich), expected(paid), code)
    }
  })

  test('is not confused with an assignment, which is no act of the owner', async () => {
    const account = await newAccount()
    const written = { buySell: 'SSL', price: '1', tradeDate: '2025-03-03' }
    await load(option(account, 'Trade', '-1', written))
    await restrict(account, 'LiquidationOnly')
    await load(option(account, 'Assignment', '1'))
    assert.deepEqual(await suspended(account), [])
  })
})
