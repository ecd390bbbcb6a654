/** The settings of every call of a verb: the signal of Ctrl-C and the idempotency key. */
import type { CallSettings } from '@clearing/sdk'
import type { Terminal } from './terminal.ts'
import { type Given, textOf } from './verb.ts'

export function callSettings(given: Given, { signal }: Terminal): CallSettings {
  const idempotencyKey = textOf(given, 'idempotency-key')
  return { signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}
