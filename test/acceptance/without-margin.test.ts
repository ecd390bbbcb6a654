/** Account types 2 and 3 of accounts without margin: figures of margin only for credit in fact, and one break. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf, marginApplication, newTaxId } from './applications.ts'
import { openAndFollow, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const symbol = 'NOMA'
let service: RunningService
before(async () => {
  service = await startRunningService()
  await operations().loadSecurities({ lines: { ndjson: [{ symbol, secTypeName: 'Common Stock' }] } })
  await operations().loadPrices({
    lines: {
      ndjson: [{ symbol, price: '20', priceType: 'LastClose', priceDate: '2026-01-02T21:00:00Z' }],
    },
  })
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
async function today() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function closeDay() {
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
}
function cashAccount() {
  return openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
}
let id = 0
type Line = Record<string, unknown>
function money(acctNo: string, acctType: string, netAmount: string, more: Line = {}): Line {
  const transType = netAmount.startsWith('-') ? 'Withdrawal' : 'Deposit'
  return {
    externalId: `NM-${++id}`,
    acctNo,
    acctType,
    transType,
    netAmount,
    tradeDate: '2026-11-02',
    ...more,
  }
}
function shares(acctNo: string, acctType: string, more: Line): Line {
  const tradeDate = '2026-11-02'
  return { externalId: `NM-${++id}`, acctNo, acctType, symbol, quantity: '10', tradeDate, ...more }
}
function trade(acctNo: string, acctType: string, buySell: string, more: Line = {}): Line {
  return shares(acctNo, acctType, { transType: 'Trade', buySell, price: '20', secFee: '0', ...more })
}
function cancelOf(line: Line): Line {
  return { ...line, externalId: `NM-${++id}`, cancelType: 'C', tagNo: line.externalId }
}
async function load(...ndjson: Line[]) {
  const { data } = await operations().loadActivity({ lines: { ndjson } } as never)
  assert.deepEqual(data.rejects, [])
}
async function breaksOf(accountNumber: string) {
  const { breaks } = (await operations().listBreaks({ accountNumber })).data
  return breaks.filter(({ kind }) => kind === 'NotEntitled').map(({ reason }) => reason.split(',')[0])
}
async function figuresOf(accountNumber: string, asOf?: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber, ...(asOf && { asOf }) })
  const { totalCash, freeCash, fundsAvailable, buyingPower, marginCashAvailable } = data
  const calls = [data.fedCallAmount, data.maintCallAmount, data.accumFedAmount]
  return [totalCash, freeCash, fundsAvailable, buyingPower, marginCashAvailable, ...calls].map(Number)
}
async function callsOf(accountNumber: string) {
  const { calls } = (await service.alpha.listCalls({ accountNumber, includeMet: true })).data
  return calls.map(({ kind, state, amount }) => `${kind} ${state} ${amount}`).sort()
}
async function interestOf(accountNumber: string) {
  const { interest } = (await service.alpha.listMarginInterest({ accountNumber, size: 100 })).data
  return interest.map(({ debit, interest: ofNights }) => [debit, ofNights])
}
async function accruedOf(accountNumber: string) {
  return (await service.alpha.balanceSummary({ accountNumber })).data.marginBalance.accruedMarginInterest
}
/** A margin agreement is approved, and margin is set. */
async function giveMargin(accountNumber: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'New Accounts Documents',
    reference: 'MRGN',
    file: { name: 'agreement.pdf', content: samplePdf() },
  })
  await operations().decideDocument({ accountNumber, documentId: data.documentId, decision: 'Approved' })
  await setMargin(accountNumber, 'true')
}
function setMargin(accountNumber: string, marginIndicator: string) {
  return operations().setEntitlements({ accountNumber, marginIndicator, reason: 'As the customer asked.' })
}

const notEmpty = 'Account types 2 and 3 are not empty'

async function place(accountNumber: string, restrictionCode: string) {
  const { data } = await operations().placeRestriction({
    accountNumber,
    restrictionCode,
    reason: 'As asked.',
  })
  return data.restriction?.restrictionId ?? ''
}

describe('a restricted account', () => {
  test('offers only what its restrictions leave, from the very next response until they end', async () => {
    const margin = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
    const cash = await cashAccount()
    await load(money(margin, '2', '100000'), money(cash, '1', '100000'))
    const table: [code: string, ofMargin: number[], ofCash: number[]][] = [
      // Free cash, available funds, buying power, cash available on margin; then by balance-summary: buying power
      // of stock, of options, within the day, and the amounts that can be withdrawn.
      ['ReturnedMail', [0, 0, 200_000, 0, 200_000, 100_000, 400_000, 0, 0], [0, 0, 100_000, 0]],
      ['NoMargin', [100_000, 100_000, 100_000, 0, 0, 0, 0, 100_000, 0], [100_000, 100_000, 100_000, 0]],
      ['NinetyDayCash', [100_000, 100_000, 100_000, 0, 0, 0, 0, 100_000, 0], [100_000, 100_000, 100_000, 0]],
      ['LiquidationOnly', [100_000, 100_000, 0, 0, 0, 0, 0, 100_000, 0], [100_000, 100_000, 0, 0]],
      ['MissingTaxForm', [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0]],
      [
        'NoOptionTrading',
        [100_000, 100_000, 200_000, 100_000, 200_000, 0, 400_000, 100_000, 100_000],
        [100_000, 100_000, 100_000, 0],
      ],
      ['Sanctions', [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0]],
    ]
    const ofPositions = async (accountNumber: string) => {
      const [totalCash, ...offered] = await figuresOf(accountNumber)
      assert.equal(totalCash, 100_000)
      return offered.slice(0, 4)
    }
    const ofBalances = async (accountNumber: string) => {
      const { data } = await service.alpha.balanceSummary({ accountNumber })
      assert.equal(Number(data.marginBalance.equity), 100_000)
      const powerOf = (name: string) =>
        data.buyingPowers.find(({ securityClass }) => securityClass === name)?.amount
      const { freeCash, marginCashAvailability } = data.availableWithdrawal
      const within = data.marginBalance.dayTradeBuyingPower
      return [powerOf('MarginSecurity'), powerOf('Option'), within, freeCash, marginCashAvailability].map(
        Number,
      )
    }
    const free = [await ofPositions(margin), await ofBalances(margin), await ofPositions(cash)]
    for (const [code, ofMargin, ofCash] of table) {
      const placed = [await place(margin, code), await place(cash, code)]
      assert.ok(placed.every((restrictionId) => restrictionId !== ''))
      assert.deepEqual([...(await ofPositions(margin)), ...(await ofBalances(margin))], ofMargin, code)
      assert.deepEqual(await ofPositions(cash), ofCash, code)
      for (const [at, accountNumber] of [margin, cash].entries()) {
        const restrictionId = placed[at] ?? ''
        await operations().endRestriction({ accountNumber, restrictionId, reason: 'As asked.' })
      }
      assert.deepEqual([await ofPositions(margin), await ofBalances(margin), await ofPositions(cash)], free)
    }
  })

  test('keeps what it owes, and its past days keep what they offered', async () => {
    const owes = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
    const day = await today()
    await load(money(owes, '2', '5000'), trade(owes, '2', 'BUY', { quantity: '900', tradeDate: day }))
    const [, , , , , ...calls] = await figuresOf(owes)
    assert.deepEqual(calls, [4000, 0, 4000])
    await closeDay()
    const before = await figuresOf(owes, day)
    await place(owes, 'Sanctions')
    assert.deepEqual(await figuresOf(owes), [-13_000, 0, 0, 0, 0, ...calls])
    assert.deepEqual(await callsOf(owes), ['Fed Open 4000'])
    assert.deepEqual(await figuresOf(owes, day), before)
  })
})

describe('the figures', () => {
  test('of cash in account type 2 are those of a cash account: it is spent once', async () => {
    const [inOne, inTwo] = [await cashAccount(), await cashAccount()]
    const margin = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
    await load(money(inOne, '1', '100000'), money(inTwo, '2', '100000'), money(margin, '2', '100000'))
    const plain = [100_000, 100_000, 100_000, 100_000, 0, 0, 0, 0]
    assert.deepEqual(await figuresOf(inOne), plain)
    assert.deepEqual(await figuresOf(inTwo), plain)
    assert.deepEqual(await figuresOf(margin), [100_000, 100_000, 100_000, 200_000, 100_000, 0, 0, 0])
    const { data } = await service.alpha.balanceSummary({ accountNumber: inTwo })
    assert.deepEqual(
      [data.marginBalance.equity, data.marginBalance.sma, data.marginBalance.marginBuyingPower].map(Number),
      [0, 0, 0],
    )
    assert.equal(Number(data.availableWithdrawal.freeCash), 100_000)
  })

  test('of an IRA are those of a cash account, also with a position and a debit there', async () => {
    const ira = await openAndFollow(service.alpha, applicationFor('IraRoth'))
    await load(money(ira, '1', '5000'), trade(ira, '2', 'BUY', { quantity: '100' }))
    assert.deepEqual(await figuresOf(ira), [3000, 3000, 3000, 3000, 0, 0, 0, 0])
    await closeDay()
    assert.deepEqual(await callsOf(ira), [])
    assert.deepEqual(await interestOf(ira), [])
  })

  test('of a closed day are those of the margin that the account had on it', async () => {
    const accountNumber = await cashAccount()
    const before = await today()
    await load(money(accountNumber, '2', '10000', { tradeDate: before }))
    await closeDay()
    await giveMargin(accountNumber)
    const during = await today()
    assert.equal((await figuresOf(accountNumber))[3], 20_000)
    assert.equal((await figuresOf(accountNumber, before))[3], 10_000)
    await closeDay()
    const transType = 'Journal'
    const tradeDate = await today()
    await load(
      money(accountNumber, '2', '-10000', { transType, tradeDate }),
      money(accountNumber, '1', '10000', { transType, tradeDate }),
    )
    await setMargin(accountNumber, 'false')
    const after = await today()
    await closeDay()
    const powers = await Promise.all(
      [before, during, after].map(async (day) => (await figuresOf(accountNumber, day))[3]),
    )
    assert.deepEqual(powers, [10_000, 20_000, 10_000])
    const { data } = await service.alpha.positionSummary({ accountNumber, asOf: during, knownAt: 'now' })
    assert.equal(Number(data.buyingPower), 20_000, 'also by what is known now')
  })
})

describe('credit in fact', () => {
  const whys: [what: string, lines: (of: string) => Line[], fed: number, maintenance: number][] = [
    ['a purchase on credit', (of) => [trade(of, '2', 'BUY', { quantity: '1000' })], 10_000, 5000],
    ['a debit by a withdrawal', (of) => [money(of, '2', '-36000')], 36_000, 36_000],
    ['a short sale', (of) => [trade(of, '3', 'SSL', { quantity: '1000' })], 10_000, 6000],
    ['a position that is paid in full', (of) => [money(of, '2', '200'), trade(of, '2', 'BUY')], 0, 0],
  ]
  for (const [what, lines, fed, maintenance] of whys) {
    test(`has the figures, calls and interest of margin: ${what}`, async () => {
      const accountNumber = await cashAccount()
      const margin = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
      for (const one of [accountNumber, margin]) await load(money(one, '1', '5000'), ...lines(one))
      const figures = await figuresOf(accountNumber)
      assert.deepEqual(figures, await figuresOf(margin))
      assert.deepEqual(figures.slice(5), [fed, maintenance, fed])
      assert.equal((await breaksOf(accountNumber)).length, 1)
      assert.deepEqual(await breaksOf(margin), [])
      await closeDay()
      assert.deepEqual(await callsOf(accountNumber), await callsOf(margin))
      assert.equal((await callsOf(accountNumber)).length, fed > 0 ? 2 : 0)
      assert.deepEqual(await interestOf(accountNumber), await interestOf(margin))
    })
  }

  test('ends with the sale of all: calls end at the close, and the interest stays owed until it is charged', async () => {
    const accountNumber = await cashAccount()
    const bought = await today()
    await load(trade(accountNumber, '2', 'BUY', { quantity: '1800' }))
    await closeDay()
    assert.deepEqual(await callsOf(accountNumber), ['Fed Open 18000', 'Maintenance Open 9000'])
    const sold = await today()
    const owed = await accruedOf(accountNumber)
    assert.ok(owed > 0)
    await load(trade(accountNumber, '2', 'SEL', { quantity: '1800', price: '21', settleDate: sold }))
    assert.deepEqual(await figuresOf(accountNumber), [1800, 1800, 1800, 1800, 0, 0, 0, 0])
    assert.equal(await accruedOf(accountNumber), owed)
    await closeDay()
    assert.deepEqual(await callsOf(accountNumber), ['Fed Met 18000', 'Maintenance Met 9000'])
    assert.equal(await accruedOf(accountNumber), owed, 'no interest for the night after the sale has settled')
    const [before, after] = [await figuresOf(accountNumber, bought), await figuresOf(accountNumber, sold)]
    assert.deepEqual(before.slice(3), [0, 0, 18_000, 9000, 18_000])
    assert.deepEqual(after, [1800, 1800, 1800, 1800, 0, 0, 0, 0])
    const transType = 'Journal'
    const tradeDate = await today()
    const all = (1800).toFixed(2)
    await load(
      money(accountNumber, '2', `-${all}`, { transType, tradeDate }),
      money(accountNumber, '1', all, { transType, tradeDate }),
      money(accountNumber, '1', `-${all}`, { tradeDate }),
    )
    assert.deepEqual(await breaksOf(accountNumber), [])
    await closeDay()
    const end = () => operations().closeAccount({ accountNumber, reason: 'As the customer asked.' })
    const refused = await refusalOf(end())
    assert.match(refused.rejections[0]?.reason ?? '', /^The account owes margin interest of /)
    const onDay = { tradeDate: await today() }
    await load(
      money(accountNumber, '2', `-${owed.toFixed(2)}`, { ...onDay, transType: 'Interest' }),
      money(accountNumber, '2', owed.toFixed(2), onDay),
    )
    assert.equal(await accruedOf(accountNumber), 0)
    await end()
  })

  test('begins with a debit of one cent of one currency, and ends when it is paid', async () => {
    const accountNumber = await cashAccount()
    await load(money(accountNumber, '1', '5000'), money(accountNumber, '2', '10000'))
    assert.deepEqual(await figuresOf(accountNumber), [15_000, 15_000, 15_000, 15_000, 0, 0, 0, 0])
    await load(money(accountNumber, '3', '-0.01'))
    const [, , , buyingPower, marginCash] = await figuresOf(accountNumber)
    assert.deepEqual([buyingPower, marginCash], [14_999.99, 0], 'no further credit')
    const { data } = await service.alpha.balanceSummary({ accountNumber })
    const { marginBuyingPower, sma } = data.marginBalance
    assert.deepEqual([marginBuyingPower, sma].map(Number), [0, 9999.99])
    assert.equal(Number(data.availableWithdrawal.marginCashAvailability), 0)
    await load(money(accountNumber, '3', '0.01'))
    assert.deepEqual(await figuresOf(accountNumber), [15_000, 15_000, 15_000, 15_000, 0, 0, 0, 0])
  })

  test('costs interest until the sale has settled', async () => {
    const accountNumber = await cashAccount()
    await load(trade(accountNumber, '2', 'BUY', { quantity: '1800' }))
    await closeDay()
    await load(trade(accountNumber, '2', 'SEL', { quantity: '1800', tradeDate: await today() }))
    assert.equal((await figuresOf(accountNumber))[4], 0)
    await closeDay()
    await closeDay()
    assert.deepEqual(
      (await interestOf(accountNumber)).map(([debit]) => debit),
      [36_000, 36_000],
    )
  })

  test('is the same credit when margin is set, with the SMA of the money that was paid in before', async () => {
    const accountNumber = await cashAccount()
    await load(money(accountNumber, '2', '10000'))
    await closeDay()
    assert.equal((await figuresOf(accountNumber))[3], 10_000)
    const day = { tradeDate: await today() }
    await load(trade(accountNumber, '2', 'BUY', { ...day, quantity: '100' }))
    const withCredit = await figuresOf(accountNumber)
    assert.deepEqual(withCredit.slice(0, 5), [8000, 8000, 8000, 8000, 0], 'without further credit')
    await giveMargin(accountNumber)
    const agreed = await figuresOf(accountNumber)
    assert.equal(agreed[3], 18_000, 'the money paid in before counts: SMA is 10,000 less 1,000')
    assert.deepEqual(agreed.slice(5), withCredit.slice(5))
  })
})

describe('the break', () => {
  const rows: [what: string, lines: (accountNumber: string) => Line[]][] = [
    ['a deposit', (of) => [money(of, '2', '100')]],
    ['a withdrawal', (of) => [money(of, '3', '-0.01')]],
    ['a transfer', (of) => [shares(of, '2', { transType: 'TransferIn', price: '20' })]],
    [
      'a journal from account type 1',
      (of) => [
        money(of, '1', '100'),
        money(of, '1', '-100', { transType: 'Journal' }),
        money(of, '2', '100', { transType: 'Journal' }),
      ],
    ],
    ['a dividend', (of) => [money(of, '2', '1', { transType: 'Dividend', symbol })]],
  ]
  for (const [what, lines] of rows) {
    test(`is raised by ${what}, once, and ends with the cancel`, async () => {
      const accountNumber = await cashAccount()
      const booked = lines(accountNumber)
      await load(...booked)
      assert.deepEqual(await breaksOf(accountNumber), [notEmpty])
      await load(money(accountNumber, '2', '5'), money(accountNumber, '2', '-5'))
      assert.deepEqual(await breaksOf(accountNumber), [notEmpty])
      await load(...booked.filter(({ acctType }) => acctType !== '1').map(cancelOf))
      assert.deepEqual(await breaksOf(accountNumber), [])
    })
  }

  test('of an account with margin is none, and margin that is set ends it', async () => {
    const margin = await openAndFollow(service.alpha, marginApplication({ taxIdNumber: newTaxId() }))
    await load(money(margin, '2', '100'))
    assert.deepEqual(await breaksOf(margin), [])
    const accountNumber = await cashAccount()
    await load(money(accountNumber, '2', '100'))
    assert.deepEqual(await breaksOf(accountNumber), [notEmpty])
    await giveMargin(accountNumber)
    assert.deepEqual(await breaksOf(accountNumber), [])
    await load(money(accountNumber, '2', '100'))
    assert.deepEqual(await breaksOf(accountNumber), [])
  })

  test('of a purchase is that of its line alone; a sale raises none, and the journals to account type 1 end it', async () => {
    const accountNumber = await cashAccount()
    const purchase = 'A purchase in account type 2'
    await load(money(accountNumber, '1', '1000'), trade(accountNumber, '2', 'BUY'))
    assert.deepEqual(await breaksOf(accountNumber), [purchase])
    await load(trade(accountNumber, '2', 'SEL', { quantity: '4' }))
    assert.deepEqual(await breaksOf(accountNumber), [purchase])
    const transType = 'Journal'
    await load(
      shares(accountNumber, '2', { transType, quantity: '-6' }),
      shares(accountNumber, '1', { transType, quantity: '6' }),
    )
    assert.deepEqual(await breaksOf(accountNumber), [purchase], 'the debit is still in account type 2')
    await load(
      money(accountNumber, '2', '120', { transType }),
      money(accountNumber, '1', '-120', { transType }),
    )
    assert.deepEqual(await breaksOf(accountNumber), [])
    const again = trade(accountNumber, '2', 'BUY')
    await load(again)
    assert.deepEqual(await breaksOf(accountNumber), [purchase])
    await load(cancelOf(again))
    assert.deepEqual(await breaksOf(accountNumber), [])
  })

  test('of an option beyond the level stays when account type 2 is empty', async () => {
    const terms = {
      underlying: symbol,
      putCall: 'Call',
      strike: '25',
      expiration: '2037-12-18',
      multiplier: '100',
    }
    const option = { symbol: 'NOMAC25', secTypeName: 'Option', ...terms }
    await operations().loadSecurities({ lines: { ndjson: [option] } } as never)
    const accountNumber = await cashAccount()
    const bought = trade(accountNumber, '2', 'BUY', { symbol: 'NOMAC25', quantity: '1', price: '1' })
    await load(bought)
    const journal = { symbol: 'NOMAC25', transType: 'Journal' }
    await load(
      shares(accountNumber, '2', { ...journal, quantity: '-1' }),
      shares(accountNumber, '1', { ...journal, quantity: '1' }),
      money(accountNumber, '2', '100', { transType: 'Journal' }),
      money(accountNumber, '1', '-100', { transType: 'Journal' }),
    )
    assert.deepEqual(await breaksOf(accountNumber), ['An option was bought'])
  })

  test('that a person has settled is raised again only after the account types were empty', async () => {
    const accountNumber = await cashAccount()
    const deposit = money(accountNumber, '2', '100')
    await load(deposit)
    const { work } = (await operations().listWork({ queues: ['Break'], size: 100 })).data
    const item = work.find((one) => one.accountNumber === accountNumber)
    await operations().settleWork({ workIds: [item?.workId ?? ''], reason: 'It is journalled tomorrow.' })
    await load(money(accountNumber, '2', '1'))
    assert.deepEqual(await breaksOf(accountNumber), [])
    await load(money(accountNumber, '2', '-101'), money(accountNumber, '2', '0.01'))
    assert.deepEqual(await breaksOf(accountNumber), [], 'never empty at the end of a load')
    await load(money(accountNumber, '2', '-0.01'))
    await load(money(accountNumber, '2', '0.01'))
    assert.deepEqual(await breaksOf(accountNumber), [notEmpty])
  })
})
