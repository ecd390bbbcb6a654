/** The command `move-firm` between two running cells, with the files of their settings. */
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bundleProgram } from '../bundle-program.ts'

/** The settings files of the old cell and of the new cell. */
export interface BetweenCells {
  readonly from: string
  readonly to: string
}

/** Writes the settings of a cell, one per line, and returns the path of the file. */
export async function writeSettings(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const path = join(folder, `${environment.CELL}.env`)
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(path, lines.join(''))
  return path
}

export async function startMove(
  { from, to }: BetweenCells,
  words: readonly string[],
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const main = await bundleProgram('server/src/main.ts')
  const all = [main, 'move-firm', '--from', from, '--to', to, ...words]
  return spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs the command. With `until`, kills it as soon as it prints this state. Returns the states that it printed. */
export async function runMove(
  between: BetweenCells,
  words: readonly string[],
  until?: string,
): Promise<string[]> {
  const command = await startMove(between, words)
  const ended = once(command, 'close')
  const failure = text(command.stderr)
  const states: string[] = []
  for await (const line of createInterface({ input: command.stdout })) {
    const state = / {2}(\w+)$/.exec(line)?.[1]
    if (state === undefined) continue
    states.push(state)
    if (state === until) command.kill('SIGKILL')
  }
  const [code] = await ended
  if (until === undefined) assert.equal(code, 0, await failure)
  else assert.ok(states.includes(until), `${states} ${await failure}`)
  return states
}
