// Inspects uploads in a few child processes with limited time and memory, so that a parser that crashes or
// hangs on hostile bytes affects only its own file. Such a file is quarantined, its process is replaced, and
// the service continues. Firms are served in turn, and one process stays free for other firms, so that one
// firm's files do not slow another's. Processes are used instead of threads, because an abort or a fault in
// native code ends all threads of a process.
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FairQueue } from '../fair-queue.ts'
import type { ReceivedUpload } from '../receive-upload.ts'
import type { Verdict } from './file-kind.ts'
import type { InspectionAnswer, InspectionRequest } from './inspect-worker.ts'
import { readProcessorMs } from './processor-time.ts'

export type Inspection = Verdict | { outcome: 'quarantined'; cause: 'crashed' | 'timed-out' }

export type InspectorSettings = {
  /** The folder of uploads: the only folder of data that the processes may read. */
  uploadFolder: string
  processesMax?: number
  /** The time limit of one file after a process takes it, instead of a limit by its size. See `machineBusyRounds`. */
  timeoutMs?: number
  /** The time limit of a process until it is ready to take a file. */
  startTimeoutMs?: number
  memoryMegabytesMax?: number
  /** The number of files that may wait, for one firm and in total; more are refused. */
  waitingOfFirmMax?: number
  waitingMax?: number
  /** A program instead of inspect-worker, for tests of failures. */
  workerFile?: string
}

export type Inspector = {
  /**
   * Throws InspectorUnavailable when too many files wait, no process starts or the machine is too busy; the response is
   * 503. Files without a firm wait in one queue and may use every process.
   */
  inspect(
    upload: Pick<ReceivedUpload, 'tempPath' | 'tempKey' | 'bytes'>,
    fileName: string,
    firmId?: string,
  ): Promise<Inspection>
  /** Ends the processes; files in progress are refused. */
  close(): Promise<void>
}

export class InspectorUnavailable extends Error {}

const INSPECTION_PROCESSES_MAX = 2
/** Time for a file of any size, and for each megabyte of it: fifteen seconds for the largest file. */
export const INSPECTION_BASE_MS = 5_000
export const INSPECTION_MS_PER_MEGABYTE = 1_000
/**
 * If a process got less than half of its time limit of the processor, the machine kept it waiting, and the
 * time shows nothing about its file. The file then gets the time limit again, for this number of times. After
 * that, the response is 503.
 */
const machineBusyRounds = 3
const INSPECTION_START_MS = 30_000
const INSPECTION_MEMORY_MEGABYTES_MAX = 192
const INSPECTION_WAITING_OF_FIRM_MAX = 64
const INSPECTION_WAITING_MAX = 256
const MEGABYTE = 1024 * 1024
const NO_FIRM = ''

type Job = {
  firmId: string
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
  return new InspectorProcesses(settings)
}

class InspectorProcesses implements Inspector {
  readonly #settings: InspectorSettings
  readonly #processesMax: number
  readonly #waiting = new FairQueue<Job>()
  readonly #workers = new Set<Worker>()
  #closed = false

  constructor(settings: InspectorSettings) {
    this.#settings = settings
    this.#processesMax = settings.processesMax ?? INSPECTION_PROCESSES_MAX
  }

  inspect(
    upload: Pick<ReceivedUpload, 'tempPath' | 'tempKey' | 'bytes'>,
    fileName: string,
    firmId: string = NO_FIRM,
  ): Promise<Inspection> {
    if (this.#closed) return Promise.reject(new InspectorUnavailable('The inspector is closed.'))
    if (this.#isFull(firmId))
      return Promise.reject(new InspectorUnavailable('Too many files wait for inspection.'))
    return new Promise((resolve, reject) => {
      const request = {
        tempPath: upload.tempPath,
        tempKey: upload.tempKey.export(),
        bytes: upload.bytes,
        fileName,
      }
      this.#waiting.add(firmId, { firmId, request, resolve, reject })
      this.#assign()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const fault = new InspectorUnavailable('The inspector is closed.')
    for (const job of this.#waiting.takeAll()) job.reject(fault)
    await Promise.all(
      [...this.#workers].map((worker) => {
        this.#workers.delete(worker)
        clearTimeout(worker.timer)
        worker.job?.reject(fault)
        return kill(worker.child)
      }),
    )
  }

  #isFull(firmId: string): boolean {
    const { waitingMax = INSPECTION_WAITING_MAX, waitingOfFirmMax = INSPECTION_WAITING_OF_FIRM_MAX } =
      this.#settings
    return this.#waiting.size >= waitingMax || this.#waiting.sizeOf(firmId) >= waitingOfFirmMax
  }

  /** One process is reserved for other firms. */
  #mayServe(firmId: string): boolean {
    const own = [...this.#workers].filter(({ job }) => job?.firmId === firmId).length
    return firmId === NO_FIRM || own < Math.max(1, this.#processesMax - 1)
  }

  #assign(): void {
    const mayServe = (firmId: string) => this.#mayServe(firmId)
    while (this.#waiting.holds(mayServe)) {
      let worker = [...this.#workers].find((candidate) => candidate.ready && !candidate.job)
      if (!worker && this.#workers.size < this.#processesMax) worker = this.#start()
      if (!worker?.ready) return
      const job = this.#waiting.take(mayServe)
      if (job) this.#give(worker, job)
    }
  }

  #give(worker: Worker, job: Job): void {
    worker.job = job
    worker.child.ref()
    this.#limit(worker, job)
    worker.child.send(job.request)
    // Starts another process for a firm that comes now.
    const spare = [...this.#workers].some((other) => !other.job)
    if (!spare && this.#workers.size < this.#processesMax) this.#start()
  }

  #limit(worker: Worker, job: Job): void {
    const limitMs = this.#settings.timeoutMs ?? inspectionTimeoutMs(job.request.bytes)
    const before = readProcessorMs(worker.child.pid)
    let roundsLeft = machineBusyRounds
    const look = () => {
      const now = readProcessorMs(worker.child.pid)
      if (before === undefined || now === undefined || now - before >= limitMs / 2) {
        this.#finish(worker, { outcome: 'quarantined', cause: 'timed-out' }, true)
      } else if (roundsLeft-- > 0) {
        worker.timer = setTimeout(look, limitMs)
      } else {
        job.reject(new InspectorUnavailable('The machine is too busy to inspect a file.'))
        this.#finish(worker, undefined, true)
      }
    }
    worker.timer = setTimeout(look, limitMs)
  }

  #start(): Worker {
    const worker: Worker = { child: forkWorker(this.#settings), ready: false }
    this.#workers.add(worker)
    worker.child.on('message', (answer: InspectionAnswer) => this.#receive(worker, answer))
    worker.child.on('error', () => this.#end(worker))
    worker.child.on('exit', () => this.#end(worker))
    const { startTimeoutMs = INSPECTION_START_MS } = this.#settings
    worker.timer = setTimeout(() => worker.child.kill('SIGKILL'), startTimeoutMs)
    return worker
  }

  #receive(worker: Worker, answer: InspectionAnswer): void {
    if ('ready' in answer) {
      worker.ready = true
      clearTimeout(worker.timer)
      worker.child.unref()
      worker.child.channel?.unref()
      this.#assign()
    } else if ('verdict' in answer) {
      this.#finish(worker, answer.verdict, false)
    } else {
      worker.job?.reject(new Error(`An upload could not be inspected: ${answer.fault}`))
      this.#finish(worker, undefined, false)
    }
  }

  #finish(worker: Worker, inspection: Inspection | undefined, kill: boolean): void {
    const { job } = worker
    clearTimeout(worker.timer)
    worker.job = undefined
    if (inspection) job?.resolve(inspection)
    if (kill) {
      this.#workers.delete(worker)
      worker.child.kill('SIGKILL')
    } else {
      worker.child.unref()
    }
    this.#assign()
  }

  #end(worker: Worker): void {
    clearTimeout(worker.timer)
    if (!this.#workers.delete(worker)) return
    if (worker.job) {
      this.#finish(worker, { outcome: 'quarantined', cause: 'crashed' }, true)
    } else if (worker.ready || this.#closed) {
      this.#assign()
    } else if (this.#workers.size === 0) {
      // No process starts, so the fault is in the machine, not in a file. Another process would take the files that
      // wait.
      for (const job of this.#waiting.takeAll())
        job.reject(new InspectorUnavailable('No inspection process can be started.'))
    }
  }
}

/** The time limit of a file by its size. */
export function inspectionTimeoutMs(bytes: number): number {
  return INSPECTION_BASE_MS + Math.ceil(bytes / MEGABYTE) * INSPECTION_MS_PER_MEGABYTE
}

function forkWorker(settings: InspectorSettings): ChildProcess {
  const here = import.meta.dirname
  const workerFile = settings.workerFile ?? join(here, `inspect-worker${extname(import.meta.filename)}`)
  const secondReader = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
  const readable = [join(here, '..', '..'), settings.uploadFolder, workerFile, secondReader]
  return fork(workerFile, {
    execArgv: [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${settings.memoryMegabytesMax ?? INSPECTION_MEMORY_MEGABYTES_MAX}`,
    ],
    // Addresses and secrets of the service are not passed to the process that reads hostile bytes.
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
