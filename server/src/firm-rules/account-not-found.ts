/** The one answer for an account that does not exist and for one of another firm: nothing tells them apart (Reading 1.8). */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'

export function accountNotFound(): Rejected {
  return new Rejected([reject('ERR.2003', 'accountNumber', 'Your firm has no account with this number.')])
}
