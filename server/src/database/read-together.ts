// Sends the look-ups by key of several requests of one firm together, when they come in one turn of the event loop: one
// message on one connection. Under load, the server wakes and responds once for many look-ups. Each statement still
// sees everything that was committed when it begins. Look-ups of different firms are never combined, because they run
// with the rights of their firm.
import { endsConnection, isRefusal } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import { type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'

interface Asker {
  readonly steps: readonly Step[]
  readonly answer: (replies: Reply[]) => void
  readonly refuse: (fault: unknown) => void
}

/** With more, the first would wait too long for the last. */
const askersMax = 32

const gathering = new WeakMap<Pool, Map<string, Asker[]>>()

/**
 * Runs the steps. `opening` is sent before them and sets the firm. Rejects like `roundTrip` of the opening and these
 * steps.
 */
export function readTogether(
  pool: Pool,
  firm: string,
  opening: Step,
  steps: readonly Step[],
): Promise<Reply[]> {
  return new Promise((answer, refuse) => {
    const asker = { steps, answer, refuse }
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
  try {
    client = await pool.acquire()
    const replies = await roundTrip(pool, client, [opening, ...group.flatMap(({ steps }) => steps)])
    const status = client.getTransactionStatus()
    if (status !== 'I') throw new Error(`the session's transaction status is ${status}, must be I`)
    client.release()
    let at = 1
    for (const { steps, answer } of group) {
      answer(replies.slice(at, at + steps.length))
      at += steps.length
    }
  } catch (fault) {
    client?.release(!stands(fault) || client.getTransactionStatus() !== 'I')
    refuseGroup(pool, firm, opening, group, fault)
  }
}

/** Returns true when a fault leaves the connection usable: the server refused a statement. */
function stands(fault: unknown): boolean {
  return fault instanceof RoundTripFailed && isRefusal(fault.cause) && !endsConnection(fault.cause)
}

/**
 * Answered look-ups keep their results. A refusal is reported to its own caller, and later look-ups are sent again
 * without it.
 */
function refuseGroup(pool: Pool, firm: string, opening: Step, group: readonly Asker[], fault: unknown): void {
  if (!(fault instanceof RoundTripFailed) || fault.index === 0) {
    for (const { refuse } of group) refuse(fault)
    return
  }
  const { cause, index, replies, sent } = fault
  let at = 1
  for (const { steps, answer, refuse } of group) {
    const [first, end] = [at, at + steps.length]
    at = end
    if (end <= index) answer(replies.slice(first, end))
    else if (first > index && stands(fault)) readTogether(pool, firm, opening, steps).then(answer, refuse)
    else {
      const own = Math.max(0, index - first)
      refuse(new RoundTripFailed(cause, 1 + own, [replies[0] as Reply, ...replies.slice(first)], sent))
    }
  }
}
