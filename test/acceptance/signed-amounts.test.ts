/**
 * One signed amount. Cash into the account is positive, a feed's contradicting sign is refused, a cancel returns the
 * reversed amount, and the netAmounts of all activity sum to the cash of the account.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'AAA', secTypeName: 'Common Stock' },
        { symbol: 'BBB', secTypeName: 'Common Stock' },
        { symbol: 'EUR1', currency: 'EUR', secTypeName: 'Common Stock' },
        { symbol: 'YEN1', currency: 'JPY', secTypeName: 'Common Stock' },
        { symbol: 'BOND', couponRate: '5', maturityDate: '2040-01-01' },
      ],
    },
  })
  assert.equal(data.accepted, 5)
})
after(() => service?.stop())

type Line = Record<string, unknown>
function newAccount() {
  return openAndFollow(service.alpha, marginApplication())
}
let ids = 0
function line(acctNo: string, transType: string, fields: Line): Line {
  ids += 1
  return { externalId: `S${ids}`, acctNo, transType, tradeDate: '2025-03-03', ...fields }
}
function trade(
  acctNo: string,
  buySell: string,
  symbol: string,
  traded: Line & { quantity: string; price: string },
) {
  return line(acctNo, 'Trade', { buySell, symbol, ...traded })
}
async function load(...lines: Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson: lines } })).data
}
async function loadAll(...lines: Line[]) {
  const data = await load(...lines)
  assert.deepEqual(data.rejects, [])
}
function cancelOf(original: Line, more: Line = {}): Line {
  return {
    externalId: `${original.externalId}-C`,
    acctNo: original.acctNo,
    cancelType: 'C',
    tagNo: original.externalId,
    ...more,
  }
}

async function activityOf(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2025-01-01', dateTo: '2029-12-31' }
  const trades = await service.alpha.tradeActivity(range)
  const others = await service.alpha.nonTradeActivity(range)
  return [...trades.data.activity, ...others.data.activity]
}
async function sumsOf(accountNumber: string) {
  const sums: Record<string, number> = {}
  for (const { currency, netAmount } of await activityOf(accountNumber))
    sums[currency] = (sums[currency] ?? 0) + Math.round(Number(netAmount) * 100)
  return sums
}
/** The netAmounts sum to the cash, and the books verify. */
async function isCash(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  assert.equal((await sumsOf(accountNumber)).USD ?? 0, Math.round(Number(data.totalCashUsdOnly) * 100))
  const { data: proof } = await service.operations.operations.verifyBooks({ accountNumber })
  assert.deepEqual(proof.breaks, [])
}

describe('a sign that contradicts the kind of line', () => {
  const cases: readonly (readonly [transType: string, fields: Line, reason: RegExp])[] = [
    ['Deposit', { netAmount: '-100' }, /DepositReturn/],
    ['Withdrawal', { netAmount: '100' }, /WithdrawalReturn/],
    ['Fee', { netAmount: '5' }, /FeeRefund/],
    ['Tax', { netAmount: 5.25 }, /TaxRefund/],
    ['FeeRefund', { netAmount: '-5' }, /Fee/],
    ['Trade', { buySell: 'BUY', symbol: 'AAA', quantity: '1', price: '50', netAmount: '50' }, /-50\.00/],
    [
      'Trade',
      { buySell: 'SEL', symbol: 'AAA', quantity: '1', price: '50', secFee: '0', netAmount: '-50' },
      /50\.00/,
    ],
    ['Trade', { buySell: 'BUY', symbol: 'AAA', quantity: '1', netAmount: '50' }, /must not be positive/],
    ['Split', { symbol: 'AAA', ratio: '2:1', netAmount: '3' }, /cashInLieu/],
  ]
  for (const [transType, fields, reason] of cases) {
    test(`is refused: ${transType} of ${fields.netAmount}`, async () => {
      const account = await newAccount()
      const data = await load(line(account, 'Deposit', { netAmount: '7' }), line(account, transType, fields))
      assert.deepEqual(
        data.rejects.map((reject) => [reject.line, reject.code, reject.field]),
        [[2, 'ERR.1015', 'netAmount']],
      )
      assert.match(data.rejects[0]?.reason ?? '', reason)
      assert.deepEqual(await sumsOf(account), { USD: 700 })
    })
  }

  test('is refused for an issuer’s payment, according to the position', async () => {
    const [long, short] = [await newAccount(), await newAccount()]
    await loadAll(
      trade(long, 'BUY', 'AAA', { quantity: '10', price: '5' }),
      trade(short, 'SSL', 'AAA', { quantity: '10', price: '5', acctType: '3', secFee: '0' }),
    )
    const paid = (account: string, netAmount: string, acctType: string) =>
      line(account, 'ReturnOfCapital', { symbol: 'AAA', netAmount, acctType, tradeDate: '2025-03-10' })
    const data = await load(
      paid(long, '-3', '1'),
      paid(long, '3', '1'),
      paid(short, '3', '3'),
      paid(short, '-3', '3'),
    )
    assert.deepEqual(
      data.rejects.map((reject) => [reject.line, reject.field, /is (long|short)/.exec(reject.reason)?.[1]]),
      [
        [1, 'netAmount', 'long'],
        [3, 'netAmount', 'short'],
      ],
    )
    assert.deepEqual([await sumsOf(long), await sumsOf(short)], [{ USD: -4_700 }, { USD: 4_700 }])
    await isCash(long)
    await isCash(short)
  })
})

test('a dividend in dollars of a security in yen keeps its cents', async () => {
  const account = await newAccount()
  const paid = { symbol: 'YEN1', currency: 'USD' }
  await loadAll(
    line(account, 'Dividend', { ...paid, netAmount: '12.34' }),
    line(account, 'Dividend', { ...paid, cashPerShare: '0.125', quantity: '3' }),
  )
  assert.deepEqual(await sumsOf(account), { USD: 1_272 })
  await isCash(account)
})

test('the opposite direction has its own kinds of line', async () => {
  const account = await newAccount()
  await loadAll(
    line(account, 'Deposit', { netAmount: '100' }),
    line(account, 'DepositReturn', { netAmount: '-100' }),
    line(account, 'Withdrawal', { netAmount: '-40' }),
    line(account, 'WithdrawalReturn', { netAmount: '40' }),
    line(account, 'Fee', { netAmount: '-5' }),
    line(account, 'FeeRefund', { netAmount: '3' }),
    line(account, 'Tax', { netAmount: '-2' }),
    line(account, 'TaxRefund', { netAmount: '1.50' }),
  )
  assert.deepEqual(
    (await activityOf(account)).map(({ transType, netAmount }) => `${transType} ${netAmount}`),
    [
      ...['Deposit 100', 'DepositReturn -100', 'Withdrawal -40', 'WithdrawalReturn 40'],
      ...['Fee -5', 'FeeRefund 3', 'Tax -2', 'TaxRefund 1.50'],
    ],
  )
  assert.deepEqual(await sumsOf(account), { USD: -250 })
  await isCash(account)
})

describe('a cancel', () => {
  test('that names no security has the one of its original in its record', async () => {
    const account = await newAccount()
    const bought = trade(account, 'BUY', 'AAA', { quantity: '10', price: '50' })
    const sold = trade(account, 'SEL', 'AAA', { quantity: '10', price: '51', secFee: '0' })
    await loadAll(bought)
    // Of a line in the books, and of a line of the same load.
    await loadAll(cancelOf(bought), sold, cancelOf(sold))
    const records = await activityOf(account)
    assert.deepEqual(
      records.map(({ tranId, symbol, description }) => [tranId, symbol, description]),
      records.map(({ tranId }) => [tranId, 'AAA', records[0]?.description]),
    )
    assert.ok(records.every(({ secNo }) => secNo !== '' && secNo === records[0]?.secNo))
    const again = await load(cancelOf(bought), cancelOf(sold))
    assert.deepEqual([again.duplicates, again.conflicts], [2, 0])
  })

  test('returns what it reversed: quantity and netAmount of its original with the other sign', async () => {
    const account = await newAccount()
    const bought = trade(account, 'BUY', 'AAA', {
      quantity: '100',
      price: '50',
      commission: '5',
      acctType: '2',
    })
    const sold = trade(account, 'SEL', 'AAA', {
      quantity: '-40',
      price: '51',
      netAmount: '2040.00',
      secFee: '0',
      acctType: '2',
    })
    const split = line(account, 'Split', {
      symbol: 'AAA',
      ratio: '3:2',
      cashInLieu: '0',
      acctType: '2',
      tradeDate: '2025-03-04',
    })
    const paid = line(account, 'ReturnOfCapital', {
      symbol: 'AAA',
      cashPerShare: '0.10',
      acctType: '2',
      tradeDate: '2025-03-05',
    })
    const fee = line(account, 'Fee', { netAmount: '-12.345' })
    await loadAll(bought, sold, split, paid, fee)
    await loadAll(
      cancelOf(paid),
      cancelOf(fee),
      cancelOf(sold, { quantity: '40', price: '51' }),
      cancelOf(bought),
    )
    const shown = (await activityOf(account)).map(
      ({ tranId, transType, quantity, netAmount, price, acctType }) => ({
        line: `${tranId} ${transType}`,
        amounts: [quantity, netAmount, price, acctType],
      }),
    )
    const amountsOf = (name: string) =>
      shown.filter((each) => each.line === name).map(({ amounts }) => amounts)
    assert.deepEqual(amountsOf('T Trade'), [
      ['100', '-5005', '50', '2'],
      ['-40', '2040.00', '51', '2'],
    ])
    assert.deepEqual(amountsOf('C Trade'), [
      ['40', '-2040.00', '51', '2'],
      ['-100', '5005', '50', '2'],
    ])
    assert.deepEqual(
      [...amountsOf('N ReturnOfCapital'), ...amountsOf('C ReturnOfCapital')].map(
        ([, netAmount]) => netAmount,
      ),
      // 60 of 100 are left after the sale, 90 after the split.
      ['9', '-9'],
    )
    assert.deepEqual(
      [...amountsOf('N Fee'), ...amountsOf('C Fee')].map(([, netAmount]) => netAmount),
      ['-12.35', '12.35'],
    )
    assert.deepEqual(await sumsOf(account), { USD: 0 })
    await isCash(account)
  })

  const others: readonly (readonly [what: string, facts: Line, field: string])[] = [
    ['quantity', { quantity: '99' }, 'quantity'],
    ['price', { price: '50.01' }, 'price'],
    ['security', { symbol: 'BBB' }, 'symbol'],
    ['currency', { currency: 'EUR' }, 'currency'],
    ['amount', { netAmount: '5006' }, 'netAmount'],
    ['side', { buySell: 'SEL' }, 'buySell'],
  ]
  for (const [what, facts, field] of others) {
    test(`with another ${what} than its original is refused, in the same load and in a later one`, async () => {
      const account = await newAccount()
      const bought = trade(account, 'BUY', 'AAA', { quantity: '100', price: '50', commission: '5' })
      const wrong = cancelOf(bought, facts)
      for (const lines of [[bought, wrong], [wrong]]) {
        const data = await load(...lines)
        assert.deepEqual(
          data.rejects.map((reject) => [reject.line, reject.code, reject.field]),
          [[lines.length, 'ERR.1015', field]],
        )
      }
      assert.deepEqual(await sumsOf(account), { USD: -500_500 })
      await isCash(account)
    })
  }

  test('that comes before its original, reverses nothing, or reverses twice, returns its actual effect', async () => {
    const account = await newAccount()
    const late = trade(account, 'BUY', 'AAA', { quantity: '10', price: '7' })
    const whole = { ...late, ...cancelOf(late) }
    await loadAll(line(account, 'Deposit', { netAmount: '1' }), whole)
    const ofCancels = async () =>
      (await activityOf(account))
        .filter(({ tranId }) => tranId === 'C')
        .map(({ netAmount, quantity, cancelStatus }) => [netAmount, quantity, cancelStatus])
    assert.deepEqual(await ofCancels(), [['0', '0', 'NoEffect']])
    await isCash(account)
    await loadAll(late)
    assert.deepEqual(await ofCancels(), [['70', '-10', '']])
    await isCash(account)
    await loadAll(
      cancelOf(late, { externalId: 'TWICE' }),
      cancelOf(whole, { externalId: 'OF A CANCEL', tagNo: whole.externalId }),
    )
    assert.deepEqual(await ofCancels(), [
      ['70', '-10', ''],
      ['0', '0', 'NoEffect'],
      ['0', '0', 'NoEffect'],
    ])
    assert.deepEqual(
      (await activityOf(account)).map(({ quantity, cancelStatus }) => [quantity, cancelStatus]).slice(0, 2),
      [
        ['-10', ''],
        ['10', 'Cancelled'],
      ],
    )
    assert.deepEqual(await sumsOf(account), { USD: 100 })
    await isCash(account)
  })

  test('that came before its original and gave another quantity is a break', async () => {
    const account = await newAccount()
    const late = trade(account, 'BUY', 'AAA', { quantity: '10', price: '7' })
    await loadAll({ ...late, ...cancelOf(late), quantity: '11' })
    await loadAll(late)
    const { data } = await service.operations.operations.listBreaks({ accountNumber: account })
    assert.deepEqual(
      data.breaks.map(({ kind }) => kind),
      ['CancelDisagrees'],
    )
    await isCash(account)
  })
})

test('the sum is the cash after corporate actions, late lines and corrections in two currencies', async () => {
  const account = await newAccount()
  const euro = { currency: 'EUR' }
  const bought = trade(account, 'BUY', 'BBB', { quantity: '30', price: '10', tradeDate: '2025-03-01' })
  await loadAll(
    line(account, 'Deposit', { netAmount: '10000' }),
    line(account, 'Deposit', { netAmount: '5000.555', ...euro }),
    trade(account, 'BUY', 'EUR1', { quantity: '10', price: '90.125', commission: '3.005' }),
    trade(account, 'SSL', 'AAA', { quantity: '50', price: '20', acctType: '3' }),
    line(account, 'Dividend', { symbol: 'AAA', netAmount: '-25', acctType: '3', tradeDate: '2025-03-20' }),
    line(account, 'Interest', { netAmount: '-3.10', tradeDate: '2025-03-21' }),
    bought,
    line(account, 'Merger', {
      ...{
        symbol: 'BBB',
        toSymbol: 'AAA',
        ratio: '1:4',
        cashPerShare: '1.5',
        cashInLieu: '9.99',
        tradeDate: '2025-04-01',
      },
    }),
    line(account, 'TransferIn', { symbol: 'BOND', quantity: '10000', cost: '9800' }),
    line(account, 'Redemption', {
      symbol: 'BOND',
      quantity: '4000',
      interest: '12.34',
      tradeDate: '2025-04-02',
    }),
  )
  await isCash(account)
  // Late: the merger now exchanges more shares, for more cash.
  await loadAll(trade(account, 'BUY', 'BBB', { quantity: '8', price: '11', tradeDate: '2025-02-03' }))
  await isCash(account)
  await loadAll(cancelOf(bought), {
    ...bought,
    externalId: 'REBILLED',
    rebill: 'Y',
    tagNo: bought.externalId,
    quantity: '25',
  })
  await isCash(account)
  assert.equal((await sumsOf(account)).EUR, 500_056 - 90_125 - 301)
})

test('verify-books finds activity that does not add up to the cash', async () => {
  const account = await newAccount()
  await loadAll(line(account, 'Deposit', { netAmount: '25' }))
  await service.query(`update clearing.cash_balance set amount = 26 where account_number = '${account}'`)
  const { data } = await service.operations.operations.verifyBooks({ accountNumber: account })
  const found = data.breaks.filter(({ kind }) => kind === 'Activity').map(({ reason }) => reason)
  assert.deepEqual(found, ['The netAmounts of its activity sum to 25 USD, its cash is 26.'])
})
