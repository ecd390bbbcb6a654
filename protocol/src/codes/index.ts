// All coded lists by name, and the functions that look up their values. The operation `code-lists`, the reasons of
// ERR.1015, OpenAPI and the types of coded fields derive from this table. Reading 3.7.

import { limits } from '../limits.ts'
import {
  accountStatuses,
  catAccountIdentifiers,
  optionTradingLevels,
  proxyDisclosures,
  restrictionCodes,
  tradingAuthorities,
} from './account.ts'
import { accountRules } from './account-rules.ts'
import {
  acctTypes,
  actionEntitlementStates,
  activityAcctTypes,
  activityDates,
  buySells,
  callKinds,
  closeItems,
  closeSteps,
  corporateActionStates,
  corporateActionTypes,
  dayCounts,
  longShortInds,
  lotMethods,
  priceTypes,
  putCalls,
  severities,
  terms,
  tranIds,
  transferTypes,
  transTypes,
} from './books.ts'
import { caisAccountTypes, caisCustomerTypes, caisRoles } from './cais.ts'
import {
  accountSorts,
  breakSorts,
  decisions,
  documentSorts,
  duplicatePolicies,
  foundAccountSorts,
  matchDecisions,
  matchStates,
  sortModes,
  statementDeliveries,
  statementKinds,
  watchListParts,
  webhookFilters,
} from './choices.ts'
import type { CodeRow } from './code-list.ts'
import { countries, phoneRegionCodes } from './countries.ts'
import {
  documentFileExtensions,
  documentReferences,
  documentRejectionCodes,
  documentStatuses,
  documentTypeNames,
  evidences,
} from './documents.ts'
import { deliveryKinds, deliveryStatuses, eventTypes } from './event-types.ts'
import {
  amountBands,
  investmentExperiences,
  investmentProfiles,
  investmentTimeHorizons,
  liquidityNeeds,
  liquidityTimes,
  taxBrackets,
} from './financial-profile.ts'
import { jobIndustries } from './job-industry.ts'
import { matchRow, nearestValues } from './match.ts'
import { occupations } from './occupation.ts'
import {
  followUpCodes,
  followUpKinds,
  followUpStatuses,
  onboardingStates,
  stageCodes,
  stageStatuses,
} from './onboarding.ts'
import {
  governmentIdTypes,
  maritalStatuses,
  nameTypes,
  partyRoles,
  primaryContingents,
  relationships,
  taxIdTypes,
} from './person.ts'
import { registrationTypes } from './registration-type.ts'
import { renewalKinds, renewalOutcomes, renewalStates } from './renewals.ts'
import { scopes } from './scopes.ts'
import { sourcesOfFunds } from './source-of-funds.ts'
import {
  approvalSubjects,
  changeOutcomes,
  changeStates,
  entitlements,
  exportFormats,
  failureSources,
  notificationKinds,
  staffRoles,
  workAssignments,
  workQueues,
  workSettlements,
  workSorts,
} from './staff.ts'
import { canadianProvinces, usStates } from './states.ts'
import { componentStatuses, incidentImpacts, incidentStates, serviceComponents } from './status.ts'
import { holdGrounds, holdSteps } from './temporary-holds.ts'

/** Every coded list, by name. The name of a list is the name of its field. */
export const codeLists = {
  accountRule: accountRules,
  registrationType: registrationTypes,
  accountStatus: accountStatuses,
  restrictionCode: restrictionCodes,
  holdGround: holdGrounds,
  holdStep: holdSteps,
  proxyDisclosure: proxyDisclosures,
  optionTradingLevel: optionTradingLevels,
  nameType: nameTypes,
  taxIdType: taxIdTypes,
  governmentIdType: governmentIdTypes,
  maritalStatus: maritalStatuses,
  partyRole: partyRoles,
  tradingAuthority: tradingAuthorities,
  catAccountIdentifier: catAccountIdentifiers,
  relationship: relationships,
  primaryContingent: primaryContingents,
  occupation: occupations,
  jobIndustry: jobIndustries,
  sourceOfFunds: sourcesOfFunds,
  annualIncome: amountBands,
  netWorth: amountBands,
  liquidNetWorth: amountBands,
  liquidityNeed: liquidityNeeds,
  liquidityTime: liquidityTimes,
  taxBracket: taxBrackets,
  investmentTimeHorizon: investmentTimeHorizons,
  investmentProfile: investmentProfiles,
  investmentExperience: investmentExperiences,
  caisCustomerType: caisCustomerTypes,
  caisAccountType: caisAccountTypes,
  caisRole: caisRoles,
  onboardingState: onboardingStates,
  stageCode: stageCodes,
  stageStatus: stageStatuses,
  followUpCode: followUpCodes,
  followUpKind: followUpKinds,
  followUpStatus: followUpStatuses,
  renewalKind: renewalKinds,
  renewalState: renewalStates,
  renewalOutcome: renewalOutcomes,
  documentTypeName: documentTypeNames,
  documentReference: documentReferences,
  documentStatus: documentStatuses,
  documentRejectionCode: documentRejectionCodes,
  documentFileExtension: documentFileExtensions,
  evidence: evidences,
  acctType: acctTypes,
  activityAcctType: activityAcctTypes,
  priceType: priceTypes,
  buySell: buySells,
  transType: transTypes,
  corporateActionType: corporateActionTypes,
  corporateActionState: corporateActionStates,
  actionEntitlementState: actionEntitlementStates,
  tranId: tranIds,
  activityDate: activityDates,
  closeItem: closeItems,
  closeStep: closeSteps,
  severity: severities,
  term: terms,
  longShortInd: longShortInds,
  transferType: transferTypes,
  lotMethod: lotMethods,
  dayCount: dayCounts,
  putCall: putCalls,
  eventType: eventTypes,
  deliveryStatus: deliveryStatuses,
  deliveryKind: deliveryKinds,
  webhookFilter: webhookFilters,
  accountSort: accountSorts,
  foundAccountSort: foundAccountSorts,
  breakSort: breakSorts,
  callKind: callKinds,
  documentSort: documentSorts,
  sortMode: sortModes,
  duplicatePolicy: duplicatePolicies,
  decision: decisions,
  matchDecision: matchDecisions,
  matchState: matchStates,
  statementKind: statementKinds,
  statementDelivery: statementDeliveries,
  watchListPart: watchListParts,
  scope: scopes,
  staffRole: staffRoles,
  failureSource: failureSources,
  workQueue: workQueues,
  workSettlement: workSettlements,
  notificationKind: notificationKinds,
  workSort: workSorts,
  workAssignment: workAssignments,
  changeState: changeStates,
  changeOutcome: changeOutcomes,
  approvalSubject: approvalSubjects,
  entitlement: entitlements,
  exportFormat: exportFormats,
  serviceComponent: serviceComponents,
  componentStatus: componentStatuses,
  incidentImpact: incidentImpacts,
  incidentState: incidentStates,
  country: countries,
  usState: usStates,
  canadianProvince: canadianProvinces,
  phoneRegionCode: phoneRegionCodes,
} as const satisfies Record<string, readonly CodeRow[]>

/** The name of a coded list. */
export type CodeListName = keyof typeof codeLists

/** A row of a list, with the attributes of its list in addition to value, label and since. */
export type CodeRowOf<List extends CodeListName> = (typeof codeLists)[List][number]

/** The type of the values of a list: `CodeOf<'occupation'>`. */
export type CodeOf<List extends CodeListName> = CodeRowOf<List>['value']

/** The canonical form of a value, matched without regard to letter case; undefined if the list has no such value. */
export function canonicalCode<List extends CodeListName>(
  list: List,
  input: string,
): CodeOf<List> | undefined {
  return codeRow(list, input)?.value
}

/** The row of a value, matched like `canonicalCode`; undefined if the list has no such value. */
export function codeRow<List extends CodeListName>(list: List, input: string): CodeRowOf<List> | undefined {
  return matchRow<CodeRowOf<List>>(codeLists[list], input)
}

/** The allowed values that are most similar to the input, the nearest first, for the reason of an ERR.1015. */
export function nearestCodes<List extends CodeListName>(
  list: List,
  input: string,
  count: number = limits.nearestCodesMax,
): CodeOf<List>[] {
  return nearestValues<CodeOf<List>>(codeLists[list], input, count)
}

export { closingForbiddenBy, suspendedBy } from './account.ts'
export type { AccountRuleRow, RuleEffect, RuleMoment } from './account-rule-rows.ts'
export { type AccountRule, accountRules } from './account-rules.ts'
export { type CodeRow, firstVersion } from './code-list.ts'
export type { Country, CountryCode } from './countries.ts'
export { type DocumentReferenceRow, documentsFor, type Evidence } from './documents.ts'
export type { FollowUpCodeRow } from './onboarding.ts'
export {
  communityPropertyStates,
  type RegistrationGroup,
  type RegistrationTypeRow,
} from './registration-type.ts'
export { type RenewalKind, type RenewalKindRow, renewalKinds } from './renewals.ts'
export type { Scope, ScopeRow } from './scopes.ts'
