/** For tests: the findings of account policy in an account, and changes that make a valid account invalid. */
import type { AccountRule } from '@clearing/protocol'
import type { AccountRecord, Party } from '../../record.ts'
import { type Changes, today } from '../../testing/right-accounts.ts'
import type { AccountFacts } from '../judge-account.ts'
import { judgeAccount } from '../judge-account.ts'

export const production: AccountFacts = {
  moment: 'opening',
  today,
  sandbox: false,
  magicTaxIds: new Set(['000000004']),
  wasRefused: () => false,
  isUnknown: () => false,
}
export const sandbox: AccountFacts = { ...production, sandbox: true }
/** Rules that find something in every account, or in every one of an entity, so that no table row repeats them. */
export const always: readonly AccountRule[] = [
  'BeneficialOwnersStated',
  'AuthorityDocumented',
  'GuardianshipDocumented',
  'LettersDocumented',
  'ResolutionDocumented',
  'TrustDocumented',
  'UsOwnerCertified',
  'ForeignOwnerCertified',
  'AlienOwnerCertified',
  'ForeignEntityCertified',
]

export function found(record: AccountRecord, facts = production): string[] {
  return judgeAccount(record, facts)
    .filter(({ rule }) => !always.includes(rule))
    .map(({ rule, field }) => `${rule} ${field}`)
}

export type Change = (record: AccountRecord) => AccountRecord

export function owner(changes: Changes<Party>): Change {
  return (record) => ({ ...record, primaryOwner: { ...record.primaryOwner, ...changes } as Party })
}
export function party(changes: Changes<Party>, at = 0): Change {
  return (record) => ({
    ...record,
    associatedParties: record.associatedParties.map((one, index) =>
      index === at ? ({ ...one, ...changes } as Party) : one,
    ),
  })
}
export function add(...added: Party[]): Change {
  return (record) => ({ ...record, associatedParties: [...record.associatedParties, ...added] })
}
export function only(...parties: Party[]): Change {
  return (record) => ({ ...record, associatedParties: parties })
}
export function main(changes: Changes<AccountRecord['main']>): Change {
  return (record) => ({ ...record, main: { ...record.main, ...changes } as AccountRecord['main'] })
}
export function profile(financialProfile: AccountRecord['financialProfile']): Change {
  return (record) => ({ ...record, financialProfile })
}
export function all(...changes: Change[]): Change {
  return (record) => changes.reduce((changed, change) => change(changed), record)
}
export function mailing(changes: Changes<AccountRecord['mailingAddress']>): Change {
  return (record) => ({
    ...record,
    mailingAddress: { ...record.mailingAddress, ...changes } as AccountRecord['mailingAddress'],
  })
}
/** The block of a person with a passport of Canada. */
export function withPassport(idNumber: string, more: object = {}) {
  return {
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber, idLocation: 'CA', ...more },
    },
  }
}
export const beneficiary: Change = (record) => ({ ...record, beneficiaries: [{ firstName: 'LUIS' }] })
export const options = { optionTradingIndicator: 'true', optionTradingLevel: '2' }
export const stated = profile({ investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } })
