/**
 * Listens to a channel of the database on its own connection. Notifications are fast but not complete: those
 * sent while the connection is lost are missed. Listeners must find such changes by polling.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, statementFault } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import { checkWritable } from './session.ts'

export interface ChangeListener extends AsyncDisposable {
  onChange(notify: () => void): void
  /** True while notifications arrive. */
  listening(): boolean
}

const listenerTimes = {
  retryMs: 1_000,
  /**
   * Interval of checks that the connection still leads to the primary. A connection that died silently
   * receives nothing.
   */
  askMs: 5_000,
  answerMs: 3_000,
}

/**
 * Listens until disposed. After a lost connection is replaced, listeners are notified, because a change may
 * have been missed.
 */
export function openChangeListener(
  pool: Pool,
  channel: string,
  onFault: (fault: unknown) => void = () => {},
  times: typeof listenerTimes = listenerTimes,
): ChangeListener {
  const listeners = new Set<() => void>()
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const notify = () => {
    for (const each of listeners) each()
  }

  const report = (fault: unknown) =>
    onFault(fault instanceof DatabaseUnavailable ? fault : statementFault(fault, 'listen'))

  const listen = async (): Promise<void> => {
    let fresh: Client | undefined
    try {
      fresh = await pool.acquire()
      if (closed) return fresh.release(true)
      const heard = fresh
      client = heard
      heard.on('notification', notify)
      heard.once('end', () => lose(heard))
      await heard.query(`listen ${channel}`)
      notify()
      void watch(heard)
    } catch (fault) {
      report(fault)
      // Once a connection exists, its loss starts the next attempt, and only one.
      if (fresh === undefined) retry()
      else lose(fresh)
    }
  }

  const lose = (lost: Client) => {
    if (client !== lost) return
    client = undefined
    lost.removeListener('notification', notify)
    lost.release(true)
    retry()
  }

  const retry = () => {
    if (closed) return
    timer = setTimeout(() => {
      connecting = listen()
    }, times.retryMs)
    timer.unref()
  }

  /** Checks at intervals that the connection still leads to the primary. */
  const watch = async (heard: Client): Promise<void> => {
    for (;;) {
      await pause(times.askMs, undefined, { ref: false })
      if (client !== heard) return
      const silence = pause(times.answerMs, undefined, { ref: false }).then(() => {
        throw new DatabaseUnavailable('silent', `no answer within ${times.answerMs} ms`)
      })
      try {
        await Promise.race([checkWritable(heard), silence])
      } catch (fault) {
        if (client !== heard) return
        report(fault)
        lose(heard)
        // A silent server would not answer a Terminate message either.
        heard.connection.stream.destroy()
      }
    }
  }

  let connecting = listen()

  return {
    onChange: (each) => {
      listeners.add(each)
    },
    listening: () => client !== undefined,
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timer)
      listeners.clear()
      await connecting
      client?.removeListener('notification', notify)
      // Not returned to the pool, where it would continue to listen.
      client?.release(true)
      client = undefined
    },
  }
}
