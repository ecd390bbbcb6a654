/** Why the service cannot serve now, by asking what it stands on; undefined when it can. */
import { type Pool, selectWritable } from '../database/pool.ts'
import { unprepared } from '../database/statement.ts'
import { readInFirm } from '../database/transaction.ts'
import type { Parts } from '../parts.ts'

const readinessTimeoutMs = 2_000
const ping = unprepared<{ writable: boolean }>(selectWritable)

const pingDatabase = async (app: Pool): Promise<void> => {
  const [answer] = await readInFirm(app, null, ping)
  if (!answer?.writable) throw new Error('the database takes no writes')
}

export const findWhyNotReady = async (app: Pool, parts: Parts): Promise<string | undefined> => {
  const checks: [string, () => Promise<unknown>][] = [
    ['the database does not answer, or takes no writes', () => pingDatabase(app)],
    ['there is no key to sign tokens with', () => parts.identity.checkSigning()],
    ['the document store does not answer', () => parts.blobs.check()],
    ['the virus scanner does not answer', async () => parts.virusScanner?.check()],
  ]
  for (const [why, check] of checks) {
    const answered = await Promise.race([
      check().then(
        () => true,
        () => false,
      ),
      new Promise<false>((resolve) => setTimeout(resolve, readinessTimeoutMs, false).unref()),
    ])
    if (!answered) return why
  }
  return undefined
}
