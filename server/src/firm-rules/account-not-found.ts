/**
 * The response for an account that does not exist and for an account of another firm. It is the same for both, so that
 * no caller can distinguish them (Reading 1.8). Callers of the clearing firm see the accounts of all firms.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId } from '../store/firms.ts'

export function accountNotFound(firm: Firm): Rejected {
  const reason =
    firm.firmId === clearingFirmId
      ? 'There is no account with this number.'
      : 'Your firm has no account with this number.'
  return new Rejected([reject('ERR.2003', 'accountNumber', reason)])
}
