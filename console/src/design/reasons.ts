/**
 * The reasons of the service in the words of the screens: times in the viewer's zone, members of a request as labels.
 */
import { labelOf } from './codes.ts'
import { withDays, withTimes } from './time.tsx'
import { wordsOf } from './words.ts'

const typeOfLine = /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g
const typeOfAccount = /\baccount type ([123])\b/g
const member = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g

/** `createdFrom must not be after createdTo.` → "Created from must not be after created to." */
export function reasonInWords(reason: string): string {
  return withTimes(reason).replace(member, (name, at: number) =>
    at === 0 ? wordsOf(name) : wordsOf(name).toLowerCase(),
  )
}

/**
 * `Holders of ANCR got a StockDividend of 2026-12-15, and account type 2 did not` → "Holders of ANCR got a stock
 * dividend of Dec 15, 2026, and account type Margin did not".
 */
export function breakInWords(reason: string): string {
  return withDays(reasonInWords(reason))
    .replace(typeOfLine, (type) => wordsOf(type).toLowerCase())
    .replace(typeOfAccount, (_, type: string) => `account type ${labelOf('activityAcctType', type)}`)
}
