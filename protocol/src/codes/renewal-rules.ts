// The rules of account policy on facts that fall due in the year of an open account.

import { renewed } from './account-rule-rows.ts'

export const renewalRules = [
  renewed('IdentityDocument', {
    value: 'IdentityDocumentCurrent',
    label: 'A party whose government identification has expired shows another',
    source: '31 CFR 1023.220(a)(2)(ii)(A)(1), unexpired government-issued identification',
  }),
  renewed('FieldCompletion', {
    value: 'IdentityRecorded',
    label: 'The record has the identification that renewed an expired one',
    source: '31 CFR 1023.220(a)(3)(i)(B), the number, place and dates of each document that was relied on',
  }),
  renewed('OwnerInstruction', {
    value: 'MinorOfAge',
    label: 'A minor who came of age instructs what becomes of the account',
    source:
      'Uniform Transfers to Minors Act, section 20, and Uniform Gifts to Minors Act, as each state enacted it',
  }),
  renewed('OwnerInstruction', {
    value: 'CustodianshipEnded',
    label:
      'A custodial account is closed or registered anew after the instruction of the owner who came of age',
    source: 'Uniform Transfers to Minors Act, section 20: the custodian transfers the property to the owner',
  }),
] as const
