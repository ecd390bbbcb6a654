/** Runs the program `clearing` as a process with its own home folder. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '../bundle-program.ts'

const timeoutMs = 90_000

export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly ended: Promise<Ended>
  /** Resolves when standard output and error together match; fails when the program ends before. */
  until(pattern: RegExp): Promise<RegExpMatchArray>
  interrupt(): void
}

export interface RunSettings {
  readonly input?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
}

export interface CommandLine extends AsyncDisposable {
  /** The working folder, where files may lie. */
  readonly folder: string
  /** Runs a command line to its end. */
  run(words: readonly string[], settings?: RunSettings): Promise<Ended>
  /** Starts one that goes on. */
  start(words: readonly string[], settings?: RunSettings): Started
}

export async function openCommandLine(): Promise<CommandLine> {
  const program = await bundleProgram('cli/src/main.ts')
  const folder = await mkdtemp(join(tmpdir(), 'command-line-'))
  const start = (words: readonly string[], { input = '', environment = {} }: RunSettings = {}): Started => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, 'config'),
        // Of the test run: a folder of its own would compile everything anew.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let stdout = ''
    let stderr = ''
    const heard = new Set<() => void>()
    const hear = () => {
      for (const listener of heard) listener()
    }
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece
      hear()
    })
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece
      hear()
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const ended = new Promise<Ended>((done, fail) => {
      child.on('error', fail)
      child.on('close', (exitCode) => {
        done({ exitCode, stdout, stderr })
        hear()
      })
    })
    return {
      ended,
      until: (pattern) =>
        new Promise((found, fail) => {
          const listener = () => {
            const match = (stdout + stderr).match(pattern)
            if (match !== null) found(match)
            else if (child.exitCode !== null || child.signalCode !== null) {
              fail(new Error(`it ended without ${pattern}:\n${stdout}${stderr}`))
            }
            if (match !== null || child.exitCode !== null) heard.delete(listener)
          }
          heard.add(listener)
          listener()
        }),
      interrupt: () => child.kill('SIGINT'),
    }
  }
  return {
    folder,
    start,
    run: (words, settings) => start(words, settings).ended,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
