/** Which scopes the credentials of a firm may have (Reading 2.3): a client firm's those of firms, the clearing firm's any. */
import { codeLists, type Scope } from '@clearing/protocol'
import { clearingFirmId } from '../store/firms.ts'

/** What a credential is granted when nothing is said: all that client firms can have, or `operations` for the clearing firm. */
export const defaultScopes = (firmId: string): Scope[] => {
  const audience = firmId === clearingFirmId ? 'operations' : 'firm'
  return codeLists.scope.filter((row) => row.audience === audience).map(({ value }) => value)
}

export const mayBeGranted = (scope: Scope, firmId: string): boolean => {
  const row = codeLists.scope.find(({ value }) => value === scope)
  return row !== undefined && (row.audience === 'firm' || firmId === clearingFirmId)
}
