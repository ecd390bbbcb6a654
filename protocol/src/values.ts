/**
 * The part of the contract that needs no schemas: codes, errors, limits and readings. The thread of loads loads this
 * part alone, in half the time of the whole.
 */

export {
  type ActivityField,
  activityFieldLengths,
  activityFieldsUnbounded,
} from './activity-fields.ts'
export * from './codes/index.ts'
export * from './count-of.ts'
export * from './csv.ts'
export * from './errors.ts'
export * from './limits.ts'
export * from './reading/index.ts'
