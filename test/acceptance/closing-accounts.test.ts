/** What prevents the closing of an account, and what the closing ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { book, closeDay, newAccount, service, startBeforeTests, today } from './announced-actions.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow, refusalOf, rejectionsOf, until } from './calling.ts'
import { signIn } from './person.ts'

startBeforeTests()

const reason = 'The customer left.'
function operations() {
  return service.operations.operations
}
function close(accountNumber: string) {
  return operations().closeAccount({ accountNumber, reason })
}
async function whyNotClosed(accountNumber: string): Promise<string> {
  const { rejections } = await refusalOf(close(accountNumber))
  assert.deepEqual(
    rejections.map(({ code, field }) => `${code} ${field}`),
    ['ERR.2011 accountNumber'],
  )
  return rejections[0]?.reason ?? ''
}
async function followUpsOf(accountNumber: string) {
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  return followUps.map(({ code, status }) => `${code} ${status}`)
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  return (await service.alpha.listEvents({ accountNumber, size: 100 })).data.events
}

test('an account with a line of a day to come is closed after the line', async () => {
  const accountNumber = await newAccount()
  const day = addMarketDays(await today(), 1)
  const moves = (netAmount: string) => ({
    acctNo: accountNumber,
    transType: netAmount.startsWith('-') ? 'Withdrawal' : 'Deposit',
    netAmount,
    tradeDate: day,
  })
  const [externalId] = await book(moves('100'))
  assert.equal(
    await whyNotClosed(accountNumber),
    `The line ${externalId} of the account is pending until ${day}.`,
  )
  await book(moves('-100'))
  while ((await today()) < day) await closeDay()
  assert.equal((await close(accountNumber)).data.accountStatus, 'Closed')
})

test('a line of a closed account is rejected at once, also if its day has not come', async () => {
  const accountNumber = await newAccount()
  await close(accountNumber)
  const tradeDate = addMarketDays(await today(), 2)
  const line = {
    externalId: 'too-late',
    acctNo: accountNumber,
    transType: 'Deposit',
    netAmount: '1',
    tradeDate,
  }
  const { data } = await operations().loadActivity({ lines: { ndjson: [line] } })
  assert.deepEqual(
    [data.accepted, data.pending, ...data.rejects.map(({ line, code, field }) => `${line} ${code} ${field}`)],
    [0, 0, '1 ERR.2011 acctNo'],
  )
  assert.deepEqual((await service.alpha.listPendingLines({ accountNumber })).data.lines, [])
})

test('an account that owes margin interest is closed after the interest is charged', async () => {
  const accountNumber = await openAndFollow(
    service.alpha,
    applicationFor('Individual', { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  const first = await today()
  const moves = (netAmount: string, tradeDate: string, transType?: string) => ({
    acctNo: accountNumber,
    acctType: '2',
    transType: transType ?? (netAmount.startsWith('-') ? 'Withdrawal' : 'Deposit'),
    netAmount,
    tradeDate,
  })
  await book(moves('-10000', first))
  await closeDay()
  const day = await today()
  await book(moves('10000', day))
  const { accruedMarginInterest = 0 } = (await service.alpha.balanceSummary({ accountNumber })).data
    .marginBalance
  assert.ok(accruedMarginInterest > 0)
  assert.equal(
    await whyNotClosed(accountNumber),
    `The account owes margin interest of ${accruedMarginInterest}, which no line has charged.`,
  )
  await book(moves(`-${accruedMarginInterest}`, day, 'Interest'), moves(String(accruedMarginInterest), day))
  assert.equal((await close(accountNumber)).data.accountStatus, 'Closed')
})

test('the closing waives follow-ups, which cannot be answered any more', async () => {
  const accountNumber = await newAccount()
  assert.deepEqual(await followUpsOf(accountNumber), [
    'W9Certification Open',
    'FieldCompletion Open',
    'FieldCompletion Open',
  ])
  const before = (await eventsOf(accountNumber)).length
  await close(accountNumber)
  assert.deepEqual(await followUpsOf(accountNumber), [
    'W9Certification Waived',
    'FieldCompletion Waived',
    'FieldCompletion Waived',
  ])
  const events = await eventsOf(accountNumber)
  assert.deepEqual(
    events.slice(before).map(({ type }) => type),
    ['followup.waived', 'followup.waived', 'followup.waived', 'account.closed'],
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  const answer = { accountNumber, followUpId: 'FU-2', text: 'She retired.' }
  assert.deepEqual(await rejectionsOf(service.alpha.answerFollowUp(answer)), ['ERR.2011 accountNumber'])
})

test('the closing rejects changes that wait for a second person', async () => {
  const operator = await signIn(service, 'operator@example.com')
  const principal = await signIn(service, 'principal@example.com')
  const accountNumber = await newAccount()
  const asked = await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Other' } })
  assert.match(asked.json.message, /awaits a second person/)
  const { data } = (await operator.call('close-account', { accountNumber, reason })).json
  const decided = await principal.call('decide-change', {
    changeId: data.change.changeId,
    decision: 'Approved',
    reason: 'Seen the letter.',
  })
  assert.equal(decided.json.data.state, 'Approved', decided.text)
  const { changes } = (await operations().listChanges({ accountNumber })).data
  assert.deepEqual(
    changes.map(({ operation, state, decidedBy }) => `${operation} ${state} ${decidedBy}`),
    ['close-account Approved principal@example.com', 'update-account Rejected service'],
  )
  assert.deepEqual((await operations().listWork({ accountNumber })).data.work, [])
  const types = (await eventsOf(accountNumber)).map(({ type }) => type)
  assert.deepEqual(types.filter((type) => /^(change|account\.closed)/.test(type)).sort(), [
    'account.closed',
    'change.approved',
    'change.rejected',
    'change.requested',
    'change.requested',
  ])
})

test('what an application received before it was rejected can be returned', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
  const stateOf = async () => (await service.alpha.onboardingResult({ accountNumber })).data.currentState
  await until(stateOf, (state) => state === 'ManualReview')
  const tradeDate = await today()
  const moves = { acctNo: accountNumber, tradeDate }
  await book({ ...moves, transType: 'Deposit', netAmount: '500' })
  await operations().decideOnboarding({ accountNumber, decision: 'Rejected', reason: 'No identity.' })
  await book({ ...moves, transType: 'Withdrawal', netAmount: '-500' })
  assert.equal((await service.alpha.positionSummary({ accountNumber })).data.totalCash, 0)
  const { accountNumber: other } = await open(service.alpha, applicationOf({ taxIdNumber: '000000001' }))
  await until(
    async () => (await service.alpha.getAccount({ accountNumber: other })).data,
    (data) => 'accountStatus' in data && data.accountStatus === 'Rejected',
  )
  const line = { externalId: 'never', ...moves, acctNo: other, transType: 'Deposit', netAmount: '1' }
  const { data } = await operations().loadActivity({ lines: { ndjson: [line] } })
  assert.deepEqual(
    data.rejects.map(({ code }) => code),
    ['ERR.2003'],
  )
})
