/** The residence that determines the law of a custodianship: it is that of the transfer, regardless of later moves. */
import { type AccountRecord, residenceOf } from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { Account } from '../store/accounts.ts'
import { readYear, type YearRow } from '../store/renewals.ts'

type Residence = AccountRecord['mailingAddress']

/** Undefined if the record has not changed since the account opened, or if the account is not custodial. */
export function residenceAtOpening({ record_at_opening: opening }: YearRow): Residence | undefined {
  return opening === null ? undefined : residenceOf(opening.primaryOwner, opening)
}

/** As above; also undefined before the account opens, because until then an address is only corrected. */
export async function readResidenceAtTransfer(
  tx: Tx,
  { accountNumber, status, record }: Pick<Account, 'accountNumber' | 'status' | 'record'>,
): Promise<Residence | undefined> {
  if (status === 'Pending' || !record.registrationType.startsWith('Custodial')) return undefined
  const year = await readYear(tx, accountNumber)
  return year && residenceAtOpening(year)
}
