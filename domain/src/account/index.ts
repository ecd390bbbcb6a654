/** The rules of accounts. */

export { composeAccountName, ownersOf } from './account-title.ts'
export { ageOn } from './age.ts'
export { type Amendment, amendAccount, type ComposedFields } from './amend-account.ts'
export { type Application, checkApplication, parseApplication } from './application.ts'
export { type ApprovalSubject, approvalSubjectsOf } from './approval-subjects.ts'
export { isBlank } from './blank.ts'
export { compareRecords, type ValueChange } from './compare-records.ts'
export {
  type AskedIdentity,
  type CorrectedIdentity,
  type IdentityFacts,
  whyNotCorrected,
  withIdentity,
} from './correct-identity.ts'
export { findSanctionedPlaces, type PlaceFound } from './find-sanctioned-places.ts'
export { whyFieldFixed } from './fixed-fields.ts'
export { foldLetters, lookAlike, lowerLooks, upperLooks } from './letters.ts'
export { describeLostValues } from './lost-values.ts'
export { mailingAddressString } from './mailing-address.ts'
export { maskChange, maskNumber, maskPersonalNumbers } from './mask-numbers.ts'
export type { FieldChange } from './merge-blocks.ts'
export { fullName, lastNameFirst } from './name.ts'
export * from './policy/index.ts'
export type * from './record.ts'
export { type RegistrationType, registrationOf } from './registration.ts'
export { type Rendering, renderShape1, renderShape2 } from './render-account.ts'
export { renderEcho } from './render-echo.ts'
export { isIdentification, isStated, renewIdentification, type ShownId } from './renewed-identification.ts'
export type { RuleSettings } from './rule-scope.ts'
export { type SanctionedPlace, sanctionedPlaces, sanctionedPlacesAsOf } from './sanctioned-places.ts'
export {
  changedParts,
  type ScreenedAddress,
  type ScreenedName,
  screenedAddresses,
  screenedNames,
} from './screened-parts.ts'
export { type RecordSecrets, withoutSecrets, withSecrets } from './secrets.ts'
export { type ChangeEnd, type ChangeStage, stepsOfChange } from './steps-of-change.ts'
export {
  firstPeriodOf,
  groundOfHold,
  type HoldGround,
  type HoldStep,
  holdPeriods,
  remindOn,
  stepOfHold,
  temporaryHoldCode,
} from './temporary-hold.ts'
export { isForeignCitizen } from './united-states.ts'
export * from './year/index.ts'
