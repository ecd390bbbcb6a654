/**
 * The commands that may follow `main.ts`, with their words and options. The help, and the check of the words before a
 * command runs, follow this table.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import type { MoveOptions } from './run-move-firm.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** What was written after the name of a command. */
export interface Given {
  readonly words: readonly string[]
  readonly options: MoveOptions & { readonly force?: boolean }
  readonly environment: NodeJS.ProcessEnv
  /** Ends the process if the settings have mistakes. */
  readonly readConfig: () => Config
}

export interface Command {
  readonly name: string
  /** What follows the name, as the help shows it. */
  readonly takes: string
  readonly does: string
  /** The number of words besides options. */
  readonly words: { readonly least: number; readonly most: number }
  readonly options: Options
  run(given: Given): Promise<void>
}

const none = { least: 0, most: 0 }
const one = { least: 1, most: 1 }
const force: Options = { force: { type: 'boolean' } }

export const commands: readonly Command[] = [
  {
    name: 'doctor',
    takes: '',
    does: 'examine the settings and what they name; changes nothing',
    words: none,
    options: {},
    run: async ({ environment }) => (await import('./doctor.ts')).runDoctor(environment),
  },
  {
    name: 'create-operations-credential',
    takes: '[--force]',
    does: 'create the first credential of operations; shows its secret once',
    words: none,
    options: force,
    run: async ({ options, readConfig }) => {
      const { createCredential } = await import('./create-first.ts')
      await createCredential(readConfig(), options.force === true)
    },
  },
  {
    name: 'create-admin',
    takes: 'E-MAIL NAME [--force]',
    does: 'create the first administrator of the console; shows the password once',
    words: { least: 1, most: Number.POSITIVE_INFINITY },
    options: force,
    run: async ({ words: [email = '', ...names], options, readConfig }) => {
      const { createAdmin } = await import('./create-first.ts')
      await createAdmin(readConfig(), email, names.join(' ') || 'Admin', options.force === true)
    },
  },
  {
    name: 'rewrap-keys',
    takes: '',
    does: 'wrap every key under the current master key',
    words: none,
    options: {},
    run: async ({ readConfig }) => (await import('./keep-keys.ts')).rewrapAllKeys(readConfig()),
  },
  {
    name: 'replace-data-key',
    takes: 'FIRM',
    does: 'seal new values of a firm with a new key',
    words: one,
    options: {},
    run: async ({ words: [firmId = ''], readConfig }) =>
      (await import('./keep-keys.ts')).replaceKeyOfFirm(readConfig(), firmId),
  },
  {
    name: 'remove-signing-key',
    takes: 'KID',
    does: 'remove a leaked key that signs tokens',
    words: one,
    options: {},
    run: async ({ words: [kid = ''], readConfig }) =>
      (await import('./keep-keys.ts')).removeLeakedKey(readConfig(), kid),
  },
  {
    name: 'move-firm',
    takes: 'FIRM --from FILE --to FILE [--remove | --call-off]',
    does: 'move a firm to another cell; each file has the settings of a cell',
    words: one,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      remove: { type: 'boolean' },
      'call-off': { type: 'boolean' },
    },
    run: async ({ words: [firmId = ''], options }) => {
      const { reportFault, runMoveFirm } = await import('./run-move-firm.ts')
      await runMoveFirm(firmId, options).catch(reportFault)
    },
  },
  {
    name: 'router-map',
    takes: '',
    does: 'print the cell of each client id, for the router',
    words: none,
    options: {},
    run: async ({ readConfig }) => {
      const { printRouterMap, reportFault } = await import('./run-move-firm.ts')
      await printRouterMap(readConfig()).catch(reportFault)
    },
  },
]

/** What `COMMAND --help` prints. */
export function renderUsage({ name, takes, does }: Command): string {
  return `Usage: ${[name, takes].filter(Boolean).join(' ')}\n\n${does}`
}

/** The words and options that follow a command; a text that says what is wrong with them. */
export function readWords(
  { name, takes, words: { least, most }, options }: Command,
  rest: readonly string[],
): Pick<Given, 'words' | 'options'> | string {
  const usage = `Usage: ${[name, takes].filter(Boolean).join(' ')}`
  try {
    const { positionals, values } = parseArgs({ args: [...rest], options, allowPositionals: true })
    if (positionals.length < least) return `${name}: a word is missing. ${usage}`
    if (positionals.length > most)
      return `${name}: ${positionals.slice(most).join(' ')} is too much. ${usage}`
    return { words: positionals, options: values }
  } catch (fault) {
    return `${name}: ${(fault as Error).message.split('. ')[0]}. ${usage}`
  }
}
