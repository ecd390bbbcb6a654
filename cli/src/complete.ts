/** The completions of a command line: verbs, flags and values of flags. The scripts of the shells request them. */
import { flagsOfAllVerbs, isFlag, profileFlag, versionFlag } from './flags-of-all-verbs.ts'
import type { Argument, Flag, Verb } from './verb.ts'

export interface Candidate {
  readonly value: string
  readonly summary: string
}

/**
 * The candidates for the last word, given the words after the program's name. If there are none, a file is possible,
 * and shells offer files.
 */
export function complete(
  verbs: readonly Verb[],
  words: readonly string[],
  profiles: readonly string[],
): readonly Candidate[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const matching = (candidates: readonly Candidate[]) =>
    candidates.filter(({ value }) => value.startsWith(last))
  const { verb, said } = findVerb(verbs, before)
  const flags = [...(verb?.flags ?? [versionFlag]), ...flagsOfAllVerbs]
  const open = flags.find((flag) => flag.value !== undefined && isFlag(before.at(-1), flag))
  if (open !== undefined) return matching(open === profileFlag ? profiles.map(named) : choicesOf(open))
  if (last.startsWith('-')) return matching(flags.map(renderFlag))
  if (verb === undefined) return matching(nextWords(verbs, said))
  const argument = verb.arguments[said.length - verb.path.length]
  return argument === undefined ? [] : matching(choicesOf(argument))
}

function named(value: string): Candidate {
  return { value, summary: '' }
}
function choicesOf({ choices = [] }: Flag | Argument): Candidate[] {
  return choices.map(named)
}
function renderFlag({ name, summary }: Flag): Candidate {
  return { value: `--${name}`, summary }
}

/** The verb of the words, and the words that are neither flags nor values of flags. */
function findVerb(verbs: readonly Verb[], words: readonly string[]) {
  const said: string[] = []
  let verb: Verb | undefined
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string
    if (!word.startsWith('-')) {
      said.push(word)
      verb ??= verbs.find(
        ({ path }) => path.length === said.length && path.every((each, i) => each === said[i]),
      )
      continue
    }
    const flag = [...(verb?.flags ?? []), ...flagsOfAllVerbs].find((one) => isFlag(word, one))
    if (flag?.value !== undefined) at += 1
  }
  return { verb, said }
}

/** The words that can follow in the path of a verb. */
function nextWords(verbs: readonly Verb[], said: readonly string[]): Candidate[] {
  const next = new Map<string, string>()
  for (const { path, summary } of verbs) {
    const word = path[said.length]
    if (word === undefined || !said.every((each, at) => each === path[at])) continue
    next.set(word, next.has(word) || path.length > said.length + 1 ? '' : summary)
  }
  return [...next].map(([value, summary]) => ({ value, summary }))
}
