/** The flags of every verb, and of the program without a verb. Parsing, help and completion derive from them. */
import type { Flag } from './verb.ts'

interface GeneralFlag extends Flag {
  /** The short form: `-p`. */
  readonly letter?: string
}

export const profileFlag: GeneralFlag = {
  name: 'profile',
  letter: 'p',
  value: 'name',
  summary: 'the profile to use; CLEARING_PROFILE',
}
export const jsonFlag: GeneralFlag = {
  name: 'json',
  summary: 'output as JSON, one line for each row of a list',
}
const helpFlag: GeneralFlag = { name: 'help', letter: 'h', summary: 'this help' }
export const flagsOfAllVerbs: readonly GeneralFlag[] = [profileFlag, jsonFlag, helpFlag]

/** Beside a verb, it is refused. */
export const versionFlag: GeneralFlag = {
  name: 'version',
  letter: 'V',
  summary: 'the version of the program',
}

/** The flag as the parser and the help write it: `-p, --profile <name>`. */
export function spellingOf({ name, letter, value }: GeneralFlag): string {
  return `${letter === undefined ? '' : `-${letter}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
}

/** Whether the word of a command line is the flag. */
export function isFlag(word: string | undefined, { name, letter }: GeneralFlag): boolean {
  return word === `--${name}` || (letter !== undefined && word === `-${letter}`)
}
