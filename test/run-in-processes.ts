/**
 * Runs test files in a few processes. A process runs one file after another, so that it loads and compiles the modules
 * once. A process that ends early or hangs loses only its current file: another process runs the rest.
 */
import { fork } from 'node:child_process'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'

/** A message of a process about the file that it runs. */
export type FromProcess =
  | { readonly type: 'begun' | 'passed' | 'skipped'; readonly name: string }
  | { readonly type: 'failed'; readonly name: string; readonly error: string }
  | { readonly type: 'ended'; readonly memoryMb: number; readonly processorMs: number }

export interface Listener {
  passed(file: string): void
  skipped(file: string): void
  failed(file: string, name: string, error: string): void
  /** The file has ended. `output` is the end of what its process wrote while the file ran. */
  ended(file: string, times: FileTimes, output: string): void
}

export interface FileTimes {
  readonly timeMs: number
  /**
   * The processor time of the process and of the programs that it started and that have ended. Zero for a process that
   * ended early.
   */
  readonly processorMs: number
}

export interface ProcessSettings {
  readonly processes: number
  /** The longest time of one file. */
  readonly fileTimeoutMs: number
  /** Whether a file needs a process of its own. */
  readonly isAlone: (file: string) => boolean
}

const outputMax = 4_000
/**
 * A process that uses more memory than this after a file is replaced, because the memory of closed services is not
 * freed at once. The new process loads and compiles the service again.
 */
const memoryMbMax = Math.min(1_500, Math.max(800, totalmem() / 2 ** 20 / 16))
const program = resolve(import.meta.dirname, 'test-process.ts')

/**
 * The files of a group load much the same modules. Each process begins with a different group, if there are enough, and
 * prefers the group of its last file.
 */
export async function runInProcesses(
  groups: readonly (readonly string[])[],
  settings: ProcessSettings,
  listener: Listener,
): Promise<void> {
  const waiting = groups.map((files) => [...files])
  const take = (last?: string): string | undefined => {
    const own = waiting[groups.findIndex((files) => last !== undefined && files.includes(last))]
    return (own?.length ? own : waiting.find((files) => files.length > 0))?.shift()
  }
  const run = async (_: unknown, number: number) => {
    for (let file = waiting[number]?.shift() ?? take(); file !== undefined; ) {
      const last = await runProcess(file, take, settings, listener)
      file = last.left ?? take(last.file)
    }
  }
  await Promise.all(Array.from({ length: settings.processes }, run))
}

/** Runs a file and those after it. `left` is a file that was taken and needs another process. */
function runProcess(
  first: string,
  take: (last: string) => string | undefined,
  { fileTimeoutMs, isAlone }: ProcessSettings,
  listener: Listener,
): Promise<{ file: string; left: string | undefined }> {
  const child = fork(program, {
    execArgv: ['--test-reporter', program, '--test-reporter-destination', 'stderr'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let file = first
  let test = ''
  let output = ''
  let left: string | undefined
  let sinceMs = 0
  let hasFailed = false
  let isRunning = false
  let timeout: NodeJS.Timeout | undefined

  const begin = (next: string) => {
    file = next
    test = ''
    output = ''
    sinceMs = performance.now()
    isRunning = true
    timeout = setTimeout(() => child.kill('SIGKILL'), fileTimeoutMs)
    child.send(file)
  }
  const fail = (name: string, error: string) => {
    hasFailed = true
    listener.failed(file, name, error)
  }
  const end = (processorMs = 0) => {
    clearTimeout(timeout)
    isRunning = false
    listener.ended(file, { timeMs: performance.now() - sinceMs, processorMs }, output)
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputMax)
    })
  child.on('message', (message: FromProcess) => {
    if (message.type === 'begun') test = message.name
    else if (message.type === 'failed') fail(message.name, message.error)
    else if (message.type !== 'ended') listener[message.type](file)
    else {
      end(message.processorMs)
      const next = isAlone(file) || message.memoryMb > memoryMbMax ? undefined : take(file)
      if (next !== undefined && !isAlone(next)) return begin(next)
      left = next
      child.disconnect()
    }
  })
  begin(first)
  return new Promise((done) => {
    child.on('exit', (code, signal) => {
      if (isRunning) {
        fail(test, `the process ended during this test, or had to be ended: ${signal ?? code}`)
        end()
      } else if (code !== 0 && !hasFailed) {
        fail('the process after the last test', `it ended with ${signal ?? code}\n${output}`)
      }
      done({ file, left })
    })
  })
}
