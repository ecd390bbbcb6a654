/** set-entitlements: operations add margin and options to an open account, raise and lower the level, and end them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await operations().loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'SETE', secTypeName: 'Common Stock' },
        {
          symbol: 'SETEC25',
          secTypeName: 'Option',
          underlying: 'SETE',
          putCall: 'Call',
          strike: '25',
          expiration: '2037-12-18',
          multiplier: '100',
        },
      ],
    },
  })
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
type Asked = Omit<Request<'set-entitlements'>, 'accountNumber' | 'reason'>
const reason = 'The owner asked for it.'
function set(accountNumber: string, asked: Asked) {
  return operations().setEntitlements({ accountNumber, reason, ...asked })
}
async function addDocument(accountNumber: string, reference: string) {
  const { data } = await service.alpha.addDocument({
    documentTypeName: 'New Accounts Documents',
    reference,
    accountNumber,
    file: { name: 'agreement.pdf', content: samplePdf() },
  })
  return data.documentId
}
async function agree(accountNumber: string, reference: 'MRGN' | 'OPTS') {
  const documentId = await addDocument(accountNumber, reference)
  await operations().decideDocument({ accountNumber, documentId, decision: 'Approved' })
}
const suitable = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }
function cashAccount(changes: object = {}) {
  return openAndFollow(service.alpha, applicationOf({}, { financialProfile: suitable, ...changes }))
}
function accountWith(main: object) {
  return cashAccount({ main: { repCode: 'JC01', ...main } })
}
async function entitlementsOf(accountNumber: string) {
  const { main, version } = await read(service.alpha, accountNumber)
  return [main.marginIndicator, main.optionTradingIndicator, main.optionTradingLevel, version]
}
let id = 0
function line(acctNo: string, more: object) {
  const given = { symbol: 'SETE', quantity: '10', price: '20', secFee: '0' }
  return { externalId: `SE-${++id}`, acctNo, acctType: '1', tradeDate: '2026-11-02', ...given, ...more }
}
function trade(acctNo: string, buySell: string, more: object = {}) {
  return line(acctNo, { transType: 'Trade', buySell, ...more })
}
function money(acctNo: string, netAmount: string, acctType = '1') {
  const transType = netAmount.startsWith('-') ? 'Withdrawal' : 'Deposit'
  return { externalId: `SE-${++id}`, acctNo, acctType, transType, netAmount, tradeDate: '2026-11-02' }
}
async function load(...ndjson: object[]) {
  const { data } = await operations().loadActivity({ lines: { ndjson } } as never)
  assert.deepEqual(data.rejects, [])
}
async function breaksOf(accountNumber: string) {
  const { data } = await operations().listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind === 'NotEntitled').map(({ externalId }) => externalId)
}

describe('margin', () => {
  test('is added when the margin agreement is approved, and the books apply it to the next line', async () => {
    const accountNumber = await cashAccount()
    const buy = { marginIndicator: 'true' }
    const missing = await refusalOf(set(accountNumber, buy))
    assert.equal(missing.status, 409)
    assert.deepEqual(
      missing.rejections.map(({ code, field }) => [code, field]),
      [['ERR.2047', 'marginIndicator']],
    )
    assert.match(missing.rejections[0]?.reason ?? '', /margin agreement \(MRGN\), approved on this account/)
    const documentId = await addDocument(accountNumber, 'MRGN')
    assert.deepEqual(
      await rejectionsOf(set(accountNumber, buy)),
      ['ERR.2047 marginIndicator'],
      'not approved',
    )
    await operations().decideDocument({ accountNumber, documentId, decision: 'Approved' })

    const early = trade(accountNumber, 'BUY', { acctType: '2' })
    await load(money(accountNumber, '1000'), early)
    assert.deepEqual(await breaksOf(accountNumber), [early.externalId])
    const { data } = await set(accountNumber, buy)
    assert.deepEqual(data, {
      accountNumber,
      version: 2,
      marginIndicator: 'true',
      optionTradingIndicator: 'false',
      optionTradingLevel: '',
      change: null,
    })
    await load(
      trade(accountNumber, 'BUY', { acctType: '2' }),
      trade(accountNumber, 'SSL', { acctType: '3', quantity: '1' }),
    )
    assert.deepEqual(await breaksOf(accountNumber), [early.externalId], 'only the line of before')
    assert.deepEqual(await entitlementsOf(accountNumber), ['true', 'false', '', 2])
  })

  test('is recorded with its reason, and reported to the firm', async () => {
    const accountNumber = await cashAccount()
    await agree(accountNumber, 'MRGN')
    await set(accountNumber, { marginIndicator: 'true' })
    await service.eventsReported()
    const { events } = (await service.alpha.listEvents({ accountNumber, types: ['account.updated'] })).data
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ accountNumber, version: 2, fields: ['main.marginIndicator'] }],
    )
    const { data } = await operations().listAudit({ accountNumber, action: 'set-entitlements' })
    assert.deepEqual(
      data.rows.map(({ detail }) => detail),
      [{ fields: [{ field: 'main.marginIndicator', from: 'false', to: 'true' }], reason }],
    )
    const history = (await service.alpha.accountHistory({ accountNumber })).data
    assert.match(JSON.stringify(history), /"set-entitlements"/)
  })

  test('ends when the account owes nothing and holds nothing in account types 2 and 3', async () => {
    const accountNumber = await accountWith({ marginIndicator: 'true' })
    const end = () => set(accountNumber, { marginIndicator: 'false' })
    const reasons = async () => (await refusalOf(end())).rejections.map(({ reason: why }) => why)
    const short = trade(accountNumber, 'SSL', { acctType: '3', quantity: '5' })
    const bought = trade(accountNumber, 'BUY', { acctType: '2' })
    await load(money(accountNumber, '50'), short, bought)
    assert.deepEqual(await rejectionsOf(end()), Array(3).fill('ERR.2048 marginIndicator'))
    assert.deepEqual(await reasons(), [
      'The account is short 5 SETE. Have the short sales covered first.',
      'The account owes 50 USD. Request a deposit first.',
      'Account types 2 and 3 hold 10 SETE, -200 USD, 100 USD. Have it journalled to account type 1 or closed out first.',
    ])
    await load(trade(accountNumber, 'BCV', { acctType: '3', quantity: '5' }), money(accountNumber, '150'))
    assert.deepEqual(await reasons(), [
      'Account types 2 and 3 hold 10 SETE, -200 USD. Have it journalled to account type 1 or closed out first.',
    ])
    await load(
      line(accountNumber, { transType: 'Journal', acctType: '2', quantity: '-10', price: undefined }),
      line(accountNumber, { transType: 'Journal', quantity: '10', price: undefined }),
      { ...money(accountNumber, '200', '2'), transType: 'Journal' },
      { ...money(accountNumber, '-200'), transType: 'Journal' },
    )
    assert.equal((await end()).data.marginIndicator, 'false')
    const later = trade(accountNumber, 'BUY', { acctType: '2' })
    await load(later)
    assert.deepEqual(await breaksOf(accountNumber), [later.externalId])
  })

  test('that never was is not for accounts that never borrow', async () => {
    for (const type of ['IraRoth', 'CustodialUtma', 'Estate'] as const) {
      const accountNumber = await openAndFollow(service.alpha, applicationFor(type))
      const { rejections } = await refusalOf(set(accountNumber, { marginIndicator: 'true' }))
      assert.deepEqual(
        rejections.map(({ code, field, rule }) => [code, field, rule]),
        [
          ['ERR.1015', 'marginIndicator', 'NoBorrowing'],
          ['ERR.2047', 'marginIndicator', undefined],
        ],
        type,
      )
    }
  })
})

describe('the option level', () => {
  test('is given with the option agreement and the facts of the owner, and the books apply it at once', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
    const give = () => set(accountNumber, { optionTradingLevel: '2' })
    const needed = 'ERR.2047 optionTradingLevel'
    assert.deepEqual(await rejectionsOf(give()), [needed, needed, needed])
    await agree(accountNumber, 'OPTS')
    const { rejections } = await refusalOf(give())
    assert.deepEqual(
      rejections.map(({ rule }) => rule),
      ['OptionSuitability', 'OptionSuitability'],
    )
    await service.alpha.updateAccount({ accountNumber, financialProfile: suitable })
    const option = { symbol: 'SETEC25', quantity: '1', price: '1' }
    const early = trade(accountNumber, 'BUY', option)
    await load(money(accountNumber, '500'), early)
    await give()
    assert.deepEqual(await entitlementsOf(accountNumber), ['false', 'true', '2', 3])
    await load(trade(accountNumber, 'BUY', option))
    assert.deepEqual(await breaksOf(accountNumber), [early.externalId])
  })

  test('of spreads and above needs margin, and margin cannot end before it', async () => {
    const accountNumber = await accountWith({ optionTradingLevel: '1' })
    assert.deepEqual(await rejectionsOf(set(accountNumber, { optionTradingLevel: '3' })), [
      'ERR.2047 marginIndicator',
    ])
    await agree(accountNumber, 'MRGN')
    await set(accountNumber, { optionTradingLevel: '3', marginIndicator: 'true' })
    assert.deepEqual(await entitlementsOf(accountNumber), ['true', 'true', '3', 2])
    assert.deepEqual(await rejectionsOf(set(accountNumber, { marginIndicator: 'false' })), [
      'ERR.2047 marginIndicator',
    ])
    await set(accountNumber, { marginIndicator: 'false', optionTradingLevel: '0' })
    assert.deepEqual(await entitlementsOf(accountNumber), ['false', 'false', '0', 3])
  })

  test('is not above 2 in an IRA', async () => {
    const changes = { main: { repCode: 'JC01', optionTradingLevel: '1' }, financialProfile: suitable }
    const accountNumber = await openAndFollow(service.alpha, applicationFor('IraRoth', changes))
    assert.deepEqual(await rejectionsOf(set(accountNumber, { optionTradingLevel: '3' })), [
      'ERR.1015 optionTradingLevel',
    ])
    assert.equal((await set(accountNumber, { optionTradingLevel: '2' })).data.optionTradingLevel, '2')
  })

  test('is lowered when no option above it is held', async () => {
    const accountNumber = await accountWith({ optionTradingLevel: '4', marginIndicator: 'true' })
    const lower = (optionTradingLevel: string) => set(accountNumber, { optionTradingLevel })
    const written = { symbol: 'SETEC25', acctType: '2', quantity: '1', price: '1' }
    await load(money(accountNumber, '9000'), trade(accountNumber, 'SSL', written))
    const { rejections } = await refusalOf(lower('2'))
    assert.deepEqual(
      rejections.map(({ code, field }) => [code, field]),
      [['ERR.2048', 'optionTradingLevel']],
    )
    assert.match(rejections[0]?.reason ?? '', /^1 written calls on SETE are not covered by shares of SETE/)
    await load(trade(accountNumber, 'BUY', { quantity: '100', acctType: '2' }))
    assert.equal((await lower('1')).data.optionTradingLevel, '1')
    assert.match(
      (await refusalOf(lower('0'))).rejections[0]?.reason ?? '',
      /^The account holds -1 SETEC25, and an account without options holds none/,
    )
    await load(trade(accountNumber, 'BCV', written))
    assert.deepEqual((await lower('0')).data.optionTradingIndicator, 'false')
  })

  test('that covers what was not covered ends the break', async () => {
    const accountNumber = await accountWith({ optionTradingLevel: '2', marginIndicator: 'true' })
    await load(trade(accountNumber, 'SSL', { symbol: 'SETEC25', acctType: '2', quantity: '1', price: '1' }))
    assert.deepEqual(await breaksOf(accountNumber), [''])
    await set(accountNumber, { optionTradingLevel: '4' })
    assert.deepEqual(await breaksOf(accountNumber), [])
  })
})

describe('a request is refused', () => {
  test('for an account that is not open, or whose changes are suspended', async () => {
    const asked = { marginIndicator: 'true' }
    const { accountNumber: pending } = await open(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
    assert.deepEqual(await rejectionsOf(set(pending, asked)), ['ERR.2011 accountNumber'])
    const frozen = await cashAccount()
    await agree(frozen, 'MRGN')
    await operations().placeRestriction({ accountNumber: frozen, restrictionCode: 'LegalHold', reason })
    assert.deepEqual(await rejectionsOf(set(frozen, asked)), ['ERR.2011 accountNumber'])
    const closed = await cashAccount()
    await operations().closeAccount({ accountNumber: closed, reason })
    assert.deepEqual(await rejectionsOf(set(closed, asked)), ['ERR.2011 accountNumber'])
    assert.deepEqual(await rejectionsOf(set('ZZZZZZZZ', asked)), ['ERR.2003 accountNumber'])
  })

  test('if it changes nothing, names no reason or another version', async () => {
    const accountNumber = await accountWith({ marginIndicator: 'true' })
    assert.deepEqual(await rejectionsOf(set(accountNumber, {})), ['ERR.2010 '])
    assert.deepEqual(await rejectionsOf(set(accountNumber, { optionTradingLevel: '0' })), ['ERR.2010 '])
    assert.deepEqual(await rejectionsOf(set(accountNumber, { optionTradingLevel: '7' })), [
      'ERR.1015 optionTradingLevel',
    ])
    const end = { marginIndicator: false, expectedVersion: 2 }
    assert.deepEqual(await rejectionsOf(set(accountNumber, end)), ['ERR.2010 expectedVersion'])
    const unexplained = operations().setEntitlements({ accountNumber, marginIndicator: 'false', reason: '' })
    assert.deepEqual(await rejectionsOf(unexplained), ['ERR.1000 reason'])
    assert.equal((await set(accountNumber, { ...end, expectedVersion: 1 })).data.version, 2)
  })

  test('of two at once that name one version, the second', async () => {
    const accountNumber = await accountWith({ marginIndicator: 'true', optionTradingLevel: '2' })
    const asked = [{ marginIndicator: 'false' }, { optionTradingLevel: '0' }]
    const came = await Promise.allSettled(
      asked.map((one) => set(accountNumber, { ...one, expectedVersion: 1 })),
    )
    assert.deepEqual(came.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
})

describe('a request of a person', () => {
  let operator: PersonAtWork
  let principal: PersonAtWork
  before(async () => {
    operator = await signIn(service, 'operator@example.com')
    principal = await signIn(service, 'principal@example.com')
  })
  const ask = async (accountNumber: string, asked: object) =>
    (await operator.call('set-entitlements', { accountNumber, reason, ...asked })).json.data.change
  const approve = (who: PersonAtWork, changeId: string) =>
    who.call('decide-change', { changeId, decision: 'Approved', reason: 'Seen the agreement.' })

  test('takes effect when a principal approves it', async () => {
    const accountNumber = await cashAccount()
    await agree(accountNumber, 'MRGN')
    const change = await ask(accountNumber, { marginIndicator: 'true' })
    assert.deepEqual(change.subjects, ['Entitlements'])
    assert.deepEqual(change.fields, [{ field: 'main.marginIndicator', before: 'false', after: 'true' }])
    assert.deepEqual(await entitlementsOf(accountNumber), ['false', 'false', '', 1])
    assert.equal((await approve(operator, change.changeId)).status, 403)
    assert.equal((await approve(principal, change.changeId)).json.data.state, 'Approved')
    assert.deepEqual(await entitlementsOf(accountNumber), ['true', 'false', '', 2])
  })

  test('is judged again at the approval: by what is held, and by the version of the record', async () => {
    const accountNumber = await accountWith({ marginIndicator: 'true' })
    const change = await ask(accountNumber, { marginIndicator: 'false' })
    const owed = money(accountNumber, '-10')
    await load(owed)
    const inUse = await approve(principal, change.changeId)
    assert.equal(inUse.status, 409)
    assert.equal(inUse.json.errors[0].code, 'ERR.2048')
    await load(money(accountNumber, '10'))
    await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Baker' } })
    const changed = await approve(principal, change.changeId)
    assert.equal(changed.json.errors[0].code, 'ERR.2010')
    assert.match(changed.json.errors[0].reason, /changed since the request/)
    assert.deepEqual(await entitlementsOf(accountNumber), ['true', 'false', '', 2])
  })
})

test('the close of the day issues the margin calls of an account whose margin was added that day', async () => {
  const accountNumber = await cashAccount()
  await agree(accountNumber, 'MRGN')
  await set(accountNumber, { marginIndicator: 'true' })
  const { businessDate: tradeDate } = (await service.alpha.sandbox.getClock({})).data
  await load(
    money(accountNumber, '400'),
    trade(accountNumber, 'BUY', { acctType: '2', quantity: '1000', tradeDate }),
  )
  await operations().loadPrices({
    lines: {
      ndjson: [{ symbol: 'SETE', price: '20', priceType: 'LastClose', priceDate: `${tradeDate}T21:00:00Z` }],
    },
  } as never)
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
  const { calls } = (await service.alpha.listCalls({ accountNumber })).data
  assert.ok(calls.some(({ kind }) => kind === 'Fed'))
  assert.deepEqual(await breaksOf(accountNumber), [])
  assert.deepEqual(await rejectionsOf(set(accountNumber, { marginIndicator: 'false' })), [
    'ERR.2048 marginIndicator',
    'ERR.2048 marginIndicator',
  ])
})
