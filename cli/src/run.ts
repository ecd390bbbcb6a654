/** Runs one command line: finds its verb, runs it, prints errors, and returns the exit code. */
import { createRequire } from 'node:module'
import { complete } from './complete.ts'
import { renderings } from './completion-scripts.ts'
import { explain } from './explain.ts'
import { ParserExit, parse } from './parse.ts'
import { readProfiles } from './profiles.ts'
import type { Terminal } from './terminal.ts'
import { listVerbs } from './verbs.ts'

export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const verbs = listVerbs()
  const rendering = renderings[terminal.environment.CLEARING_COMPLETE ?? '']
  if (rendering !== undefined) {
    const profiles = await readProfiles(terminal.environment).catch(() => ({ profiles: {} }))
    for (const candidate of complete(verbs, words, Object.keys(profiles.profiles))) {
      await terminal.print(rendering(candidate))
    }
    return 0
  }
  try {
    const { verb, given } = await parse(verbs, words, version())
    return await verb.run(given, terminal)
  } catch (error) {
    if (error instanceof ParserExit) return error.exitCode
    return explain(error, words.includes('--json'), terminal)
  }
}

function version(): string {
  return (createRequire(import.meta.url)('../package.json') as { version: string }).version
}
