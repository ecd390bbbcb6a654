/** Names of persons and entities, in parts and whole (Reading 1.11). */

import type { Beneficiary, Party } from './record.ts'

type Named = Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix'>

const endingInSuffix = /^(?<before>.*[^\s,])(?<between>\s*,\s*|\s+)(?<suffix>(?:JR|SR|II|III|IV|V)\.?)\s*$/iu

/** The last name, a comma, and the other names. */
const lastFirst = /^(?<last>[^,]*[^\s,])\s*,(?<others>[^,]*[^\s,][^,]*)$/u

/** What follows a comma after a whole name. */
const degree = /^(?:ESQ|MD|PHD|DDS|CPA|JD)$/iu

/**
 * Splits a name written in one field into parts: the first word, the last, what is between, and a suffix after them. A
 * comma ends a last name that comes first (Reading 1.11).
 */
export function splitName(name: string): Named {
  const { before, suffix } = withoutSuffix(name)
  const { last: lastName, others = '' } = lastFirst.exec(before)?.groups ?? {}
  const isLastFirst = lastName !== undefined && !degree.test(others.replace(/[\s.]/gu, ''))
  const [first, ...rest] = wordsOf(isLastFirst ? others : before)
  const last = isLastFirst ? wordsOf(lastName).join(' ') : rest.pop()
  return {
    ...(first ? { firstName: first } : {}),
    ...(rest.length > 0 ? { middleName: rest.join(' ') } : {}),
    ...(last ? { lastName: last } : {}),
    ...(suffix === undefined ? {} : { suffix }),
  }
}

/** A word is a suffix if a first and a last name come before it. */
function withoutSuffix(name: string): { readonly before: string; readonly suffix?: string } {
  const { before = '', between = '', suffix = '' } = endingInSuffix.exec(name)?.groups ?? {}
  const words = wordsOf(before)
  if (words.length < 2) return { before: name }
  // A letter after an initial is an initial as well: RAMESH K V. So is one after a first name: SMITH, JOHN V.
  const isInitial = /^V\.?$/iu.test(suffix) && (/^.\.?$/u.test(words.at(-1) ?? '') || before.includes(','))
  return isInitial && !between.includes(',') ? { before: name } : { before, suffix }
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter(Boolean)
}

/** Organizations, whose name is one text. */
const organizations: ReadonlySet<string> = new Set(['Charity', 'Trust', 'Estate'])

/** The parts of a beneficiary's name that is written in one field; the name of an organization is not divided. */
export function namedInOne(
  name: string,
  relationship: string | undefined,
): Named & Pick<Beneficiary, 'nameType'> {
  return organizations.has(relationship ?? '') ? { nameType: 'Entity', firstName: name } : splitName(name)
}

/** The name's parts in order, joined by spaces. */
export function fullName(named: Named): string {
  return [named.firstName, named.middleName, named.lastName, named.suffix].filter(Boolean).join(' ')
}

/** The same with the last name first, for the search in lists. */
export function lastNameFirst(named: Named): string {
  return [named.lastName, named.firstName, named.middleName, named.suffix].filter(Boolean).join(' ')
}

/** The name of a beneficiary in one field, as shape 1 returns it. */
export function beneficiaryName(beneficiary: Beneficiary): string {
  return fullName(beneficiary)
}
