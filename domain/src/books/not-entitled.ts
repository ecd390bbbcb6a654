/**
 * Lines that use margin or options in an account that is not entitled to them. They are facts: they are booked with a
 * break that states what to do.
 */
import type { ActivityLine } from './activity.ts'

/** What an account may do besides holding and selling what it has paid for. */
export interface Entitled {
  readonly registration: string
  /** Whether the registration may borrow and go short. */
  readonly mayBorrow: boolean
  readonly margin: boolean
  /** The approved option level; 0 for none. */
  readonly optionLevel: number
}

/** How the reasons that concern an option level begin. */
const ofOption = 'An option was'
/** Buying calls and puts. */
const levelThatBuys = 2
/** Writing covered options. */
const levelThatWrites = 1

/** Why the account is not entitled to the line, and what to do. A line that reduces a position needs no entitlement. */
export function whyNotEntitled(line: ActivityLine, entitled: Entitled): string | undefined {
  const { transType, buySell, acctType, security } = line
  if (line.cancels || transType !== 'Trade' || (buySell !== 'BUY' && buySell !== 'SSL')) return undefined
  if (security?.option !== undefined) {
    const why = whyNoOption(buySell, entitled)
    if (why !== undefined) return why
  }
  const { registration, mayBorrow, margin } = entitled
  // An option written against shares or cash is not a short sale.
  const isShort = buySell === 'SSL' && security?.option === undefined
  if (margin || (acctType === 1 && !isShort)) return undefined
  const what = isShort ? 'A short sale' : `A purchase in account type ${acctType}`
  return mayBorrow
    ? `${what}, and the account has no margin. Have it cancelled and booked in account type 1, or have margin added to the account, which needs an approved margin agreement.`
    : `${what}, and an account of the registration ${registration} never borrows nor goes short. Have it cancelled and booked in account type 1, or closed out.`
}

/** Whether the reason is that the account has no margin, and not that it has too low an option level. */
export function isForMargin(reason: string): boolean {
  return !reason.startsWith(ofOption)
}

function whyNoOption(buySell: 'BUY' | 'SSL', { optionLevel }: Entitled): string | undefined {
  const needed = buySell === 'BUY' ? levelThatBuys : levelThatWrites
  if (optionLevel >= needed) return undefined
  const what = `${ofOption} ${buySell === 'BUY' ? 'bought' : 'written'}`
  const [has, remedy] =
    optionLevel === 0
      ? ['no option level', 'a level given, which needs an approved option agreement']
      : [`level ${optionLevel}`, 'the level raised']
  return `${what}, which needs option level ${needed}, and the account has ${has}. Have it closed out or cancelled, or have ${remedy}.`
}
