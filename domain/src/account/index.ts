/** The rules of accounts. */
export { ageOn } from './age.ts'
export {
  type Amendment,
  amendAccount,
  type ComposedFields,
  type FieldChange,
  maskChange,
  maskNumber,
  maskPersonalNumbers,
} from './amend-account.ts'
export { type Application, checkApplication, parseApplication } from './application.ts'
export { type ApprovalSubject, approvalSubjectsOf } from './approval-subjects.ts'
export { isBlank } from './blank.ts'
export { compareRecords, type ValueChange } from './compare-records.ts'
export { mailingAddressString } from './mailing-address.ts'
export { composeAccountName, fullName, lastNameFirst, ownersOf } from './name.ts'
export type * from './record.ts'
export { type RegistrationType, registrationOf } from './registration.ts'
export { type Rendering, renderEcho, renderShape1, renderShape2 } from './render-account.ts'
export type { RuleSettings } from './rule-scope.ts'
export { type RecordSecrets, withoutSecrets, withSecrets } from './secrets.ts'
