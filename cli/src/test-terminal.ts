/** A terminal for tests, which records its output. */
import { PassThrough } from 'node:stream'
import type { Terminal } from './terminal.ts'

export interface TestTerminal extends Terminal {
  readonly printed: string[]
  readonly noted: string[]
  readonly progressed: string[]
}

export function makeTestTerminal(settings: Partial<Terminal> = {}): TestTerminal {
  const printed: string[] = []
  const noted: string[] = []
  const progressed: string[] = []
  return {
    environment: {},
    input: new PassThrough(),
    isTty: false,
    showsProgress: false,
    columns: 80,
    signal: new AbortController().signal,
    print: async (line) => void printed.push(line),
    write: async (bytes) => void printed.push(new TextDecoder().decode(bytes)),
    note: (line) => void noted.push(line),
    progress: (line) => void progressed.push(line),
    style: (_style, text) => text,
    ...settings,
    printed,
    noted,
    progressed,
  }
}
