/**
 * The response for an account that does not exist and for an account of another firm. It is the same for
 * both, so that no caller can distinguish them (Reading 1.8).
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'

export function accountNotFound(): Rejected {
  return new Rejected([reject('ERR.2003', 'accountNumber', 'Your firm has no account with this number.')])
}
