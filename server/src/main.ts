/** The command of the service. `commands/help.ts` describes what follows it; without a word it runs the service. */
import cluster from 'node:cluster'
import { ConfigMistakes, readConfig } from './config/config.ts'
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

function readConfigOrFail(settings: readonly string[]) {
  try {
    return readConfig(process.env, settings)
  } catch (fault) {
    if (fault instanceof ConfigMistakes) return fail(fault.message)
    throw fault
  }
}

const [command, ...rest] = process.argv.slice(2)
if (command === '--help' || command === '-h' || command === 'help') {
  const { help } = await import('./commands/help.ts')
  console.log(help)
} else if (command === 'doctor') {
  const { runDoctor } = await import('./commands/doctor.ts')
  await runDoctor(process.env, rest)
} else if (command === 'create-operations-credential') {
  const { createCredential } = await import('./commands/create-first.ts')
  await createCredential(readConfigOrFail([]), rest.includes('--force'))
} else if (command === 'create-admin') {
  const [email = '', ...names] = rest.filter((word) => word !== '--force')
  const { createAdmin } = await import('./commands/create-first.ts')
  await createAdmin(readConfigOrFail([]), email, names.join(' ') || 'Admin', rest.includes('--force'))
} else if (command === 'rewrap-keys') {
  const { rewrapAllKeys } = await import('./commands/keep-keys.ts')
  await rewrapAllKeys(readConfigOrFail([]))
} else if (command === 'replace-data-key') {
  const { replaceKeyOfFirm } = await import('./commands/keep-keys.ts')
  await replaceKeyOfFirm(readConfigOrFail([]), rest[0] ?? '')
} else if (command === 'remove-signing-key') {
  const { removeLeakedKey } = await import('./commands/keep-keys.ts')
  await removeLeakedKey(readConfigOrFail([]), rest[0] ?? '')
} else if (command === 'move-firm') {
  const { reportFault, runMoveFirm } = await import('./commands/run-move-firm.ts')
  await runMoveFirm(rest).catch(reportFault)
} else if (command === 'router-map') {
  const { printRouterMap, reportFault } = await import('./commands/run-move-firm.ts')
  await printRouterMap(readConfigOrFail([])).catch(reportFault)
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
