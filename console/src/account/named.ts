/** An account as dialogs name it: `30100004, EDDA LARSSON`. A person decides by the name and not by the number. */
import { useRead } from '../reads.ts'
import { type Block, recordOf } from './record.ts'

export function namedAccount(accountNumber: string, { accountName }: Block): string {
  return [accountNumber, String(accountName ?? '')].filter((part) => part !== '').join(', ')
}

/** The number alone until the name is read. Empty without an account. */
export function useNamedAccount(accountNumber: string): string {
  const { data } = useRead('get-account', { accountNumber }, { enabled: accountNumber !== '' })
  return namedAccount(accountNumber, data === undefined ? {} : recordOf(data))
}
