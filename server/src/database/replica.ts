/**
 * Standbys that answer reads. A reader gets a session only if its server has replayed the reader's own writes
 * and lags little behind the primary; otherwise the primary answers. A server whose newest line of the event log is not
 * that of the primary is not its standby: it belongs to another cluster, or to the time that a restore has lost. The
 * state of the standbys and the position of the primary are probed every second. A fault here never fails a read.
 */
import { DatabaseUnavailable } from './faults.ts'
import { orderly } from './flush.ts'
import type { Client, Pool } from './pool.ts'
import { type Reply, roundTrip, type Step } from './round-trip.ts'
import { control } from './statement.ts'
import { readInFirm } from './transaction.ts'

/** Sessions by their visible rows and the time limit of a statement; `loads` and `operations` see the same rows. */
export type ReadPool = 'app' | 'operations' | 'loads'

/**
 * The reason why the primary answered instead: no standby answers, it lags too far behind, or it lacks the
 * writes of the reader.
 */
export type ReplicaOutcome = 'answered' | 'away' | 'lagging' | 'behind'

/** `of another line`: the standby of another cluster, or of the time before a restore. It counts as away. */
export type ReplicaState = 'there' | 'away' | 'lagging' | 'of another line'

export interface ReplicaSettings {
  /** Sessions of standbys. */
  readonly pools: Readonly<Record<ReadPool, Pool>>
  readonly primary: Pool
  readonly lagMaxMs: number
  readonly onOutcome: (outcome: ReplicaOutcome) => void
  /** Called when standbys begin to answer reads, and when they stop. */
  readonly onState: (state: ReplicaState) => void
}

/**
 * The firm takes turns with others for sessions. `wanted`: the position of the log that the reader's own writes have.
 */
export interface Reader {
  readonly firm: string | null
  readonly wanted: string | undefined
}

const probeEveryMs = 1_000
/** How long a reader waits for its own writes. */
const waitMaxMs = 200
const firstPauseMs = 5
/**
 * The number of stored positions of the primary, one per second, from which the lag in seconds is computed.
 */
const samplesMax = 600

/** Begun_at differs in every installation, also where the database does not name its cluster. */
const newestLine = `(select pg_catalog.concat_ws(' ', number, mark, cluster, begun_at)
   from clearing.event_line order by number desc limit 1) as line`
const selectReplayed: Step = {
  kind: 'run',
  statement: control(
    'select-replayed',
    `select case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn()::text end as replayed, ${newestLine}`,
  ),
  values: [],
}
const selectFlushed = control<{ flushed: string; line: string | null }>(
  'select-flushed',
  `select pg_catalog.pg_current_wal_flush_lsn()::text as flushed, ${newestLine}`,
)

/** What a probe of a standby finds. */
interface Replayed {
  readonly position: string
  /** The newest line of the event log. */
  readonly line: string | null
}

interface Sample {
  readonly atMs: number
  readonly position: string
}

export class Replica {
  readonly #settings: ReplicaSettings
  /** Positions of the primary, the oldest first. */
  #samples: Sample[] = []
  #state: ReplicaState = 'away'
  #replayed: string | undefined
  /** The newest line of the event log of the primary; undefined before the first probe. */
  #line: string | null | undefined
  #timer: NodeJS.Timeout | undefined
  #probing: Promise<void> = Promise.resolve()

  constructor(settings: ReplicaSettings) {
    this.#settings = settings
  }

  /** Begins to probe, and resolves after the first probe. The result stops the probes. */
  async start(): Promise<() => Promise<void>> {
    const probe = () => {
      this.#probing = this.#probe().finally(() => {
        if (this.#timer !== undefined) this.#timer = setTimeout(probe, probeEveryMs).unref()
      })
    }
    this.#timer = setTimeout(() => {}, 0)
    probe()
    await this.#probing
    return async () => {
      clearTimeout(this.#timer)
      this.#timer = undefined
      await this.#probing
    }
  }

  /**
   * Runs a body that reads in one transaction, in a session that has replayed the log up to `wanted`; waits
   * for it for at most 200 milliseconds. Resolves to undefined when the body must read from the primary.
   */
  async read<T>(
    name: ReadPool,
    { firm, wanted }: Reader,
    body: (pool: Pool) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const client = await this.#sessionFor(name, firm, wanted)
    if (client === undefined) return undefined
    const session = ofSession(this.#settings.pools[name], client)
    try {
      const result = await body(session.pool)
      this.#settings.onOutcome('answered')
      return { result }
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault
      // A reader that delays the replay is cancelled; the next reader may be served again.
      if (fault.reason === 'contended' || fault.reason === 'busy') return this.#passOver('lagging')
      return this.#missed()
    } finally {
      session.end()
    }
  }

  /** Returns a session that has replayed the log up to `wanted`; undefined when there is none. */
  async #sessionFor(
    name: ReadPool,
    firm: string | null,
    wanted: string | undefined,
  ): Promise<Client | undefined> {
    if (this.#state === 'of another line') return this.#passOver('away')
    if (this.#state !== 'there') return this.#passOver(this.#state)
    if (wanted !== undefined && !isPosition(wanted)) return this.#passOver('behind')
    const pool = this.#settings.pools[name]
    let client: Client
    try {
      client = await pool.acquire(firm)
    } catch (fault) {
      // Too many readers wait. The standby itself is not away.
      if (fault instanceof DatabaseUnavailable && fault.reason === 'busy') return this.#passOver('lagging')
      return this.#missed()
    }
    try {
      const outcome = await this.#waitFor(pool, client, wanted)
      if (outcome === 'answered') return client
      client.release(outcome === 'away')
      return this.#passOver(outcome)
    } catch {
      client.release(true)
      return this.#missed()
    }
  }

  /** For gauges. The lag is that of the standby that was probed last; undefined while none answers. */
  figures(): { isThere: boolean; lagSeconds: number | undefined } {
    const isThere = this.#state === 'there' || this.#state === 'lagging'
    return { isThere, lagSeconds: isThere ? this.#lagMs() / 1_000 : undefined }
  }

  async #waitFor(pool: Pool, client: Client, wanted: string | undefined): Promise<ReplicaOutcome> {
    const floor = this.#floor()
    const endMs = performance.now() + waitMaxMs
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const replayed = await readReplayed(pool, client)
      if (replayed === undefined || replayed.line !== this.#line) return 'away'
      if (floor !== undefined && replayed.position < floor) return 'lagging'
      if (wanted === undefined || wanted <= replayed.position) return 'answered'
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return 'behind'
      await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)))
    }
  }

  /**
   * The position that a standby must have reached: the position of the primary at the beginning of the
   * allowed lag.
   */
  #floor(): string | undefined {
    const beforeMs = performance.now() - this.#settings.lagMaxMs
    const sample = this.#samples.findLast(({ atMs }) => atMs <= beforeMs) ?? this.#samples[0]
    return sample?.position
  }

  #lagMs(): number {
    const replayed = this.#replayed ?? ''
    const missing = this.#samples.find(({ position }) => position > replayed)
    return missing === undefined ? 0 : performance.now() - missing.atMs
  }

  async #probe(): Promise<void> {
    const { primary, pools } = this.#settings
    const [flushed, replayed] = await Promise.all([
      readInFirm(primary, null, selectFlushed).then(
        ([row]) => row,
        () => undefined,
      ),
      lookAt(pools.operations).catch(() => undefined),
    ])
    if (flushed !== undefined) {
      this.#keepSample(orderly(flushed.flushed))
      this.#line = flushed.line
    }
    this.#replayed = replayed?.position
    const floor = this.#floor()
    if (replayed === undefined) this.#setState('away')
    else if (replayed.line !== this.#line)
      this.#setState(this.#line === undefined ? 'away' : 'of another line')
    else this.#setState(floor !== undefined && replayed.position < floor ? 'lagging' : 'there')
  }

  #keepSample(position: string): void {
    // The log of a restored server begins again at an earlier position.
    if ((this.#samples.at(-1)?.position ?? '') > position) this.#samples = []
    this.#samples.push({ atMs: performance.now(), position })
    if (this.#samples.length > samplesMax) this.#samples.shift()
  }

  #setState(state: ReplicaState): void {
    if (state === this.#state) return
    this.#state = state
    this.#settings.onState(state)
  }

  #passOver(outcome: ReplicaOutcome): undefined {
    this.#settings.onOutcome(outcome)
  }

  /** Called after a standby failed a reader: readers use the primary until a standby answers again. */
  #missed(): undefined {
    this.#setState('away')
    this.#settings.onOutcome('away')
  }
}

function isPosition(text: string): boolean {
  return /^[0-9A-F]{16}$/.test(text)
}

async function lookAt(pool: Pool): Promise<Replayed | undefined> {
  const client = await pool.acquire()
  try {
    const replayed = await readReplayed(pool, client)
    client.release(replayed === undefined)
    return replayed
  } catch (fault) {
    client.release(true)
    throw fault
  }
}

/** Compares the newest lines of the event log; `standby` and `primary` are pools of the same role. */
export async function isOfSameLine(standby: Pool, primary: Pool): Promise<boolean> {
  const client = await standby.acquire()
  try {
    const replayed = await readReplayed(standby, client)
    const [flushed] = await readInFirm(primary, null, selectFlushed)
    return replayed?.line === flushed?.line
  } finally {
    client.release()
  }
}

/** Undefined when the server is not a standby any more. */
async function readReplayed(pool: Pool, client: Client): Promise<Replayed | undefined> {
  const [reply] = await roundTrip(pool, client, [selectReplayed])
  const { replayed, line } = (reply as Reply).rows[0] as { replayed: string | null; line: string | null }
  return replayed === null ? undefined : { position: orderly(replayed), line }
}

/**
 * A transaction of its own keeps the session that was probed. Another session may lead to a server that lags
 * further.
 */
function ofSession(pool: Pool, client: Client): { readonly pool: Pool; end(): void } {
  let isTaken = false
  const acquire = async () => {
    if (isTaken) throw new Error('a session of a standby serves one transaction')
    isTaken = true
    return client
  }
  return {
    pool: { ...pool, acquire },
    end() {
      if (!isTaken) client.release()
    },
  }
}
