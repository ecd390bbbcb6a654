/** Placeholders: words in place of a whole name, or of the first or the last name of a person. */
import { fullName } from '../name.ts'
import type { Party } from '../record.ts'
import { isPerson } from './parties.ts'

/** Words in place of a whole name, or of each of its parts. */
const inPlaceOfName =
  /^(?:UNKNOWN|NONAME|NO NAME|NOT (?:APPLICABLE|AVAILABLE|GIVEN|KNOWN|PROVIDED)|N\/A|NA|NONE|NULL|ANONYMOUS|TBD|TO BE (?:ADVISED|ANNOUNCED|CONFIRMED|DETERMINED|NAMED|PROVIDED)|SAME(?: AS .+)?|FNU|LNU|DECEASED(?: PERSON)?|ACCOUNT (?:HOLDER|OWNER)|XX+|ASDF\w*)$/
/**
 * Words in place of one part beside a true one. A person with one name has FNU or LNU on a visa of the United States,
 * which stands for the first or last name that the passport does not have.
 */
const inPlaceOfPart =
  /^(?:UNKNOWN|NONAME|NO (?:FIRST |LAST )?NAME|NOT (?:APPLICABLE|AVAILABLE|GIVEN|KNOWN|PROVIDED)|N\/A|NONE|ANONYMOUS|DECEASED|TBD|TO BE (?:ADVISED|ANNOUNCED|CONFIRMED|DETERMINED|NAMED|PROVIDED)|XX+|ASDF\w*)$/
/** Null is a last name of people. */
const inPlaceOfFirst = /^NULL$/
/** What says the form of an entity, before or after its name. */
const legalForm =
  /^(?:THE )?(?:ESTATE|TRUST) OF (?:THE )?|[,.]? (?:(?:FAMILY |LIVING |REVOCABLE |IRREVOCABLE )*TRUST|ESTATE|L\.?L\.?C\.?|INC(?:ORPORATED)?\.?|CORP(?:ORATION)?\.?|CO(?:MPANY)?\.?|LTD\.?|LIMITED|L\.?P\.?|L\.?L\.?P\.?|PARTNERSHIP|PLC|GMBH|S\.?A\.?)$/g
const usualExample = /^(?:JOHN|JANE) DOE$/
const testWords = /^(?:TEST|TESTING|TESTER)(?: \w+)*$/

/** Whether a name in one text consists of words in place of a name. */
function isPlaceholder(name: string): boolean {
  const text = name.toUpperCase()
  return inPlaceOfName.test(text) || text.split(' ').every((word) => inPlaceOfName.test(word))
}

/**
 * Whether the name of a party, or the first or last name of a person, is a placeholder. The sandbox accepts test names
 * and the usual names of examples.
 */
export function hasPlaceholderName(party: Party, sandbox: boolean): boolean {
  const text = fullName(party).toUpperCase()
  if (isPlaceholder(text) || (isPerson(party) ? hasPlaceholderPart(party) : isPlaceholder(withoutForm(text))))
    return true
  if (sandbox) return false
  const words = text.split(' ')
  return usualExample.test(text) || (testWords.test(text) && words.every((word) => /^TEST/.test(word)))
}

function hasPlaceholderPart({ firstName = '', lastName = '' }: Party): boolean {
  const [first, last] = [firstName.toUpperCase(), lastName.toUpperCase()]
  return inPlaceOfFirst.test(first) || inPlaceOfPart.test(first) || inPlaceOfPart.test(last)
}

function withoutForm(name: string): string {
  return name.replace(legalForm, '')
}
