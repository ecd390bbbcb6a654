/**
 * Listens to a channel of the database. Notifications are fast but not complete: those sent while the connection is
 * lost are missed. Listeners must find such changes by polling. All listeners of a pool share one connection.
 */
import { type Heard, ListeningSession, type SessionTimes } from './listening-session.ts'
import type { Pool } from './pool.ts'

export interface ChangeListener extends AsyncDisposable {
  onChange(notify: () => void): void
  /** True while notifications arrive. */
  listening(): boolean
}

const usualTimes: SessionTimes = { retryMs: 1_000, askMs: 5_000, answerMs: 3_000 }
const sessions = new WeakMap<Pool, ListeningSession>()

/**
 * Listens until disposed. After a lost connection is replaced, listeners are notified, because a change may
 * have been missed. `times` holds for the connection, if this listener is the first of its pool.
 */
export function openChangeListener(
  pool: Pool,
  channel: string,
  onFault: (fault: unknown) => void = () => {},
  times: SessionTimes = usualTimes,
): ChangeListener {
  const listeners = new Set<() => void>()
  const heard: Heard = {
    channel,
    onFault,
    notify: () => {
      for (const each of listeners) each()
    },
  }
  const session = sessions.get(pool) ?? new ListeningSession(pool, times)
  sessions.set(pool, session)
  session.add(heard)
  return {
    onChange: (notify) => {
      listeners.add(notify)
    },
    listening: () => session.isOpen,
    async [Symbol.asyncDispose]() {
      listeners.clear()
      if ((await session.remove(heard)) && sessions.get(pool) === session) sessions.delete(pool)
    },
  }
}
