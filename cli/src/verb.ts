/** What a verb of the command line is: the one description from which parsing, help and completion follow. */
import type { Terminal } from './terminal.ts'

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

export interface Argument {
  readonly name: string
  readonly summary: string
  /** Optional arguments come last. */
  readonly optional?: boolean
  /** Values that completion offers. */
  readonly choices?: readonly string[]
}

export interface Flag {
  /** Without the dashes: `account-number`, `main.rep-code`. */
  readonly name: string
  readonly summary: string
  /** What stands for the value in the help; a flag without one is a yes. */
  readonly value?: string
  /** May be given several times. */
  readonly repeatable?: boolean
  /** Of a flag without value: `--no-…` says no, where a no differs from nothing. */
  readonly negatable?: boolean
  /** Values that completion offers; others are taken too. */
  readonly choices?: readonly string[]
}

/** What was given on the command line. */
export interface Given {
  readonly arguments: readonly string[]
  /** By name: values in order, or a yes or no. */
  readonly flags: ReadonlyMap<string, readonly string[] | boolean>
  /** The profile that was asked for. */
  readonly profile: string | undefined
  readonly json: boolean
}

export interface Verb {
  /** The words that name it: `['profile', 'add']`. */
  readonly path: readonly string[]
  readonly summary: string
  /** Further paragraphs of its help. */
  readonly description?: string
  /** Under which heading the overview lists it. */
  readonly group: string
  readonly arguments: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>
}

/** The value of a flag that is given once; undefined when it is absent. */
export function textOf(given: Given, flag: string): string | undefined {
  const values = given.flags.get(flag)
  return Array.isArray(values) ? values.at(-1) : undefined
}

export const isSet = (given: Given, flag: string): boolean => given.flags.get(flag) === true
