/** The contract of the Clearing Account Service: its operations, shapes, codes, errors and limits. */
export * from './envelope.ts'
export { type EventData, type EventType, eventDataShapes, isOfAccount } from './event-data.ts'
export * from './field.ts'
export * from './operation.ts'
export { eventStreamPath, eventStreamRequest } from './operations/events.ts'
export * from './operations/index.ts'
export {
  accountBlock,
  balanceLabels,
  type FieldFormat,
  fieldLabel,
  fieldOf,
  listFields,
  memberOf,
  pathLabels,
  type RecordBlock,
  type RecordField,
} from './record/index.ts'
export * from './roles.ts'
export { accountShape1, accountShape2, newAccountRequest, updateAccountRequest } from './shapes/account.ts'
export { cloudEventShape } from './shapes/event.ts'
export { householdAccountRequest, householdPersonRequest } from './shapes/household.ts'
export { incidentShape, type ServiceStatus, serviceStatusShape } from './shapes/status.ts'
export * from './values.ts'
