/**
 * Hears, on a connection of its own, what the database announces on a channel. It promises speed, not completeness:
 * whatever it misses while its connection is lost, those who wait for it find by asking.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './faults.ts'
import { type Client, checkWritable, type Pool } from './pool.ts'

export interface ChangeListener extends AsyncDisposable {
  onChange(tell: () => void): void
  /** True while notifications arrive. */
  listening(): boolean
}

const listenerTimes = {
  retryMs: 1_000,
  /** A connection that died without a word, or leads to what was the primary, hears nothing: it is asked so often. */
  askMs: 5_000,
  answerMs: 3_000,
}

/** Listens until disposed; a lost connection is replaced, and then a change is told, since one may have been missed. */
export const openChangeListener = (
  pool: Pool,
  channel: string,
  onFault: (fault: unknown) => void = () => {},
  times: typeof listenerTimes = listenerTimes,
): ChangeListener => {
  const told = new Set<() => void>()
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const tell = () => {
    for (const each of told) each()
  }

  const listen = async (): Promise<void> => {
    let fresh: Client | undefined
    try {
      fresh = await pool.acquire()
      if (closed) return fresh.release(true)
      const heard = fresh
      client = heard
      heard.on('notification', tell)
      heard.once('end', () => lose(heard))
      await heard.query(`listen ${channel}`)
      tell()
      void watch(heard)
    } catch (fault) {
      onFault(fault)
      // Once a connection is had, its loss is what leads to the next attempt, and to one only.
      if (fresh === undefined) retry()
      else lose(fresh)
    }
  }

  const lose = (lost: Client) => {
    if (client !== lost) return
    client = undefined
    lost.removeListener('notification', tell)
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

  /** Asks the connection now and then whether it still leads to where changes are made. */
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
        onFault(fault)
        lose(heard)
        // A silent server would not answer the farewell either.
        heard.connection.stream.destroy()
      }
    }
  }

  let connecting = listen()

  return {
    onChange: (each) => {
      told.add(each)
    },
    listening: () => client !== undefined,
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timer)
      told.clear()
      await connecting
      client?.removeListener('notification', tell)
      // Not given back to the pool: it would go on listening there.
      client?.release(true)
      client = undefined
    },
  }
}
