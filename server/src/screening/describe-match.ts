/** Names a match in a sentence for the person who decides on it. */
import { alphabetList, type ScreeningMatch } from '../store/screening.ts'

/** A name that the lists cannot be compared with has neither a name of a list nor a likeness. */
export function describeMatch({ list_name, matched_name, score }: ScreeningMatch): string {
  return list_name === alphabetList ? 'a name in another alphabet' : `${matched_name}, score ${score}`
}
