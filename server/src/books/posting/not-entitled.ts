/** Lines that use margin or options which the account was not given: booked as the facts that they are, with a break. */
import { registrationOf, registrationRuleOf } from '@clearing/domain'
import { type Break, type Entitled, whyNotEntitled } from '@clearing/domain/books'
import type { EntitledRow } from '../../store/books/entitled.ts'
import type { BookedLine } from './booked-line.ts'

/** Whether anything of the account's agreements is asked of the line: the usual purchase and sale for cash asks nothing. */
export function asksEntitlement({ line }: BookedLine): boolean {
  const { transType, buySell, acctType, security } = line
  return transType === 'Trade' && (acctType !== 1 || buySell === 'SSL' || security?.option !== undefined)
}

/** Undefined of an account whose record says nothing of it. */
export function entitledOf({ registration_type: type, main }: EntitledRow): Entitled | undefined {
  const registration = registrationOf(type)?.value
  if (main === null || registration === undefined) return undefined
  return {
    registration,
    mayBorrow: registrationRuleOf(registration).mayBorrow,
    margin: main.marginIndicator === 'true',
    optionLevel: main.optionTradingIndicator === 'true' ? Number(main.optionTradingLevel || '0') : 0,
  }
}

export function breaksOfEntitlements(lines: readonly BookedLine[], entitled: Entitled | undefined): Break[] {
  if (entitled === undefined) return []
  const cancelled = new Set(lines.filter(({ line }) => line.cancels).map(({ line }) => line.tagNo))
  return lines.flatMap(({ line }) => {
    if (cancelled.has(line.externalId)) return []
    const reason = whyNotEntitled(line, entitled)
    if (reason === undefined) return []
    const { externalId: lineId, security, acctType, quantity } = line
    return [{ kind: 'NotEntitled', lineId, securityKey: security?.key, acctType, quantity, reason }]
  })
}
