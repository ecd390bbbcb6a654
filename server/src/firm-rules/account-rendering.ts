/**
 * The settings with which an account is rendered for the caller: personal numbers are in full only with
 * `pii:read`.
 */
import type { Rendering } from '@clearing/domain'
import type { Account } from '../store/accounts.ts'
import type { FirmContext } from './context.ts'

export function rendering(account: Account, context: FirmContext): Rendering {
  return {
    accountNumber: account.accountNumber,
    accountStatus: account.status,
    accountName: account.accountName,
    version: account.version,
    personalNumbers: context.caller.scopes.has('pii:read'),
  }
}
