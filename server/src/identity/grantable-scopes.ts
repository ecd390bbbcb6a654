/**
 * The scopes that the credentials of a firm may have (Reading 2.3): the firm scopes for a client firm, any scope for
 * the clearing firm.
 */
import { codeLists, type Scope } from '@clearing/protocol'
import { clearingFirmId } from '../store/firms.ts'

/** The scopes of a credential by default: all scopes of client firms, or `operations` for the clearing firm. */
export function defaultScopes(firmId: string): Scope[] {
  const audience = firmId === clearingFirmId ? 'operations' : 'firm'
  return codeLists.scope.filter((row) => row.audience === audience).map(({ value }) => value)
}

export function mayBeGranted(scope: Scope, firmId: string): boolean {
  const row = codeLists.scope.find(({ value }) => value === scope)
  return row !== undefined && (row.audience === 'firm' || firmId === clearingFirmId)
}
