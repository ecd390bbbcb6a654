#!/usr/bin/env node
/** The program `clearing`. The first Ctrl-C ends it after cleanup, the second one ends it at once. */
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { openTerminal } from './terminal.ts'
import { Interrupted } from './wrong-usage.ts'

const oldestNode = 20

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  console.error(`clearing needs Node.js ${oldestNode} or newer; this is ${process.version}.`)
  process.exit(1)
}

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => ended.abort(new Interrupted(signal)))
}
// Halves the time to the first response. The cache is in the user's own folder, because other users could write
// to a shared folder.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'clearing'))
// Imported late, so that an older Node.js can print the message above.
const { runCommandLine } = await import('./run.ts')
const terminal = openTerminal(process, ended.signal)
process.exitCode = await runCommandLine(process.argv.slice(2), terminal)
terminal.progress('')
if (ended.signal.aborted) process.exit()
