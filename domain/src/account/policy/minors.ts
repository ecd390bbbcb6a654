/** Accounts whose owner is, or may be, a minor for whom another person acts. */
import type { AccountRecord } from '../record.ts'
import { roleOf } from './parties.ts'

export function isCustodial({ registrationType }: AccountRecord): boolean {
  return registrationType.startsWith('Custodial')
}

/** Whether the account is an IRA for whose owner a guardian or custodian acts. */
export function isGuardedIra(record: AccountRecord): boolean {
  const actsFor = (role: string | undefined) => role === 'Guardian' || role === 'Custodian'
  return (
    record.registrationType.startsWith('Ira') &&
    record.associatedParties.some((party) => actsFor(roleOf(party, record)))
  )
}
