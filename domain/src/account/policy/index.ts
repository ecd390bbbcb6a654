/** Account policy: the permitted owners of each registration, their tax numbers and entitlements. */
export { changeEntitlements, type EntitlementsChange } from './change-entitlements.ts'
export { custodialAgeOf, listCustodialAges } from './custodial-ages.ts'
export { hasMargin, optionLevelOf } from './entitlements.ts'
export { accountRuleOf, type Finding } from './finding.ts'
export { type AccountFacts, judgeAccount } from './judge-account.ts'
export { ownersIn, residenceOf, roleOf } from './parties.ts'
export { mayBorrow, registrationRuleOf, registrationRules } from './registration-roles.ts'
export { isForeignEntity, mayLackTaxNumber } from './tax-identification.ts'
