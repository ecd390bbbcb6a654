/** The interest of margin debits: the list of nights, late lines, the statement, and refunds. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, refusalOf, rejectionsOf, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { readPdf } from './read-pdf.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Listed = Data<'list-margin-interest'>['interest'][number]

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function today(): Promise<string> {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
/** The last business day of the month of a day. */
function monthEnd(day: string): string {
  const next = addMarketDays(day, 1)
  return next.slice(0, 7) === day.slice(0, 7) ? monthEnd(next) : day
}
async function book(...lines: Record<string, unknown>[]): Promise<void> {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
}
async function interestOf(accountNumber: string, filter = {}): Promise<Listed[]> {
  return (await service.alpha.listMarginInterest({ accountNumber, size: 100, ...filter })).data.interest
}
async function accruedOf(accountNumber: string): Promise<number> {
  return (await service.alpha.balanceSummary({ accountNumber })).data.marginBalance.accruedMarginInterest
}
async function statementOf(accountNumber: string): Promise<string> {
  const [statement] = await until(
    async () => (await service.alpha.listStatements({ accountNumber, kind: 'Statement' })).data.statements,
    (all) => all.length > 0,
  )
  assert.ok(statement)
  const { periodTo, version } = statement
  const named = { accountNumber, kind: 'Statement', periodTo, statementVersion: version } as const
  return (await readPdf(Buffer.from(await (await service.alpha.getStatement(named)).bytes()))).text
}
/** 36,000 cost 8.50 a night at the usual rate. */
const debit = 36_000

describe('a margin account with a debit', () => {
  let account = ''
  let first = ''
  let second = ''
  let nights = 0
  const line = (externalId: string, transType: string, netAmount: string, tradeDate: string) => {
    return { externalId, acctNo: account, acctType: '2', transType, netAmount, tradeDate }
  }
  before(async () => {
    account = await openAndFollow(
      service.alpha,
      applicationFor('Individual', { main: { repCode: 'JC01', marginIndicator: 'true' } }),
    )
    // Without a tax form, the account would be restricted after thirty days, which may come before the last test.
    const { data } = await service.alpha.addDocument({
      accountNumber: account,
      documentTypeName: 'New Accounts Documents',
      reference: 'W9',
      file: { name: 'w9.pdf', content: samplePdf() },
    })
    const { documentId } = data
    await service.operations.operations.decideDocument({
      accountNumber: account,
      documentId,
      decision: 'Approved',
    })
    // A month that begins now leaves days before its end.
    await goPastClose(service, monthEnd(await today()))
    first = await today()
    second = addMarketDays(first, 1)
    for (let day = first; day < second; day = addDays(day, 1)) nights += 1
  })

  test('has the interest of each night since its close', async () => {
    assert.deepEqual(await interestOf(account), [])
    await book(line('I1', 'Withdrawal', `-${debit}`, first))
    await goPastClose(service, first)
    const interest = 8.5 * nights
    assert.deepEqual(await interestOf(account), [
      {
        closeDate: first,
        ofDate: first,
        debit,
        debitBefore: null,
        interest,
        nights: [{ from: first, to: addDays(second, -1), nights, rate: 8.5, interest }],
      },
    ])
    assert.equal(await accruedOf(account), interest)
  })

  test('has the nights of a late line computed again by the close after it', async () => {
    await book(line('I2', 'Withdrawal', `-${debit}`, first))
    await goPastClose(service, second)
    const [now, again, before] = await interestOf(account)
    assert.deepEqual(
      [now, again, before].map((one) => [one?.closeDate, one?.ofDate, one?.debitBefore, one?.debit]),
      [
        [second, second, null, 2 * debit],
        [second, first, debit, 2 * debit],
        [first, first, null, debit],
      ],
    )
    assert.equal(again?.interest, 8.5 * nights)
    assert.equal(
      await accruedOf(account),
      (await interestOf(account)).reduce((sum, { interest }) => sum + interest, 0),
    )
  })

  test('has the same list page by page and in ranges of closes', async () => {
    const all = await interestOf(account)
    const pages: Listed[] = []
    for (let after = ''; ; ) {
      const given = { accountNumber: account, size: 1, ...(after === '' ? {} : { after }) }
      const { data } = await service.alpha.listMarginInterest(given)
      assert.ok(data.interest.length <= 1)
      pages.push(...data.interest)
      after = data.next
      if (after === '') break
    }
    assert.deepEqual(pages, all)
    assert.deepEqual(await interestOf(account, { dateTo: first }), all.slice(2))
    assert.deepEqual(await interestOf(account, { dateFrom: second }), all.slice(0, 2))
    assert.deepEqual(await interestOf(account, { dateFrom: addDays(second, 1) }), [])
    const { rejections } = await refusalOf(
      service.alpha.listMarginInterest({ accountNumber: account, dateFrom: second, dateTo: first }),
    )
    assert.deepEqual(
      rejections.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1025 dateFrom'],
    )
  })

  test('is not seen by another firm', async () => {
    assert.deepEqual(await rejectionsOf(service.beta.listMarginInterest({ accountNumber: account })), [
      'ERR.2003 accountNumber',
    ])
  })

  test('cannot be closed while a refund of interest is not paid', async () => {
    const { data } = await service.alpha.balanceSummary({ accountNumber: account })
    const charged = data.marginBalance.accruedMarginInterest
    const third = await today()
    await book(
      line('I3', 'Interest', `-${charged}`, third),
      line('I4', 'Deposit', String(charged), third),
      ...['I1', 'I2'].map((tagNo) => ({
        externalId: `${tagNo}C`,
        acctNo: account,
        cancelType: 'C',
        tagNo,
      })),
    )
    await goPastClose(service, third)
    assert.equal(await accruedOf(account), -charged)
    const reason = 'The customer left.'
    const close = () => service.operations.operations.closeAccount({ accountNumber: account, reason })
    const { rejections } = await refusalOf(close())
    assert.deepEqual(
      rejections.map(({ code, reason: why }) => [code, why]),
      [
        [
          'ERR.2011',
          `The account is owed a refund of margin interest of ${charged}, which no line has paid.`,
        ],
      ],
    )
    const end = { accountNumber: account, marginIndicator: 'false', reason } as const
    const endMargin = async () => {
      const refused = await refusalOf(service.operations.operations.setEntitlements(end))
      return refused.rejections.map(({ code, reason: why }) => `${code} ${why?.split(',')[0]}`)
    }
    assert.deepEqual(await endMargin(), [
      `ERR.2048 The account is owed a refund of margin interest of ${charged}`,
    ])
    const fourth = await today()
    await book(line('I7', 'Deposit', '1', third), line('I8', 'Withdrawal', '-1', third))
    const changing = await refusalOf(close())
    assert.match(
      changing.rejections[0]?.reason ?? '',
      /may still change, because of lines since the last close/,
    )
    await goPastClose(service, fourth)
    const fifth = await today()
    await book(line('I5', 'Interest', String(charged), fifth), line('I6', 'Withdrawal', `-${charged}`, fifth))
    assert.equal(await accruedOf(account), 0)
    assert.equal((await close()).data.accountStatus, 'Closed')
  })

  test('has a statement that itemizes the nights, each debit and the total', async () => {
    await goPastClose(service, monthEnd(first))
    const text = (await statementOf(account)).replaceAll(/\s+/g, ' ')
    const last = addDays(second, -1)
    const money = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2 })
    for (const part of [
      'Interest on the debit balance in US dollars',
      `${first} ${last} ${nights} 36,000.00 8.5 ${money(8.5 * nights)}`,
      `${first} ${last} ${nights} 72,000.00 instead of 36,000.00 8.5 ${money(8.5 * nights)}`,
      'Total 0.00',
      'You can lose more funds than you deposit in the margin account.',
      'is not required to give you advance written notice',
    ])
      assert.ok(text.includes(part), `${part} is in ${text}`)
  })
})
