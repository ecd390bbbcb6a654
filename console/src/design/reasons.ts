/**
 * The reasons of the service in the words of the screens: times in the viewer's zone, members of a request as labels.
 */
import { withTimes } from './time.tsx'
import { wordsOf } from './words.ts'

const member = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g

/** `createdFrom must not be after createdTo.` → "Created from must not be after created to." */
export function reasonInWords(reason: string): string {
  return withTimes(reason).replace(member, (name, at: number) =>
    at === 0 ? wordsOf(name) : wordsOf(name).toLowerCase(),
  )
}
