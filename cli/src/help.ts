/** The help: an overview of the verbs by group, and a page for each verb. */
import { flagsOfAllVerbs, spellingOf, versionFlag } from './flags-of-all-verbs.ts'
import type { Flag, Verb } from './verb.ts'

const textWidth = 100
const columnMax = 48

/** All verbs, or the verbs below the first words of a path. */
export function renderOverview(verbs: readonly Verb[], above: readonly string[] = []): string {
  const shown = verbs.filter(({ path }) => above.every((word, at) => path[at] === word))
  const width = Math.max(...shown.map((verb) => callOf(verb).length))
  const groups = [...new Set(shown.map(({ group }) => group))]
  const lists = groups.map((group) => {
    const lines = shown
      .filter((verb) => verb.group === group)
      .map((verb) => `  ${callOf(verb).padEnd(width)}  ${verb.summary}`)
    return `${group}\n${lines.join('\n')}\n`
  })
  const usage = ['clearing', ...above, '<verb> [arguments] [flags]'].join(' ')
  return `${usage}\n\n${lists.join('\n')}\n${everywhere}\n\nclearing <verb> --help shows the help of a verb.\n`
}

const everywhere = [
  'Everywhere',
  ...list([...flagsOfAllVerbs, versionFlag].map((flag) => [spellingOf(flag), flag.summary])),
].join('\n')

/** The help page of a verb. */
export function renderHelp(verb: Verb): string {
  const parts = [
    `clearing ${callOf(verb)}${verb.flags.length > 0 ? ' [flags]' : ''}`,
    fold(`${verb.summary}.`),
  ]
  if (verb.description !== undefined && verb.description !== '') parts.push(fold(plain(verb.description)))
  const described = verb.arguments.filter(({ summary }) => summary !== '')
  if (described.length > 0) {
    parts.push(['Arguments', ...list(described.map(({ name, summary }) => [name, summary]))].join('\n'))
  }
  if (verb.flags.length > 0) {
    parts.push(['Flags', ...list(verb.flags.map((flag) => [nameOf(flag), flag.summary]))].join('\n'))
  }
  return `${parts.join('\n\n')}\n\n--json and --profile <name> are flags of every verb: clearing --help\n`
}

function callOf({ path, arguments: given }: Verb): string {
  return [...path, ...given.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`))].join(' ')
}

function nameOf({ name, value, negatable, repeatable }: Flag): string {
  if (value === undefined) return negatable ? `--[no-]${name}` : `--${name}`
  return `--${name} <${value}>${repeatable ? '…' : ''}`
}

function list(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(columnMax, Math.max(...rows.map(([name]) => name.length)))
  return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`.trimEnd())
}

function plain(markdown: string) {
  return markdown.replaceAll('`', '')
}

/** Lines of at most `textWidth` characters. */
function fold(text: string): string {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) as string
    if (line !== '' && line.length + 1 + word.length > textWidth) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
