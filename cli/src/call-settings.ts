/** What every call of a verb carries: the signal that Ctrl-C gives, and the idempotency key that was asked for. */
import type { CallSettings } from '@clearing/sdk'
import type { Terminal } from './terminal.ts'
import { type Given, textOf } from './verb.ts'

export function callSettings(given: Given, { signal }: Terminal): CallSettings {
  const idempotencyKey = textOf(given, 'idempotency-key')
  return { signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}
