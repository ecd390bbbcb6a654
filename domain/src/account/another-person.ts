/**
 * Whether a change makes a party another person: another name together with another birth date, or together with
 * another identification if no tax id tells who the party is. A correction of the spelling is no other name.
 */
import { isBlank } from './blank.ts'
import { foldLetters } from './letters.ts'
import { fullName } from './name.ts'
import { isPerson } from './policy/parties.ts'
import type { Party } from './record.ts'

export function isAnotherPerson(before: Party, after: Party): boolean {
  if (!isPerson(before) || !isAnotherName(before, after)) return false
  const isOther = (one?: string, other?: string) => !isBlank(one) && !isBlank(other) && one !== other
  if (isOther(before.birthDate, after.birthDate)) return true
  const [one, other] = [before, after].map(identificationOf)
  return isBlank(before.taxIdNumber) && isOther(one, other)
}

function identificationOf({ governmentIdentification = {} }: Party): string {
  const { idNumber = '', idLocation = '' } = governmentIdentification.governmentId1 ?? {}
  return idNumber === '' ? '' : `${idLocation} ${idNumber}`
}

/** The suffix tells a father from his son. Names that the other name only adds to make no other person. */
function isAnotherName(before: Party, after: Party): boolean {
  if (!isBlank(after.suffix) && foldWord(before.suffix ?? '') !== foldWord(after.suffix ?? '')) return true
  const [one, other] = [before, after].map(wordsOf)
  return !isWithin(one ?? [], other ?? []) && !isWithin(other ?? [], one ?? [])
}

function wordsOf(party: Party): string[] {
  return fullName({ ...party, suffix: '' })
    .split(/[\s-]+/)
    .map(foldWord)
    .filter(Boolean)
}

function foldWord(word: string): string {
  return foldLetters(word).replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether every word is among the others, in any order, or the whole is the same without its spaces. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  return (
    words.join('') === others.join('') || words.every((word) => others.some((other) => isClose(word, other)))
  )
}

/** One typing error, or two in a long word. In a short word, another letter is another name. */
function isClose(one: string, other: string): boolean {
  if (one === other) return true
  const length = Math.min(one.length, other.length)
  return length >= 4 && countErrors(one, other) <= (length >= 8 ? 2 : 1)
}

/** Letters that are missing, surplus, other, or exchanged with their neighbor. */
function countErrors(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isExchanged ? [(before[j - 2] ?? 0) + 1] : []),
      )
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}
