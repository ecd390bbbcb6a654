/** `completion bash|zsh|fish`: prints the completion script of a shell. */
import { completionScripts, type Shell } from '../completion-scripts.ts'
import type { Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

const shells = Object.keys(completionScripts)

export const completionVerb: Verb = {
  path: ['completion'],
  group: 'Shells',
  summary: 'Print the script that completes verbs, flags and codes in a shell',
  description:
    'bash: source <(clearing completion bash). zsh: the same with zsh. fish: clearing completion fish | source.',
  arguments: [{ name: 'shell', summary: shells.join(', '), choices: shells }],
  flags: [],
  async run({ arguments: [shell = ''] }, terminal) {
    if (!Object.hasOwn(completionScripts, shell)) throw new WrongUsage(`The shells are ${shells.join(', ')}.`)
    await terminal.print(completionScripts[shell as Shell].trimEnd())
    return 0
  },
}
