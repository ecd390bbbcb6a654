/** Who calls: the credential of a firm, or a person of the clearing firm's staff. */
import type { Scope, StaffRole } from '@clearing/protocol'

/** Who calls: the credential of a firm, as its token says, or a person of the clearing firm's staff by their session. */
export interface Caller {
  /** The credential, or the person's e-mail address: what audit rows and access records name. */
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  readonly person?: Person | undefined
}

/** A person of the clearing firm's staff. */
export interface Person {
  readonly staffId: string
  readonly email: string
  readonly name: string
  readonly role: StaffRole
}
