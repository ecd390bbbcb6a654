/** The settings for signing staff in at an OpenID provider of the clearing firm. */
import { codeLists, type StaffRole } from '@clearing/protocol'
import type { Settings } from './read-settings.ts'

export interface OutsideProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim that names groups or roles; dots select members of objects. */
  readonly roleClaim: string
  /** Values of the claim, by our role. */
  readonly roleValues: Readonly<Partial<Record<StaffRole, readonly string[]>>>
}

/**
 * `STAFF_ROLES` reads `admin=console-admins operator=desk,night-desk`: our roles, and the provider's names for them.
 */
export function readStaffProvider(
  settings: Settings,
  schemes: readonly string[],
): OutsideProviderSettings | undefined {
  const { mistakes } = settings
  const text = (name: string) => settings.text(name)
  const issuer = text('STAFF_ISSUER')
  if (issuer === undefined) {
    for (const name of ['STAFF_CLIENT_ID', 'STAFF_CLIENT_SECRET', 'STAFF_ROLE_CLAIM', 'STAFF_ROLES'])
      if (text(name)) mistakes.push(`${name} needs STAFF_ISSUER`)
    return undefined
  }
  const clientId = text('STAFF_CLIENT_ID') ?? ''
  const clientSecret = text('STAFF_CLIENT_SECRET') ?? ''
  settings.isAddress('STAFF_ISSUER', schemes)
  if (!clientId || !clientSecret)
    mistakes.push('STAFF_CLIENT_ID and STAFF_CLIENT_SECRET must be given with STAFF_ISSUER')
  const roleValues: Partial<Record<StaffRole, readonly string[]>> = {}
  for (const pair of (text('STAFF_ROLES') ?? '').split(/\s+/).filter(Boolean)) {
    const [given = '', values = ''] = pair.split('=')
    const role = codeLists.staffRole.find(({ value }) => value === given)?.value
    if (role === undefined || values === '')
      mistakes.push(`STAFF_ROLES: ${pair} is not like operator=name,name`)
    else roleValues[role] = values.split(',')
  }
  if (Object.keys(roleValues).length === 0) mistakes.push('STAFF_ROLES must map at least one role')
  return { issuer, clientId, clientSecret, roleClaim: text('STAFF_ROLE_CLAIM') ?? 'groups', roleValues }
}
