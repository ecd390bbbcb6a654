/** The help of the command of the service: what may follow `npm start --` or `main.ts`. */
import { commands } from './commands.ts'

const others = {
  service: ['(nothing)', 'run the service; in the sandbox the first start makes demonstration accounts'],
  empty: ['--empty', 'the same, without demonstration accounts'],
  help: ['--help', 'print this text'],
} as const

const lines = [
  others.service,
  others.empty,
  ...commands.map(({ name, takes, does }) => [`${name} ${takes}`.trim(), does] as const),
  others.help,
]
const width = Math.max(...lines.map(([words]) => words.length)) + 2

export const help = `Runs the Clearing Account Service: npm start, or node server/src/main.ts.

Usage: npm start -- [--empty | COMMAND]

${lines.map(([words, does]) => `  ${words.padEnd(width)}${does}`).join('\n')}

Settings are environment variables, such as PORT, DATA_DIR and DATABASE_URL. docs/operating.md lists them all.`
