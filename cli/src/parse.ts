/** Binds the verbs to commander, which parses the command line. Only this file uses commander. */
import { Command } from 'commander'
import { isFlag, jsonFlag, profileFlag, spellingOf, versionFlag } from './flags-of-all-verbs.ts'
import { renderHelp, renderOverview } from './help.ts'
import type { ExitCode, Flag, Given, Verb } from './verb.ts'
import { WrongUsage } from './wrong-usage.ts'

type Parser = InstanceType<typeof Command>

export interface Parsed {
  readonly verb: Verb
  readonly given: Given
}

/** Thrown after the parser has printed an error or the help. */
export class ParserExit extends Error {
  override readonly name = 'ParserExit'
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode) {
    super('reported')
    this.exitCode = exitCode
  }
}

/** Parses the words after the program's name. Throws `ParserExit` or `WrongUsage`. */
export async function parse(
  verbs: readonly Verb[],
  words: readonly string[],
  version: string,
): Promise<Parsed> {
  refuseStrayVersion(verbs, words)
  let parsed: Parsed | undefined
  const root = prepare(new Command('clearing'), verbs, [], () => renderOverview(verbs))
    .version(version, spellingOf(versionFlag), versionFlag.summary)
    .option(spellingOf(profileFlag), profileFlag.summary)
    .option(spellingOf(jsonFlag), jsonFlag.summary)
  const commands = new Map<string, Parser>([['', root]])
  for (const verb of verbs) {
    const command = prepare(makeCommand(commands, verbs, verb.path), verbs, verb.path, () => renderHelp(verb))
    const values = addFlags(command, verb.flags)
    if (verb.arguments.length > 0) {
      command.arguments(
        verb.arguments.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`)).join(' '),
      )
    }
    command.action(() => {
      const { args } = command
      const { profile, json } = root.opts() as { profile?: string; json?: boolean }
      const given = {
        arguments: args,
        flags: collect(command, verb.flags, values),
        profile,
        json: json === true,
      }
      parsed = { verb, given }
    })
  }
  try {
    await root.parseAsync([...words], { from: 'user' })
  } catch (error) {
    const { code = '', exitCode } = error as { code?: string; exitCode?: number }
    if (!code.startsWith('commander.')) throw error
    throw new ParserExit(exitCode === 0 ? 0 : 2)
  }
  if (parsed === undefined) throw new ParserExit(2)
  return parsed
}

/**
 * Refuses `--version` beside a verb. It is meant as a version of what the verb changes, and the verb must not end as if
 * it had run.
 */
function refuseStrayVersion(verbs: readonly Verb[], words: readonly string[]): void {
  if (!words.some((word) => isFlag(word, versionFlag))) return
  const names = words.filter((word) => !word.startsWith('-'))
  const found = verbs.find(({ path }) =>
    names.some((_, at) => path.every((word, index) => names[at + index] === word)),
  )
  if (found === undefined) return
  const meant = found.flags.find(({ name }) => name.endsWith('-version'))?.name
  const advice = meant === undefined ? '' : `. Did you mean --${meant}?`
  throw new WrongUsage(`--version stands without a verb: clearing --version${advice}`)
}

function prepare(
  command: Parser,
  verbs: readonly Verb[],
  path: readonly string[],
  help: () => string,
): Parser {
  command.storeOptionsAsProperties(false)
  command.exitOverride((error) => {
    throw error
  })
  command.helpInformation = help
  command.configureOutput({
    outputError: (text, write) => write(`${text}${suggest(text, verbs, path)}`),
  })
  return command
}

/** A suggestion if the parser has none: the verbs with this last word, or where the verbs are listed. */
function suggest(reported: string, verbs: readonly Verb[], path: readonly string[]): string {
  if (reported.includes('Did you mean')) return ''
  const word = /unknown command '([^']+)'/.exec(reported)?.[1]
  const meant = verbs.filter((verb) => verb.path.at(-1) === word).map((verb) => verb.path.join(' '))
  if (meant.length > 0) return `(Did you mean ${meant.join(' or ')}?)\n`
  return `(${['clearing', ...path, '--help'].join(' ')} shows the help.)\n`
}

/** The command of a path, below the commands of its first words. */
function makeCommand(commands: Map<string, Parser>, verbs: readonly Verb[], path: readonly string[]): Parser {
  const above = path.slice(0, -1)
  const key = above.join(' ')
  const parent =
    commands.get(key) ??
    prepare(makeCommand(commands, verbs, above), verbs, above, () => renderOverview(verbs, above))
  commands.set(key, parent)
  const command = parent.command(path.at(-1) as string) as Parser
  commands.set(path.join(' '), command)
  return command
}

function addFlags(command: Parser, flags: readonly Flag[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { name, value, summary, negatable } of flags) {
    if (value === undefined) {
      command.option(`--${name}`, summary)
      if (negatable) command.option(`--no-${name}`, summary)
      continue
    }
    const keep = (text: string) => {
      values.set(name, [...(values.get(name) ?? []), text])
      return text
    }
    command.option(`--${name} <value>`, summary, keep)
  }
  return values
}

function collect(
  command: Parser,
  flags: readonly Flag[],
  values: ReadonlyMap<string, string[]>,
): Given['flags'] {
  const answers = command.opts() as Record<string, unknown>
  const collected = new Map<string, readonly string[] | boolean>()
  for (const { name, value, repeatable } of flags) {
    const texts = values.get(name)
    const answer = answers[camelCase(name)]
    if (value === undefined && typeof answer === 'boolean') collected.set(name, answer)
    if (texts === undefined) continue
    if (texts.length > 1 && !repeatable) throw new WrongUsage(`--${name} is given ${texts.length} times`)
    collected.set(name, texts)
  }
  return collected
}

/** The name of a flag in commander. */
function camelCase(name: string) {
  return name.split('-').reduce((whole, word) => whole + word.charAt(0).toUpperCase() + word.slice(1))
}
