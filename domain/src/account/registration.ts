/**
 * The registration types with their requirements for an application. The table is in the protocol (Reading 3.3, 3.4).
 */
import { codeRow, type RegistrationTypeRow } from '@clearing/protocol/values'

export type RegistrationType = RegistrationTypeRow

/** The row of a registration type; undefined for an absent or unknown value. */
export function registrationOf(value: string | undefined): RegistrationType | undefined {
  return value === undefined ? undefined : codeRow('registrationType', value)
}
