/** The findings of the account policy on the current record of an application or of an open account. */
import { type AccountRecord, type Finding, judgeAccount, magicTaxIds } from '@clearing/domain'
import type { Account } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'

const none: ReadonlySet<string> = new Set()

interface FindingSettings {
  readonly now: Date
  readonly sandbox: boolean
  /** Of a custodial account; absent if it is that of the record. */
  readonly residenceAtTransfer?: AccountRecord['mailingAddress'] | undefined
  /** Customer ids of the persons whose tax id another person has; absent if the other accounts were not read. */
  readonly numbersOfOthers?: ReadonlySet<string>
}

export function findInRecord(
  { record, status }: Pick<Account, 'record' | 'status'>,
  { now, sandbox, residenceAtTransfer, numbersOfOthers }: FindingSettings,
): Finding[] {
  return judgeAccount(record, {
    moment: status === 'Open' || status === 'Restricted' ? 'change' : 'opening',
    today: easternDay(now),
    sandbox,
    magicTaxIds: sandbox ? magicTaxIds : none,
    residenceAtTransfer,
    numbersOfOthers,
    wasRefused: () => false,
    isUnknown: () => false,
  })
}
