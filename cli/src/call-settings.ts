/** The settings of every call of a verb: the signal of Ctrl-C and the idempotency key. */
import { idempotencyKeyLengthMax } from '@clearing/protocol/calls'
import type { CallSettings } from '@clearing/sdk'
import type { Terminal } from './terminal.ts'
import { type Given, textOf } from './verb.ts'
import { WrongUsage } from './wrong-usage.ts'

const keyForm = new RegExp(`^[\\x20-\\x7e]{1,${idempotencyKeyLengthMax}}$`)

export function callSettings(given: Given, { signal }: Terminal): CallSettings {
  const idempotencyKey = textOf(given, 'idempotency-key')
  if (idempotencyKey !== undefined && !keyForm.test(idempotencyKey))
    throw new WrongUsage(
      `--idempotency-key takes 1 to ${idempotencyKeyLengthMax} characters from space to ~ (printable ASCII).`,
    )
  return { signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}
