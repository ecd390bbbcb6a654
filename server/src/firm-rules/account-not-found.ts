/**
 * The response for an account that does not exist and for an account of another firm. It is the same for both, so that
 * no caller can distinguish them (Reading 1.8). Callers of the clearing firm see the accounts of all firms.
 */
import { reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId } from '../store/firms.ts'

export function accountNotFound(firm: Firm): Rejected {
  return new Rejected([reject('ERR.2003', 'accountNumber', reasonFor(firm))])
}

function reasonFor(firm: Firm): string {
  return firm.firmId === clearingFirmId
    ? 'There is no account with this number.'
    : 'Your firm has no account with this number.'
}

/**
 * The response of a list that can be filtered by an account. An empty page for an unknown account has a message,
 * because it would otherwise read as that of an account without calls, lines or events.
 */
export async function answerOfAccount<Data>(
  data: Data,
  isEmpty: boolean,
  accountNumber: string | undefined,
  context: FirmInTx,
): Promise<Data | Answered<Data>> {
  const message = isEmpty ? await noteOfAccount(accountNumber, context) : undefined
  return message === undefined ? data : new Answered(data, { message })
}

interface FirmInTx {
  readonly tx: Tx
  readonly firm: Firm
}

/** States that there is no such account; undefined if there is, or if the filter names none. */
export async function noteOfAccount(
  accountNumber: string | undefined,
  { tx, firm }: FirmInTx,
): Promise<string | undefined> {
  if (accountNumber === undefined) return undefined
  return (await readAccountHead(tx, accountNumber)) === undefined ? reasonFor(firm) : undefined
}
