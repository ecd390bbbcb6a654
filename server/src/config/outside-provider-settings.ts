/** The settings for signing staff in at an OpenID provider of the clearing firm. */
import type { StaffRole } from '@clearing/protocol'

export interface OutsideProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim that names groups or roles; dots select members of objects. */
  readonly roleClaim: string
  /** Values of the claim, by our role. */
  readonly roleValues: Readonly<Partial<Record<StaffRole, readonly string[]>>>
}
