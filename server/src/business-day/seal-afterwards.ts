/**
 * Makes the missing seals of firms for days that were closed without them, if the records still equal the
 * sealed ones. A firm can leave or enter a cell only when every day is sealed by firm. Can be repeated after
 * an interruption.
 */
import { takeSealKey } from '../audit/seal-key.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { planForPortion, rangeOf, readClose } from '../store/business-day.ts'
import { readDaysNotByFirm } from '../store/firm-seals.ts'
import { digestRange, insertFirmDigests } from '../store/range-digests.ts'
import { digestFactsOf } from '../store/sealed-facts.ts'
import { readDaySeal, readPortionDigests } from '../store/seals.ts'
import { digestOfDay } from './seal.ts'
import { signFirms } from './sign-firms.ts'

export interface Sealing {
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  readonly now: Date
}

/** Returns the days that it sealed. Throws when the records of a day differ from the sealed ones. */
export async function sealFirmsAfterwards(sealing: Sealing): Promise<string[]> {
  const days = await inTransaction(sealing.pool, { firm: null, readOnly: true }, readDaysNotByFirm)
  for (const day of days) await sealFirmsOf(sealing, day)
  return days
}

async function sealFirmsOf({ pool, masterKeys, now }: Sealing, day: string): Promise<void> {
  const write = <T>(body: (tx: Tx) => Promise<T>) =>
    inTransaction(pool, { firm: null, repeatable: true, isolation: 'repeatable read' }, body)
  const { close, kept } = await write(async (tx) => ({
    close: await readClose(tx, day),
    kept: await readPortionDigests(tx, day),
  }))
  if (close === undefined) throw new Error(`${day} was not closed`)
  for (const sealed of kept) {
    const range = rangeOf({ ...close, portion: sealed.portion })
    await write(async (tx) => {
      planForPortion(tx)
      const is = await digestRange(tx, day, range)
      const same =
        is.entries_digest.equals(sealed.entries_digest) &&
        is.balances_digest.equals(sealed.balances_digest) &&
        (sealed.lines_digest === null || is.lines_digest?.equals(sealed.lines_digest) === true)
      if (!same) refuse(day)
      insertFirmDigests(tx, day, range)
    })
  }
  await write(async (tx) => {
    const [seal, facts] = await Promise.all([readDaySeal(tx, day), digestFactsOf(tx, day)])
    if (seal === undefined) throw new Error(`the seal of ${day} is missing`)
    if (!digestOfDay(day, seal.previous_digest, kept, seal).equals(seal.digest)) refuse(day)
    if (seal.facts_digest !== null && !facts.every.facts_digest.equals(seal.facts_digest)) refuse(day)
    const key = await takeSealKey(tx, masterKeys, now)
    await signFirms(tx, { close, seal, shared: facts.shared, afterwards: true }, key)
  })
}

function refuse(day: string): never {
  throw new Error(`the records of ${day} are not those that were sealed; verify-books names the difference`)
}
