/**
 * The thread that runs large loads over its own connections. When both threads need the processor, it yields
 * to the thread that serves calls.
 */
import { on } from 'node:events'
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type CarriedFault, packFault } from '../../database/carried-fault.ts'
import { watchConfirmations } from '../../database/confirmations.ts'
import { openPool, type PoolLimits } from '../../database/pool.ts'
import { Calls, YieldingPace } from '../pace.ts'
import { type BodySettings, runBody } from './run-body.ts'
import type { LoadAnswer } from './run-load.ts'

/** The data with which the thread starts. */
export interface ThreadSettings {
  readonly url: string
  readonly limits: PoolLimits
  /**
   * One float: the time of the service in milliseconds. The other thread keeps it current while loads run.
   */
  readonly now: SharedArrayBuffer
  /**
   * Three integers: the open and idle connections, and the callers waiting for one. This thread keeps them
   * current.
   */
  readonly figures: SharedArrayBuffer
  /** The calls of the process. */
  readonly calls: SharedArrayBuffer
}

/** A load to run. Its body arrives over the port, and its response is sent back over it. */
export interface LoadRequest extends Omit<BodySettings, 'pool' | 'now' | 'pace'> {
  readonly port: MessagePort
}

/** A piece of the body, its end, or the fault that cut it off. */
export type ToLoad = Uint8Array | 'ended' | 'broken-off'

type Outcome = { readonly answer: LoadAnswer } | { readonly fault: CarriedFault }

/** Reports that a piece was taken, or that the load has ended. */
export type FromLoad = 'taken' | Outcome

/** Messages to the thread that started this one. */
export type ThreadReport = { readonly lost: CarriedFault }

/**
 * The niceness of the thread above that of the service (`man 7 sched`). The thread that serves calls gets three
 * times its share of the processor.
 */
const niceness = 5
const nicenessMax = 19

const figuresEveryMs = 1_000
let isClosing = false

const { url, limits, ...shared } = workerData as ThreadSettings
const nowMs = new Float64Array(shared.now)
const figures = new Int32Array(shared.figures)
const pace = new YieldingPace(new Calls(shared.calls))
const pool = openPool({
  name: 'operations',
  url,
  limits,
  onLost: (fault) => parentPort?.postMessage({ lost: packFault(fault) } satisfies ThreadReport),
})
const confirmations = watchConfirmations(pool, [pool], () => {})
setInterval(() => {
  const { open, idle, waiting } = pool.figures()
  figures.set([open, idle, waiting])
}, figuresEveryMs).unref()
giveWay()

parentPort?.on('message', (message: LoadRequest | 'close') => {
  if (message === 'close') void close()
  else void run(message)
})

async function run({ port, ...settings }: LoadRequest): Promise<void> {
  const outcome = await runBody(
    { ...settings, pool, pace, now: () => new Date(nowMs[0] as number) },
    bodyFrom(port),
  ).then(
    (answer): Outcome => ({ answer }),
    (fault: unknown): Outcome => ({ fault: packFault(fault) }),
  )
  // A load that fails because the thread ends is refused when the thread has ended.
  if (!isClosing || 'answer' in outcome) port.postMessage(outcome)
}

async function* bodyFrom(port: MessagePort): AsyncGenerator<Buffer> {
  for await (const [message] of on(port, 'message') as AsyncIterable<[ToLoad]>) {
    if (message === 'ended') return
    if (message === 'broken-off') throw new Error('the body broke off')
    yield Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    port.postMessage('taken' satisfies FromLoad)
  }
}

async function close(): Promise<void> {
  isClosing = true
  confirmations.stop()
  await pool.end()
  // Ends the thread only: the process continues.
  process.exit()
}

/** Linux has a priority for each thread; other systems share the processor evenly. */
function giveWay(): void {
  try {
    const [, , thread] = readlinkSync('/proc/thread-self').split('/')
    if (thread !== undefined) setPriority(Number(thread), Math.min(getPriority() + niceness, nicenessMax))
  } catch {
    // There is no /proc, or a container forbids writing it.
  }
}
