/**
 * Parts of a name (Reading 3.5): letters, space, `' - / # . ,` and the marks of scripts within a word. The two lines of
 * an entity's name (nameType Entity) may also contain digits and `& ( ) + ! @ :`, and so may the names of beneficiaries
 * and trusted contacts.
 */
import { Findings, type Place, refused } from '../findings.ts'
import { type Reader, textReader } from '../reader.ts'
import { marksOfScripts, plainMarks } from './plain-marks.ts'
import { upperCaseReader } from './text.ts'

// The sign 〇 of Chinese names is a number by its category. It is no letter alone.
const personName = new RegExp(`^[\\p{L}\\p{M}\\u3007 '\\-/#.,${marksOfScripts}]+$`, 'u')
const entityName = new RegExp(`^[\\p{L}\\p{M}\\p{Nd}\\u3007 '\\-/#.,&()+!@:${marksOfScripts}]+$`, 'u')
const letter = /\p{L}/u
/** A mark of a script that no letter precedes, or, except the tsheg, that no letter follows. */
const strayMark = new RegExp(`(?<![\\p{L}\\p{M}])[${marksOfScripts}]|[\\u00b7\\u05f4](?!\\p{L})`, 'u')
/** A generation: 2ND, 3RD, 4TH. */
const ordinal = /^[2-9](?:ND|RD|TH)$/
const letterOrDigit = /[\p{L}\p{Nd}]/u

/**
 * The last name that makes stages of the sandbox slow. It cannot be a real name. The reader accepts it everywhere; the
 * rules reject it outside the sandbox.
 */
export const slowLastName = 'SLOW30'

function isPersonName(name: string): boolean {
  return personName.test(name) && !strayMark.test(name)
}

function isEntityName(name: string): boolean {
  return entityName.test(name) && !strayMark.test(name)
}

/** Why a normalized text cannot be a part of a person's name; undefined if it can. */
export function faultOfPersonName(label: string, name: string): string | undefined {
  if ((isPersonName(name) && letter.test(name)) || name === slowLastName || ordinal.test(name)) return
  return isPersonName(name)
    ? `${label} must contain a letter.`
    : `${label} must contain letters, spaces and the marks ' - / # . , and · within a word only.`
}

/** Whether a normalized text can be a part of a person's name. Adds a rejection if not. */
export function checkPersonName(
  label: string,
  name: string,
  within: Place | undefined,
  key: string | number,
  findings: Findings,
): string | typeof refused {
  const fault = faultOfPersonName(label, name)
  return fault === undefined ? name : findings.refuse('ERR.1016', within, key, fault)
}

/**
 * A whole name in one text, or a part of one, of a person or an entity: the characters of an entity's name. A part may
 * consist of marks, as that of `REED & SON` does. Records of release 0.1.0 may have other symbols.
 */
export function wholeNameReader(label: string, max: number): Reader {
  const text = upperCaseReader(label, max)
  return textReader(label, (given, within, key, findings) => {
    const upper = text.read(given, within, key, findings)
    const name = typeof upper === 'string' ? plainMarks(upper) : upper
    if (name === refused || name === '' || isEntityName(name as string)) return name
    const reason = `${label} must contain letters, digits, spaces and the marks ' - / # . , & ( ) + ! @ : and · within a word only.`
    const words = (name as string).split(' ').filter((word) => !isEntityName(word))
    return findings.refuseUnlessStored({ within, key }, reason, name as string, words)
  })
}

/** A part of a person's name, or of an entity's name. A block that can describe an entity checks the part again. */
export function nameReader(label: string, max: number, mayBeEntity: boolean): Reader {
  const text = upperCaseReader(label, max)
  return textReader(label, (given, within, key, findings) => {
    const upper = text.read(given, within, key, findings)
    // Upper case first: the letter ŉ becomes an apostrophe and an N.
    const name = typeof upper === 'string' ? plainMarks(upper) : upper
    if (name === refused || name === '') return name
    if (!mayBeEntity) return checkPersonName(label, name as string, within, key, findings)
    if (isEntityName(name as string) && letterOrDigit.test(name as string)) return name
    const reason = isEntityName(name as string)
      ? `${label} must contain a letter; an entity's, a letter or a digit.`
      : `${label} must contain letters, spaces and the marks ' - / # . , and · within a word only; an entity's also digits and & ( ) + ! @ :.`
    return findings.refuse('ERR.1016', within, key, reason)
  })
}

const linesOfEntity: Readonly<Record<string, { readonly label: string; readonly ifTooLong: string }>> = {
  firstName: { label: "The first line of the entity's name", ifTooLong: ' Put the rest in name3.' },
  lastName: { label: "The second line of the entity's name", ifTooLong: '' },
}

/**
 * Why a part of a name is no line of an entity's name; undefined if it is one, or if an entity's name does not have the
 * part.
 */
export function faultOfEntityLine(part: string, given: unknown, max: number): string | undefined {
  const line = linesOfEntity[part]
  if (line === undefined) return undefined
  const findings = new Findings(false)
  const name = entityLineReader(line.label, max).read(given, undefined, part, findings)
  const [fault] = findings.rejections
  if (name !== refused || fault === undefined) return undefined
  return fault.code === 'ERR.1010' ? `${fault.reason}${line.ifTooLong}` : fault.reason
}

function entityLineReader(label: string, max: number): Reader {
  const text = upperCaseReader(label, max)
  return textReader(label, (given, within, key, findings) => {
    const upper = text.read(given, within, key, findings)
    const name = typeof upper === 'string' ? plainMarks(upper) : upper
    if (name === refused || name === '') return name
    if (isEntityName(name as string) && letterOrDigit.test(name as string)) return name
    const reason = isEntityName(name as string)
      ? `${label} must contain a letter or a digit.`
      : `${label} must contain letters, digits, spaces and the marks ' - / # . , & ( ) + ! @ : and · within a word only.`
    return findings.refuse('ERR.1016', within, key, reason)
  })
}
