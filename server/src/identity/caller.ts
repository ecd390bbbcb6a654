/** The caller of an operation: the credential of a firm, or a person of the clearing firm's staff. */
import type { Scope, StaffRole } from '@clearing/protocol'

/**
 * The caller of an operation: the credential of a firm by its token, or a person of the clearing firm's staff by their
 * session.
 */
export interface Caller {
  /** The credential, or the person's e-mail address: the name in audit rows and access records. */
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  readonly person?: Person | undefined
  /** The reason why a person requested unmasked personal numbers. */
  readonly readingReason?: string | undefined
}

/** A person of the clearing firm's staff. */
export interface Person {
  readonly staffId: string
  readonly email: string
  readonly name: string
  readonly role: StaffRole
}
