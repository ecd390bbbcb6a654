/**
 * Finds purchases of cash accounts that are unpaid at the end of their payment period, and securities that
 * were sold before they were paid. It issues, ages and ends calls, breaks that require liquidation, and
 * freezes. It examines accounts with an open item, and accounts whose new lines came late or leave too little
 * settled cash.
 */

import { type Decimal, max, renderDecimal, ZERO } from '@clearing/domain/decimal'
import {
  type CashPayments,
  cashCalls,
  freezeOn,
  isKept,
  marketDaysBetween,
  toLiquidate,
  type UnpaidPurchase,
} from '@clearing/domain/market'
import { type CashAccount, readPayments } from '../books/cash/read-payments.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { type NewBreak, raiseBreaks, readBreaksOfKind, resolveBreaks } from '../store/books/breaks.ts'
import {
  type CashLedger,
  insertCashLedgers,
  type MovedCash,
  readCashLedgersBefore,
  readMovedCash,
} from '../store/cash-ledger.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import { type DayAccount, readCashOfRange, readDayAccounts, readFundsOf } from '../store/day-accounts.ts'
import { putMarginCalls, readOpenCalls, type StoredCall } from '../store/margin-calls.ts'
import { readRestrictionsOf } from '../store/restrictions.ts'
import { writeCallEvents } from './call-accounts.ts'
import { decisionsOf, restrictCashAccount } from './restrict-cash-account.ts'

export async function callCashAccounts(work: PortionWork): Promise<PortionCounts> {
  const { tx, close } = work
  const { closeDate, nextDate } = close
  const accounts = await readAccountsToExamine(work)
  if (accounts.length === 0) return {}
  const payments = await readPayments(work, accounts)
  const counts = await issueCalls(work, accounts, payments)
  await askToLiquidate(work, accounts, payments)
  const ledgers: CashLedger[] = []
  for (const one of accounts) {
    const { account, before } = one
    const { unpaid, violations } = of(payments, account.accountNumber)
    const kept = violations.filter((violation) => isKept(violation, closeDate))
    const freeze = freezeOn(kept, nextDate)
    if (before === undefined && unpaid.length === 0 && kept.length === 0) continue
    const restrictionId = await restrictCashAccount(work, one, kept, freeze)
    ledgers.push({
      accountNumber: account.accountNumber,
      closeDate,
      firmId: account.firmId,
      unpaid,
      violations: kept,
      lookOn: unpaid.length > 0 ? closeDate : (freeze?.until ?? null),
      frozenFrom: freeze?.from ?? null,
      frozenUntil: freeze?.until ?? null,
      restrictionId,
    })
  }
  insertCashLedgers(tx, ledgers)
  return counts
}

async function readAccountsToExamine(work: PortionWork): Promise<CashAccount[]> {
  const { tx, range, close } = work
  const { closeDate } = close
  const [ledgers, moved] = await Promise.all([
    readCashLedgersBefore(tx, range, closeDate),
    readMovedCash(tx, range, closeDate),
  ])
  if (ledgers.size === 0 && moved.size === 0) return []
  const accounts = (await readDayAccounts(tx, range, closeDate)).filter((account) =>
    mustBeExamined(account, ledgers.get(account.accountNumber), moved.get(account.accountNumber), close),
  )
  if (accounts.length === 0) return []
  const numbers = accounts.map(({ accountNumber }) => accountNumber)
  const restrictions = await readRestrictionsOf(tx, numbers, 'NinetyDayCash')
  const cash = await readCashOfRange(tx, range, [1])
  const funds = await readFundsOf(tx, numbers, 1)
  const found: CashAccount[] = []
  for (const account of accounts) {
    const { accountNumber } = account
    const folded = account.movedOn ? await work.folds.fold(account) : undefined
    const held = folded?.cash ?? cash.get(accountNumber) ?? []
    const positions = folded?.positions ?? funds.get(accountNumber) ?? []
    found.push({
      account,
      before: ledgers.get(accountNumber),
      earliest: moved.get(accountNumber)?.earliest,
      cash: held.filter(({ acctType }) => acctType === 1),
      positions: positions.filter(({ acctType }) => acctType === 1),
      decided: decisionsOf(restrictions.filter((one) => one.account_number === accountNumber)),
    })
  }
  return found
}

function mustBeExamined(
  { movedOn }: DayAccount,
  before: CashLedger | undefined,
  moved: MovedCash | undefined,
  { closeDate, nextDate }: PortionWork['close'],
): boolean {
  if (before !== undefined && before.lookOn !== null && before.lookOn < nextDate) return true
  return moved !== undefined && (moved.short || moved.corrects || moved.earliest < closeDate || movedOn)
}

async function issueCalls(
  work: PortionWork,
  accounts: readonly CashAccount[],
  payments: ReadonlyMap<string, CashPayments>,
): Promise<PortionCounts> {
  const { tx, range, close } = work
  const { closeDate } = close
  const looked = new Set(accounts.map(({ account }) => account.accountNumber))
  const open = (await readOpenCalls(tx, range)).filter(
    ({ kind, accountNumber }) => kind === 'Cash' && looked.has(accountNumber),
  )
  const known = new Map(open.map((call) => [`${call.accountNumber} ${call.issuedOn}`, call]))
  const issued: StoredCall[] = []
  const aged: StoredCall[] = []
  for (const { account } of accounts) {
    const { accountNumber, firmId } = account
    for (const { issuedOn, dueOn, outstanding } of cashCalls(of(payments, accountNumber), closeDate)) {
      const name = `${accountNumber} ${issuedOn}`
      const before = known.get(name)
      known.delete(name)
      const call: StoredCall = {
        accountNumber,
        firmId,
        issuedOn,
        outstanding,
        kind: 'Cash',
        dueBy: dueOn,
        amount: max(outstanding, before?.amount ?? ZERO),
        agedOn: closeDate,
        ageDays: marketDaysBetween(issuedOn, closeDate),
        metOn: null,
      }
      ;(before === undefined ? issued : aged).push(call)
    }
  }
  const met = [...known.values()].map((call) => {
    return { ...call, outstanding: ZERO, agedOn: closeDate, metOn: closeDate }
  })
  putMarginCalls(tx, [...issued, ...aged, ...met])
  writeCallEvents(work, issued, met)
  return { callsIssued: issued.length, callsMet: met.length }
}

/**
 * A break for each overdue purchase. It ends when the purchase is paid or sold. If another amount is unpaid, a break
 * with this amount takes its place.
 */
async function askToLiquidate(
  { tx, range, close, facts, now }: PortionWork,
  accounts: readonly CashAccount[],
  payments: ReadonlyMap<string, CashPayments>,
): Promise<void> {
  const looked = new Set(accounts.map(({ account }) => account.accountNumber))
  const open = (await readBreaksOfKind(tx, range, 'Liquidate')).filter((one) => looked.has(one.accountNumber))
  const known = new Map(open.map((one) => [nameOf(one), one]))
  const late = accounts.flatMap(({ account }) =>
    toLiquidate(of(payments, account.accountNumber), close.closeDate).map((purchase) => ({
      account,
      purchase,
    })),
  )
  await facts.learn(
    tx,
    late.map(({ purchase }) => purchase.secNo),
  )
  const asked = late.map(({ account: { accountNumber, firmId }, purchase }) => ({
    accountNumber,
    firmId,
    kind: 'Liquidate',
    externalId: purchase.lineId,
    secNo: purchase.secNo,
    acctType: 1,
    quantity: undefined,
    reason: whatToDo(purchase, facts.security(purchase.secNo).symbol || 'the security'),
  })) satisfies NewBreak[]
  raiseBreaks(
    tx,
    asked.filter((one) => !known.delete(nameOf(one))),
    now,
  )
  resolveBreaks(tx, [...known.values()], now)
}

function nameOf({
  accountNumber,
  externalId,
  reason,
}: Pick<NewBreak, 'accountNumber' | 'externalId' | 'reason'>): string {
  return `${accountNumber} ${externalId} ${reason}`
}

function whatToDo({ lineId, date, dueOn, unpaid }: UnpaidPurchase, name: string): string {
  const amount = money(unpaid)
  return (
    `The purchase ${lineId} of ${name} on ${date} was due on ${dueOn}, and ${amount} of it is unpaid. ` +
    `Sell ${name} for at least ${amount} or cancel the trade (12 CFR 220.8(b)(4)), or load the deposit that paid it.`
  )
}

const moneyPlaces = 2
function money(amount: Decimal): string {
  return renderDecimal(amount, moneyPlaces)
}

function of(payments: ReadonlyMap<string, CashPayments>, accountNumber: string): CashPayments {
  const found = payments.get(accountNumber)
  if (found === undefined) throw new Error(`the payments of ${accountNumber} were not read`)
  return found
}
