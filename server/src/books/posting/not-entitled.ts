/** Lines that use margin or options in an account without that agreement. They are booked as facts, with a break. */
import { hasMargin, optionLevelOf, registrationOf, registrationRuleOf } from '@clearing/domain'
import { type Break, type Entitled, whyNotEntitled } from '@clearing/domain/books'
import type { EntitledRow } from '../../store/books/entitled.ts'
import type { BookedLine } from './booked-line.ts'

/** Whether the line needs an agreement of the account. An ordinary purchase or sale for cash needs none. */
export function asksEntitlement({ line }: BookedLine): boolean {
  const { transType, buySell, acctType, security } = line
  return transType === 'Trade' && (acctType !== 1 || buySell === 'SSL' || security?.option !== undefined)
}

/** Undefined for an account whose record has no such facts. */
export function entitledOf({ registration_type: type, main }: EntitledRow): Entitled | undefined {
  const registration = registrationOf(type)?.value
  if (main === null || registration === undefined) return undefined
  return {
    registration,
    mayBorrow: registrationRuleOf(registration).mayBorrow,
    margin: hasMargin(main),
    optionLevel: optionLevelOf(main),
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
