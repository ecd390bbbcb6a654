/** The command line beside a running service, with a profile of Alpha and one of the clearing firm. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { type RunningService, startRunningService } from './running-service.ts'

export let service: RunningService
export let clearing: CommandLine

/** Starts the service before the tests of a file, and ends it after them. */
export function startBeforeTests(): void {
  before(async () => {
    service = await startRunningService()
    clearing = await openCommandLine()
    for (const name of ['alpha', 'operations']) {
      const added = await clearing.run(['profile', 'add', name, '--url', service.address], {
        input: `${name}-sandbox-secret\n`,
      })
      assert.equal(added.exitCode, 0, added.stderr)
    }
  })
  after(async () => {
    await clearing?.[Symbol.asyncDispose]()
    await service?.stop()
  })
}

export function rowsOf(text: string) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export function write(name: string, text: string) {
  return writeFile(join(clearing.folder, name), text)
}
export function read(name: string) {
  return readFile(join(clearing.folder, name), 'utf8')
}
