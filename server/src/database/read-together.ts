// Sends the look-ups by key of several requests of one firm together, when they come in one turn of the event loop: one
// message on one connection. Under load, the server wakes and responds once for many look-ups. Each statement still
// sees everything that was committed when it begins. Look-ups of different firms are never combined, because they run
// with the rights of their firm.
import { endsConnection, isRefusal } from './faults.ts'
import { flushSeen, isFlushed, noteRead, sight } from './flush.ts'
import type { Client, Pool } from './pool.ts'
import { type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'

interface Asker {
  readonly flushFollows: boolean
  readonly steps: readonly Step[]
  readonly answer: (read: ReadTogether) => void
  readonly refuse: (fault: unknown) => void
}

export interface ReadTogether {
  readonly replies: readonly Reply[]
  /**
   * Set when a look-up of the group may have seen a commit that is not on disk. Settles when it is on disk.
   * `later`: the caller waits for the flush itself.
   */
  readonly flush: Promise<void> | 'later' | undefined
}

interface Group {
  readonly firm: string
  readonly opening: Step
  readonly askers: readonly Asker[]
}

/** The limit of a group, because the first look-up waits for the last. */
const askersMax = 32

const gathering = new WeakMap<Pool, Map<string, Asker[]>>()

/**
 * Runs the steps. `opening` is sent before them and sets the firm. `flushFollows`: as in the scope. Rejects like
 * `roundTrip` of the opening and these steps.
 */
export function readTogether(
  pool: Pool,
  firm: string,
  opening: Step,
  steps: readonly Step[],
  flushFollows: boolean,
): Promise<ReadTogether> {
  return new Promise((answer, refuse) => {
    const asker = { flushFollows, steps, answer, refuse }
    const groups = gathering.get(pool) ?? new Map<string, Asker[]>()
    gathering.set(pool, groups)
    const group = groups.get(firm)
    if (group !== undefined && group.length < askersMax) {
      group.push(asker)
      return
    }
    const begun = [asker]
    groups.set(firm, begun)
    // Runs after the connections that have data in this turn were read.
    setImmediate(() => {
      if (groups.get(firm) === begun) groups.delete(firm)
      void send(pool, firm, opening, begun)
    })
  })
}

async function send(pool: Pool, firm: string, opening: Step, group: readonly Asker[]): Promise<void> {
  let client: Client | undefined
  let replies: Reply[]
  try {
    client = await pool.acquire(firm)
    sight(client)
    const steps = group.flatMap((asker) => asker.steps)
    replies = await roundTrip(pool, client, [opening, ...steps, isFlushed(false)])
    const status = client.getTransactionStatus()
    if (status !== 'I') throw new Error(`the session's transaction status is ${status}, must be I`)
  } catch (fault) {
    refuseGroup(pool, client, { firm, opening, askers: group }, fault)
    return
  }
  const isOnDisk = noteRead(pool, replies.at(-1))
  const isWanted = !isOnDisk && group.some(({ flushFollows }) => !flushFollows)
  const flush = isWanted ? flushed(pool, client) : isOnDisk ? undefined : 'later'
  if (!isWanted) client.release()
  let at = 1
  for (const { steps, answer } of group) {
    answer({ replies: replies.slice(at, at + steps.length), flush })
    at += steps.length
  }
}

/** The failure is reported to the callers that wait for it. */
function flushed(pool: Pool, client: Client): Promise<void> {
  const flush = flushSeen(pool, client)
  flush.catch(() => {})
  return flush
}

/** True when a fault leaves the connection usable because the server refused a statement. */
function stands(fault: unknown): boolean {
  return fault instanceof RoundTripFailed && isRefusal(fault.cause) && !endsConnection(fault.cause)
}

/**
 * Answered look-ups keep their results if the session lasts. A refusal is reported to its own caller, and
 * later look-ups are sent again without it.
 */
function refuseGroup(
  pool: Pool,
  client: Client | undefined,
  { firm, opening, askers }: Group,
  fault: unknown,
): void {
  const standing = client !== undefined && stands(fault) && client.getTransactionStatus() === 'I'
  if (!standing || !(fault instanceof RoundTripFailed) || fault.index === 0) {
    client?.release(true)
    const lost =
      fault instanceof RoundTripFailed
        ? new RoundTripFailed(fault.cause, Math.min(fault.index, 1), fault.replies.slice(0, 1), fault.sent)
        : fault
    for (const { refuse } of askers) refuse(lost)
    return
  }
  const flush = flushed(pool, client)
  const { cause, index, replies, sent } = fault
  let at = 1
  for (const { steps, answer, refuse } of askers) {
    const [first, end] = [at, at + steps.length]
    at = end
    if (end <= index) answer({ replies: replies.slice(first, end), flush })
    else if (first > index) readTogether(pool, firm, opening, steps, false).then(answer, refuse)
    else
      refuse(
        new RoundTripFailed(cause, 1 + index - first, [replies[0] as Reply, ...replies.slice(first)], sent),
      )
  }
}
