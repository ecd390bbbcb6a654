// Inspects uploads in a few child processes with bounded time and memory, so that a parser that crashes or hangs on
// hostile bytes takes nothing with it: that file is quarantined, its process replaced, and the service goes on.
// (Processes and not threads: an abort or a fault in native code ends a thread's whole process.)
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { ReceivedUpload } from '../receive-upload.ts'
import type { Verdict } from './file-kind.ts'
import type { InspectionAnswer, InspectionRequest } from './inspect-worker.ts'

export type Inspection = Verdict | { outcome: 'quarantined'; cause: 'crashed' | 'timed-out' }

export type InspectorSettings = {
  /** Where uploads are received: the only folder of data the processes may read. */
  uploadFolder: string
  processesMax?: number
  /** For one file, from when a process takes it. */
  timeoutMs?: number
  memoryMegabytesMax?: number
  /** Files waiting for a process; more are refused. */
  waitingMax?: number
  /** Another program in place of inspect-worker, for tests of what happens when one fails. */
  workerFile?: string
}

export type Inspector = {
  /** Throws InspectorUnavailable when too many files wait or no process starts: "cannot inspect now", answered 503. */
  inspect(
    upload: Pick<ReceivedUpload, 'tempPath' | 'tempKey' | 'bytes'>,
    fileName: string,
  ): Promise<Inspection>
  /** Ends the processes; files under way are refused. */
  close(): Promise<void>
}

export class InspectorUnavailable extends Error {}

export const INSPECTION_PROCESSES_MAX = 2
export const INSPECTION_TIMEOUT_MS = 10_000
export const INSPECTION_MEMORY_MEGABYTES_MAX = 192
export const INSPECTION_WAITING_MAX = 64

type Job = {
  request: InspectionRequest
  resolve: (inspection: Inspection) => void
  reject: (fault: Error) => void
}
type Worker = {
  child: ChildProcess
  ready: boolean
  job?: Job | undefined
  timer?: NodeJS.Timeout | undefined
}

export function createInspector(settings: InspectorSettings): Inspector {
  const processesMax = settings.processesMax ?? INSPECTION_PROCESSES_MAX
  const timeoutMs = settings.timeoutMs ?? INSPECTION_TIMEOUT_MS
  const waitingMax = settings.waitingMax ?? INSPECTION_WAITING_MAX
  const waiting: Job[] = []
  const workers = new Set<Worker>()
  let closed = false

  function assign(): void {
    while (waiting.length > 0) {
      let worker = [...workers].find((candidate) => candidate.ready && !candidate.job)
      if (!worker && workers.size < processesMax) worker = start()
      if (!worker?.ready) return
      const job = waiting.shift()
      if (job) give(worker, job)
    }
  }

  function give(worker: Worker, job: Job): void {
    worker.job = job
    worker.child.ref()
    worker.timer = setTimeout(
      () => finish(worker, { outcome: 'quarantined', cause: 'timed-out' }, true),
      timeoutMs,
    )
    worker.child.send(job.request)
  }

  function start(): Worker {
    const worker: Worker = { child: forkWorker(settings), ready: false }
    workers.add(worker)
    worker.child.on('message', (answer: InspectionAnswer) => {
      if ('ready' in answer) {
        worker.ready = true
        worker.child.unref()
        worker.child.channel?.unref()
        assign()
      } else if ('verdict' in answer) {
        finish(worker, answer.verdict, false)
      } else {
        worker.job?.reject(new Error(`An upload could not be inspected: ${answer.fault}`))
        finish(worker, undefined, false)
      }
    })
    worker.child.on('error', () => end(worker))
    worker.child.on('exit', () => end(worker))
    return worker
  }

  function finish(worker: Worker, inspection: Inspection | undefined, kill: boolean): void {
    const { job } = worker
    clearTimeout(worker.timer)
    worker.job = undefined
    if (inspection) job?.resolve(inspection)
    if (kill) {
      workers.delete(worker)
      worker.child.kill('SIGKILL')
    } else {
      worker.child.unref()
    }
    assign()
  }

  function end(worker: Worker): void {
    if (!workers.delete(worker)) return
    if (worker.job) {
      finish(worker, { outcome: 'quarantined', cause: 'crashed' }, true)
    } else if (worker.ready || closed) {
      assign()
    } else {
      // It never came up: this is about the machine, not about any file.
      for (const job of waiting.splice(0))
        job.reject(new InspectorUnavailable('No inspecting process starts.'))
    }
  }

  return {
    inspect(upload, fileName) {
      if (closed) return Promise.reject(new InspectorUnavailable('The inspector is closed.'))
      if (waiting.length >= waitingMax) {
        return Promise.reject(new InspectorUnavailable(`More than ${waitingMax} files wait for inspection.`))
      }
      return new Promise((resolve, reject) => {
        const request = {
          tempPath: upload.tempPath,
          tempKey: upload.tempKey.export(),
          bytes: upload.bytes,
          fileName,
        }
        waiting.push({ request, resolve, reject })
        assign()
      })
    },
    async close() {
      closed = true
      const fault = new InspectorUnavailable('The inspector is closed.')
      for (const job of waiting.splice(0)) job.reject(fault)
      await Promise.all(
        [...workers].map((worker) => {
          workers.delete(worker)
          clearTimeout(worker.timer)
          worker.job?.reject(fault)
          return kill(worker.child)
        }),
      )
    },
  }
}

function forkWorker(settings: InspectorSettings): ChildProcess {
  const here = import.meta.dirname
  const workerFile = settings.workerFile ?? join(here, `inspect-worker${extname(import.meta.filename)}`)
  const readable = [join(here, '..', '..'), settings.uploadFolder, workerFile]
  return fork(workerFile, {
    execArgv: [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${settings.memoryMegabytesMax ?? INSPECTION_MEMORY_MEGABYTES_MAX}`,
    ],
    // Addresses and secrets of the service stay out of the process that reads hostile bytes.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.ref()
    child.kill('SIGKILL')
  })
}
