/** The definition of a verb of the command line. Parsing, help and completion derive from it. */
import type { Terminal } from './terminal.ts'

/** 0: done. 1: rejected or failed. 2: wrong usage. 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130

export interface Argument {
  readonly name: string
  readonly summary: string
  /** Whether the argument is optional. Optional arguments come last. */
  readonly optional?: boolean
  /** Values that completion offers. */
  readonly choices?: readonly string[]
}

export interface Flag {
  /** The name without dashes: `account-number`, `main.rep-code`. */
  readonly name: string
  readonly summary: string
  /** The placeholder of the value in the help. A flag without a value means true. */
  readonly value?: string
  /** Whether the flag can be repeated. */
  readonly repeatable?: boolean
  /** For a flag without a value: whether `--no-…` means false, if false differs from absent. */
  readonly negatable?: boolean
  /** Values that completion offers. Other values are accepted too. */
  readonly choices?: readonly string[]
}

/** The parsed command line. */
export interface Given {
  readonly arguments: readonly string[]
  /** The flags by name: values in order, or a Boolean value. */
  readonly flags: ReadonlyMap<string, readonly string[] | boolean>
  /** The profile named by --profile. */
  readonly profile: string | undefined
  readonly json: boolean
}

export interface Verb {
  /** The words of the verb: `['profile', 'add']`. */
  readonly path: readonly string[]
  readonly summary: string
  /** Further paragraphs of the help. */
  readonly description?: string
  /** The heading of the verb in the overview. */
  readonly group: string
  readonly arguments: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>
}

/** The value of a flag that occurs once; undefined if it is absent. */
export function textOf(given: Given, flag: string): string | undefined {
  const values = given.flags.get(flag)
  return Array.isArray(values) ? values.at(-1) : undefined
}

export function isSet(given: Given, flag: string): boolean {
  return given.flags.get(flag) === true
}
