/**
 * A slot for one process under the parent. A process that ends unexpectedly, or that hangs and is killed, is replaced
 * after growing pauses.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Assignment, ToParent, ToProcess } from './messages.ts'
import { askEveryMs, SignsOfLife, unansweredMax } from './signs-of-life.ts'

const firstPauseMs = 250
const longestPauseMs = 10_000
/** The time after which a process has not failed at its start, so that the next pause is short again. */
const provenAfterMs = 60_000

export interface SlotSettings {
  readonly assignment: Assignment
  /** True if the parent ends when the first process of the slot does not start. */
  readonly mustStart: boolean
  readonly log: Logger
  readonly onMessage: (place: Slot, message: ToParent) => void
  readonly onEnded: (place: Slot, processId: number) => void
}

export class Slot {
  readonly number: number
  readonly #settings: SlotSettings
  readonly #ready = Promise.withResolvers<void>()
  readonly #stop = new AbortController()
  /** The last signal of the parent. A process that is still starting gets it with its assignment. */
  #signal: NodeJS.Signals | undefined
  readonly #ended: Promise<number>
  #worker: Worker | undefined
  /** The time since which the present process serves. */
  #readyAtMs: number | undefined
  #opensPort = false
  #signs = new SignsOfLife()

  constructor(settings: SlotSettings) {
    this.#settings = settings
    this.number = settings.assignment.number
    this.#ended = this.#run()
  }

  /**
   * Resolves when a process of the slot is ready for the first time. Rejects with ProcessEnded when the first
   * one ends before.
   */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** The process id of the present process. */
  get processId(): number {
    return this.#worker?.process.pid ?? 0
  }

  get serving(): boolean {
    return this.#readyAtMs !== undefined
  }

  /** True from when the present process is about to open the port. */
  get opensPort(): boolean {
    return this.#opensPort
  }

  send(message: ToProcess): void {
    if (this.#worker?.isConnected()) this.#worker.send(message)
  }

  /** Passes the signal on and starts no further process. Resolves to the exit code of the last process. */
  end(signal: NodeJS.Signals): Promise<number> {
    this.#signal = signal
    this.#stop.abort()
    this.send({ kind: 'signal', signal })
    return this.#ended
  }

  /** Asks a serving process for a sign of life. A process that hangs is killed, and so replaced. */
  askForLife(): void {
    if (!this.serving) return
    if (this.#signs.mayAsk()) this.send({ kind: 'are you there' })
    else {
      const seconds = (unansweredMax * askEveryMs) / 1_000
      this.#settings.log.error({ place: this.number, seconds }, 'a process did not answer and is killed')
      this.kill()
    }
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }

  async #run(): Promise<number> {
    let pauseMs = firstPauseMs
    for (let isFirst = true; ; isFirst = false) {
      const { code, servedMs } = await this.#runOnce()
      if (servedMs === undefined) this.#ready.reject(new ProcessEnded(code))
      const parentEnds = isFirst && servedMs === undefined && this.#settings.mustStart
      if (parentEnds || this.#stop.signal.aborted) return code
      if ((servedMs ?? 0) > provenAfterMs) pauseMs = firstPauseMs
      this.#settings.log.error({ place: this.number, code, pauseMs }, 'a process ended; another is started')
      await pause(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {})
      if (this.#stop.signal.aborted) return code
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  async #runOnce(): Promise<{ code: number; servedMs: number | undefined }> {
    const { assignment, onMessage, onEnded } = this.#settings
    const worker = cluster.fork()
    this.#worker = worker
    this.#signs = new SignsOfLife()
    const receive = (message: ToParent) => {
      this.#signs.heard()
      if (message.kind === 'here') {
        this.send({ kind: 'start', assignment })
        if (this.#signal) this.send({ kind: 'signal', signal: this.#signal })
      }
      if (message.kind === 'open port') this.#opensPort = true
      if (message.kind === 'ready') {
        this.#readyAtMs = performance.now()
        this.#ready.resolve()
      }
      onMessage(this, message)
    }
    worker.on('message', receive)
    worker.on('error', () => {})
    const code = await new Promise<number>((resolve) =>
      worker.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal ? 1 : 0))),
    )
    const servedMs = this.#readyAtMs === undefined ? undefined : performance.now() - this.#readyAtMs
    this.#readyAtMs = undefined
    this.#opensPort = false
    // A message from before its end can arrive after it, and would count it as a running process.
    worker.off('message', receive)
    onEnded(this, worker.process.pid ?? 0)
    return { code, servedMs }
  }
}

/** A process ended before it was ready. It has logged the reason. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  readonly code: number
  constructor(code: number) {
    super(`the process ended with code ${code}`)
    this.code = code
  }
}
