/**
 * The terminal: `print` writes the output (standard output), `note` writes remarks about it (standard error). Colors
 * and progress are shown on terminals only; `NO_COLOR` disables colors.
 */
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A terminal, or what is piped in. */
  readonly input: Readable & Partial<Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode'>>
  /** Whether standard output is a terminal. */
  readonly isTty: boolean
  /** Whether standard error is a terminal, which shows progress. */
  readonly showsProgress: boolean
  readonly columns: number
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Writes a line of the output. Resolves when the reader is ready for more. */
  print(line: string): Promise<void>
  /** Writes bytes of the output. */
  write(bytes: Uint8Array): Promise<void>
  /** Writes a remark. */
  note(line: string): void
  /**
   * Shows a line that the next line replaces. An empty text removes the line. Does nothing if standard error is not a
   * terminal.
   */
  progress(line: string): void
  style(style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string): string
}

const columnsDefault = 120
const eraseLine = '\r\u001b[2K'

export function openTerminal(process: NodeJS.Process, signal: AbortSignal): Terminal {
  const { stdout, stderr, env } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe (`| head`) ends the program, as a shell would.
    if (error.code === 'EPIPE') return process.exit(0)
    stderr.write(`The output is incomplete: ${error.message}\n`)
    process.exit(1)
  })
  const isTty = stdout.isTTY === true
  const showsProgress = stderr.isTTY === true
  const hasColours = (isTty || showsProgress) && !env.NO_COLOR && env.TERM !== 'dumb'
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
    isTty,
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
