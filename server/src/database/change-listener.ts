/**
 * Hears, on a connection of its own, what the database announces on a channel. It promises speed, not completeness:
 * whatever it misses while its connection is lost, those who wait for it find by asking.
 */
import type { Client, Pool } from './pool.ts'

export interface ChangeListener extends AsyncDisposable {
  onChange(tell: () => void): void
  /** True while notifications arrive. */
  listening(): boolean
}

const retryMs = 1_000

/** Listens until disposed; a lost connection is replaced, and then a change is told, since one may have been missed. */
export const openChangeListener = (
  pool: Pool,
  channel: string,
  onFault: (fault: unknown) => void = () => {},
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
    }, retryMs)
    timer.unref()
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
