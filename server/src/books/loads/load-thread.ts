/**
 * Runs large loads in a thread of their own, so that their lines delay no other call. The first load starts
 * the thread, which ends some time after the last load. A load whose thread ends is like a load whose process
 * was killed: its batches so far are booked, and it can be sent again.
 */
import { once } from 'node:events'
import { extname } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import { unpackFault } from '../../database/carried-fault.ts'
import type { Pool } from '../../database/pool.ts'
import { endRoomForLoads, makeRoomForLoads } from '../../memory-settings.ts'
import { PartUnavailable } from '../../part-unavailable.ts'
import { within } from '../../within.ts'
import { Calls } from '../pace.ts'
import type { FromLoad, LoadRequest, ThreadReport, ThreadSettings, ToLoad } from './load-worker.ts'
import type { LoadAnswer } from './run-load.ts'

export interface LoadThreadSettings {
  /** The thread opens a pool with the same address and limits. */
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Pick<Logger, 'error' | 'warn'>
}

/** How long the thread waits for another load. */
const idleMs = 60_000
const endTimeoutMs = 10_000
const clockEveryMs = 20
/**
 * The number of pieces of a body on their way to the thread. A piece has the 64 kB that the network delivers
 * at once.
 */
const piecesMax = 16
const memoryMegabytesMax = 384

export class LoadThread {
  /** The calls to which loads give way. */
  readonly calls = new Calls()
  readonly #settings: LoadThreadSettings
  readonly #now = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  readonly #figures = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
  #worker: Worker | undefined
  #running = 0
  #clock: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(settings: LoadThreadSettings) {
    this.#settings = settings
  }

  /** Rethrows the faults of the load and of the body. Throws PartUnavailable when the thread ends. */
  async run(load: Omit<LoadRequest, 'port'>, body: AsyncIterable<Buffer>): Promise<LoadAnswer> {
    if (this.#closed) throw new PartUnavailable('the service stops')
    const worker = this.#begin()
    const { port1, port2 } = new MessageChannel()
    try {
      worker.postMessage({ ...load, port: port2 } satisfies LoadRequest, [port2])
      return await converse(port1, body)
    } finally {
      port1.close()
      this.#end()
    }
  }

  /** For gauges: the open and idle connections, and the callers waiting for one, a second ago. */
  figures(): ReturnType<Pool['figures']> {
    const [open = 0, idle = 0, waiting = 0] = this.#figures
    return { open, idle, waiting }
  }

  /** Ends the thread; loads in progress are refused. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#endThread()
  }

  #begin(): Worker {
    if (this.#running === 0) makeRoomForLoads()
    this.#running += 1
    clearTimeout(this.#idle)
    this.#tell()
    this.#clock ??= setInterval(() => this.#tell(), clockEveryMs)
    this.#worker ??= this.#start()
    return this.#worker
  }

  #end(): void {
    this.#running -= 1
    if (this.#running > 0) return
    endRoomForLoads()
    clearInterval(this.#clock)
    this.#clock = undefined
    this.#idle = setTimeout(() => void this.#endThread(), idleMs).unref()
  }

  #tell(): void {
    this.#now[0] = this.#settings.clock.now().getTime()
  }

  #start(): Worker {
    const { pool, log } = this.#settings
    const workerData: ThreadSettings = {
      url: pool.pg.options.connectionString ?? '',
      limits: pool.limits,
      now: this.#now.buffer as SharedArrayBuffer,
      figures: this.#figures.buffer as SharedArrayBuffer,
      calls: this.calls.memory,
    }
    const worker = new Worker(new URL(`./load-worker${extname(import.meta.filename)}`, import.meta.url), {
      name: 'loads',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytesMax },
    })
    worker.unref()
    worker.on('message', ({ lost }: ThreadReport) =>
      log.warn({ err: unpackFault(lost), pool: 'loads' }, 'a connection to the database was lost'),
    )
    worker.on('error', (fault) => log.error({ err: fault }, 'the thread of loads failed'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      if (this.#worker === undefined) this.#figures.fill(0)
    })
    return worker
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (worker === undefined) return
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    if ((await within(ended, endTimeoutMs)) === undefined) await worker.terminate()
  }
}

/** Sends the body over the port as fast as the thread takes it, and returns the response. */
async function converse(port: MessagePort, body: AsyncIterable<Buffer>): Promise<LoadAnswer> {
  let underway = 0
  let over = false
  let onChange = () => {}
  const answering = new Promise<LoadAnswer>((resolve, reject) => {
    port.on('message', (message: FromLoad) => {
      if (message === 'taken') underway -= 1
      else over = true
      onChange()
      if (message === 'taken') return
      if ('answer' in message) resolve(message.answer)
      else reject(unpackFault(message.fault))
    })
    port.on('close', () => {
      over = true
      onChange()
      reject(new PartUnavailable('the thread of loads ended'))
    })
  })
  const send = (message: ToLoad, moved: ArrayBuffer[] = []) => port.postMessage(message, moved)
  const sendAll = async () => {
    for await (const piece of body) {
      while (underway >= piecesMax && !over) {
        await new Promise<void>((resolve) => {
          onChange = resolve
        })
      }
      if (over) return
      underway += 1
      // A copy, because a Buffer may share its memory with others.
      const bytes = new Uint8Array(piece)
      send(bytes, [bytes.buffer])
    }
    send('ended')
  }
  const sending = sendAll().catch((fault) => {
    send('broken-off')
    throw fault
  })
  // A body that broke off is the cause of the fault of its load.
  const [sent, answered] = await Promise.allSettled([sending, answering])
  for (const { status, reason } of [sent, answered] as PromiseRejectedResult[]) {
    if ((status as string) === 'rejected') throw reason
  }
  return (answered as PromiseFulfilledResult<LoadAnswer>).value
}
