/** The registration types with what each asks of an application; the table is the protocol's (Reading 3.3, 3.4). */
import { codeRow, type RegistrationTypeRow } from '@clearing/protocol'

export type RegistrationType = RegistrationTypeRow

export function registrationOf(value: string | undefined): RegistrationType | undefined {
  return value === undefined ? undefined : codeRow('registrationType', value)
}
