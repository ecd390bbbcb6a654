/** The command of the service. `commands/commands.ts` lists what may follow it; without a word it runs the service. */
import cluster from 'node:cluster'
import { commands, readWords, renderUsage } from './commands/commands.ts'
import { type Config, ConfigMistakes, readConfig } from './config/config.ts'
import { keepMemorySmall } from './memory-settings.ts'
import { ParentLink } from './processes/parent-link.ts'

const oldestNode = 24

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  fail(
    `This needs Node.js ${oldestNode} or newer; this is ${process.version}. Run it with "npm start", which uses the one that npm ci installed.`,
  )
}

function readConfigOrFail(settings: readonly string[]): Config {
  try {
    return readConfig(process.env, settings)
  } catch (fault) {
    if (fault instanceof ConfigMistakes) return fail(fault.message)
    throw fault
  }
}

const [word, ...rest] = process.argv.slice(2)
const command = commands.find(({ name }) => name === word)
if (word === '--help' || word === '-h' || word === 'help') {
  const { help } = await import('./commands/help.ts')
  console.log(help)
} else if (command !== undefined) {
  const given = rest.includes('--help') || rest.includes('-h') ? undefined : readWords(command, rest)
  if (given === undefined) console.log(renderUsage(command))
  else if (typeof given === 'string') fail(given)
  else await command.run({ ...given, environment: process.env, readConfig: () => readConfigOrFail([]) })
} else {
  const config = readConfigOrFail(process.argv.slice(2))
  keepMemorySmall()
  if (config.processes > 1 && cluster.isPrimary) {
    const { runProcesses } = await import('./run-processes.ts')
    await runProcesses(config)
  } else {
    const { run } = await import('./run.ts')
    await run(config, cluster.isWorker ? await ParentLink.open() : undefined)
  }
}
