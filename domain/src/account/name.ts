/** Names of persons and entities, in parts and whole (Reading 1.11). */

import type { Beneficiary, Party } from './record.ts'

type Named = Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix'>

const generation = /^(?:JR|SR|II|III|IV|V)\.?$/iu
const degree = /^(?:ESQ|MD|DO|PHD|DDS|DMD|DVM|JD|LLM|MBA|RN|CPA|CFA|CFP)$/iu

/**
 * Splits a name written in one field into parts: the first word, the last, what is between, and a suffix after them. A
 * comma ends a last name that comes first. Degrees after the last comma are a suffix (Reading 1.11).
 */
export function splitName(name: string): Named {
  const { parts, titles } = withoutTitles(name)
  const [first = [], ...others] = parts
  const isLastFirst = others.length > 0
  const words = isLastFirst ? others.flat() : [...first]
  if (endsInGeneration(words, isLastFirst ? first.length : 0)) titles.unshift(words.pop() as string)
  const [firstName, ...rest] = words
  const lastName = isLastFirst ? first.join(' ') : rest.pop()
  return {
    ...(firstName ? { firstName } : {}),
    ...(rest.length > 0 ? { middleName: rest.join(' ') } : {}),
    ...(lastName ? { lastName } : {}),
    ...(titles.length > 0 ? { suffix: titles.join(' ') } : {}),
  }
}

/** The words between commas, and the generation and degrees that stand there, if a first and a last name are left. */
function withoutTitles(name: string): { readonly parts: string[][]; readonly titles: string[] } {
  const parts = name
    .split(',')
    .map(wordsOf)
    .filter((words) => words.length > 0)
  const titles: string[] = []
  for (let at = parts.length - 1; at > 0; at -= 1) {
    const words = parts[at] as string[]
    const isTitle = isGeneration(words) || (at === parts.length - 1 && isDegree(words))
    if (!isTitle || parts.flat().length - words.length < 2) continue
    titles.unshift(...words)
    parts.splice(at, 1)
  }
  return { parts, titles }
}

function isGeneration(words: readonly string[]): boolean {
  return words.length === 1 && generation.test(words[0] as string)
}

/** `MD`, `M. D.`, `MD PHD`. */
function isDegree(words: readonly string[]): boolean {
  const plain = words.map((word) => word.replaceAll('.', ''))
  return degree.test(plain.join('')) || plain.every((word) => degree.test(word))
}

/** `before` is the number of words of a last name that comes first. */
function endsInGeneration(words: readonly string[], before: number): boolean {
  const last = words.at(-1) ?? ''
  if (words.length < 2 || words.length + before < 3 || !generation.test(last)) return false
  // A letter after an initial is an initial as well: RAMESH K V. So is one after a first name: SMITH, JOHN V.
  return !/^V\.?$/iu.test(last) || (before === 0 && !/^.\.?$/u.test(words.at(-2) ?? ''))
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
