/** Findings with what they are about. The state of an onboarding is not sealed, so it has a keyed fingerprint. */
import { createHmac, type KeyObject } from 'node:crypto'
import { type AccountRecord, aboutOf, type Finding, type IdentityFinding } from '@clearing/domain'
import { currentIndexKey, type FirmKeys } from '../encryption/keyring.ts'

export function withAbout(finding: Finding, record: AccountRecord, keys: FirmKeys): IdentityFinding {
  return fingerprinted(finding, record, currentIndexKey(keys))
}

/** Under each key of the firm: a stored finding may have the fingerprint of a key that was replaced. */
export function withEveryAbout(finding: Finding, record: AccountRecord, keys: FirmKeys): IdentityFinding[] {
  return [...keys.index.byId.values()].map((key) => fingerprinted(finding, record, key))
}

function fingerprinted(finding: Finding, record: AccountRecord, key: KeyObject): IdentityFinding {
  const about = aboutOf(finding, record)
  return about === '' ? finding : { ...finding, about: createHmac('sha256', key).update(about).digest('hex') }
}
