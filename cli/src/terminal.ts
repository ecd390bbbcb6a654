/**
 * The person's side: what is printed is the answer (standard output), what is noted is about it (standard error). Colours and
 * progress are for terminals alone; `NO_COLOR` turns colours off.
 */
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A terminal, or what is piped in. */
  readonly input: Readable & Partial<Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode'>>
  /** Whether answers are read by a person: standard output is a terminal. */
  readonly isPerson: boolean
  /** Whether progress is seen: standard error is a terminal. */
  readonly showsProgress: boolean
  readonly columns: number
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** A line of the answer; resolves when the reader is ready for more. */
  print(line: string): Promise<void>
  /** Bytes of the answer. */
  write(bytes: Uint8Array): Promise<void>
  /** A line about the answer. */
  note(line: string): void
  /** A line that the next one takes the place of, an empty one ends it; nothing where nobody sees it. */
  progress(line: string): void
  style(style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string): string
}

const columnsDefault = 120
const eraseLine = '\r\u001b[2K'

export function openTerminal(process: NodeJS.Process, signal: AbortSignal): Terminal {
  const { stdout, stderr, env } = process
  // A reader that has seen enough (`| head`) ends the program like the shell would.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const isPerson = stdout.isTTY === true
  const showsProgress = stderr.isTTY === true
  const hasColours = (isPerson || showsProgress) && !env.NO_COLOR && env.TERM !== 'dumb'
  let progressShown = false
  const clear = () => {
    if (progressShown) stderr.write(eraseLine)
    progressShown = false
  }
  const send = (chunk: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      clear()
      if (stdout.write(chunk)) resolve()
      else stdout.once('drain', resolve)
    })
  return {
    environment: env,
    input: process.stdin,
    isPerson,
    showsProgress,
    columns: stdout.columns ?? columnsDefault,
    signal,
    print: (line) => send(`${line}\n`),
    write: send,
    note(line) {
      clear()
      stderr.write(`${line}\n`)
    },
    progress(line) {
      if (!showsProgress) return
      if (line === '') return clear()
      stderr.write(eraseLine + line.slice(0, (stderr.columns ?? columnsDefault) - 1))
      progressShown = true
    },
    style: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
  }
}
