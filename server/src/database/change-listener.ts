/**
 * Listens to a channel of the database. Notifications are fast but not complete: those sent while the connection is
 * lost are missed. Listeners must find such changes by polling. All listeners of a pool share one connection.
 */
import type { DatabaseUnavailable } from './faults.ts'
import { type Heard, ListeningSession, type SessionTimes } from './listening-session.ts'
import type { Pool } from './pool.ts'

export interface ChangeListener extends AsyncDisposable {
  onChange(notify: () => void): void
  /** True while notifications arrive. */
  listening(): boolean
}

const usualTimes = { retryMs: 1_000, retryMaxMs: 8_000, askMs: 5_000 }
const sessions = new WeakMap<object, ListeningSession>()

export interface ListenerReports {
  /** Called once for each cause, until notifications have arrived again for a while. */
  onFault(fault: DatabaseUnavailable): void
  /** Called when notifications arrive again after a reported fault. */
  onBack?(): void
}

/**
 * Listens until disposed. After a lost connection is replaced, listeners are notified, because a change may
 * have been missed. `times` holds for the connection, if this listener is the first of its pool.
 */
export function openChangeListener(
  pool: Pool,
  channel: string,
  { onFault, onBack = () => {} }: ListenerReports = { onFault: () => {} },
  times: Partial<SessionTimes> = {},
): ChangeListener {
  const listeners = new Set<() => void>()
  const heard: Heard = {
    channel,
    onFault,
    onBack,
    notify: () => {
      for (const each of listeners) each()
    },
  }
  // A slow database may answer as late as it may answer a statement.
  const { answerTimeoutMs: answerMs } = pool.limits
  const session = sessions.get(pool) ?? new ListeningSession(pool, { ...usualTimes, answerMs, ...times })
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

/** Whether the listeners of a pool get notifications; undefined if it has none. */
export function isListening(pool: object): boolean | undefined {
  return sessions.get(pool)?.isOpen
}
