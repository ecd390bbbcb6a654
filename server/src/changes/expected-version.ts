/** The version of the record that a caller has read before it requests a change. */
import { type Rejection, reject } from '@clearing/protocol'
import type { Account } from '../store/accounts.ts'

/** Why the change is refused if the record has changed since. Without `expectedVersion`, every version is right. */
export function whyOtherVersion(
  { version }: Pick<Account, 'version'>,
  expectedVersion: number | undefined,
): Rejection | undefined {
  if ((expectedVersion ?? version) === version) return undefined
  const reason = `The record has version ${version}; read it again before changing it.`
  return reject('ERR.2010', 'expectedVersion', reason)
}
