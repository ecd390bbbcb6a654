/**
 * A cache of rendered accounts, so that an account that is read again is neither opened nor rendered again. A
 * cached response is used only if the account's row is unchanged in the transaction that records the access
 * (decision 144). The responses contain personal numbers, so they are removed after ten seconds at most.
 */
import { ShortLived } from '../short-lived.ts'
import type { RowState } from '../store/accounts.ts'

export interface RenderedAccount {
  readonly state: RowState
  /** The JSON text of `data`. */
  readonly text: string
}

export type RenderedAccounts = ShortLived<RenderedAccount>

export function makeRenderedAccounts(): RenderedAccounts {
  return new ShortLived({ lifeMs: 10_000, lengthMax: 16_000_000, textLengthMax: 16_384 })
}
