/**
 * Reviews accounts after their lines were booked. A holding or debt without entitlement is a break without a
 * line. The break ends when the account no longer has the holding, or when a person settles it. A settled
 * break is raised again only after the holding has ended.
 */
import { registrationRules } from '@clearing/domain'
import { findHeldNotEntitled, findOnMargin, type HeldNotEntitled, isForMargin } from '@clearing/domain/books'
import { renderDecimal } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { type GoneBreak, type NewBreak, raiseBreaks, resolveBreaks } from '../../store/books/breaks.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import {
  forgetSettled,
  type HeldBreak,
  readAsked,
  readBreaksOfHeld,
  readBreaksOfMarginLines,
  readCashHeld,
  readPositionsHeld,
} from '../../store/books/held-not-entitled.ts'
import { entitledOf } from './not-entitled.ts'

const neverBorrow = registrationRules.flatMap(({ registrations, mayBorrow }) =>
  mayBorrow ? [] : registrations,
)

/**
 * The lines are written in the same transaction. `onMargin`: the accounts with lines of account types 2 and 3. Whatever
 * these account types hold without margin is one break. None is raised while the break of a line in them is open. The
 * breaks of such lines end when the account types are empty.
 */
export async function reviewHeld(
  tx: Tx,
  accountNumbers: readonly string[],
  at: Date,
  onMargin: readonly string[] = [],
): Promise<void> {
  const asked = await readAsked(tx, accountNumbers, neverBorrow, onMargin)
  if (asked.length === 0) return
  const numbers = asked.map(({ account_number }) => account_number)
  const [cash, positions, known, ofLines] = await Promise.all([
    readCashHeld(tx, numbers),
    readPositionsHeld(tx, numbers, at),
    readBreaksOfHeld(tx, numbers),
    readBreaksOfMarginLines(tx, numbers),
  ])
  const left = new Map(known.map((one) => [`${one.account_number} ${nameOfKnown(one)}`, one]))
  const raised: NewBreak[] = []
  const mended: GoneBreak[] = []
  for (const row of asked) {
    const { account_number: accountNumber, firm_id: firmId } = row
    const entitled = entitledOf(row)
    if (entitled === undefined) continue
    const holds = [cash.get(accountNumber) ?? [], positions.get(accountNumber) ?? []] as const
    const found = findHeldNotEntitled(entitled, ...holds)
    const ofMargin = (ofLines.get(accountNumber) ?? []).filter(({ reason }) => isForMargin(reason))
    const held = findOnMargin(entitled, ...holds)
    if (held === undefined) mended.push(...(entitled.margin ? [] : ofMargin))
    else if (ofMargin.length === 0 || left.has(`${accountNumber} ${nameOf(held)}`)) found.push(held)
    for (const one of found) {
      if (left.delete(`${accountNumber} ${nameOf(one)}`)) continue
      const { securityKey: secNo, acctType, quantity, reason } = one
      raised.push({
        accountNumber,
        firmId,
        kind: 'NotEntitled',
        externalId: '',
        secNo,
        acctType,
        quantity,
        reason,
      })
    }
  }
  raiseBreaks(tx, raised, at)
  const gone = (settled: boolean): GoneBreak[] =>
    [...left.values()]
      .filter((one) => one.settled === settled)
      .map((one) => ({ accountNumber: one.account_number, breakId: one.break_id }))
  resolveBreaks(tx, [...gone(false), ...mended], at)
  forgetSettled(tx, gone(true))
}

function nameOf({ securityKey, acctType, quantity, reason }: HeldNotEntitled): string {
  return `${securityKey ?? ''} ${acctType ?? ''} ${quantity === undefined ? '' : renderDecimal(quantity)} ${reason}`
}

function nameOfKnown({ sec_no: secNo, acct_type: acctType, quantity, reason }: HeldBreak): string {
  return nameOf({
    securityKey: secNo === null ? undefined : String(secNo),
    acctType: acctType ?? undefined,
    quantity: quantity === null ? undefined : decimalOfColumn(quantity),
    reason,
  })
}
