/**
 * verify-books: verifies the books of one account or of all accounts, and the seals of the days, and lists
 * the breaks.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { ofDay, verifyPart } from '../business-day/verify-part.ts'
import { cursorOf, dotted } from '../paging/cursor.ts'
import { accountNumber, day, either, marked } from '../paging/cursor-fields.ts'
import { readPosition } from '../paging/page.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

const places = cursorOf('verify-books', [either(accountNumber, marked(ofDay, day))], dotted)

export const verifyBooks: Handler<'verify-books'> = (request, context) =>
  // The turn comes before the first statement, because the transaction holds its connection from there on.
  context.parts.verifyTurns.run(() => verifyAsked(request, context))

const verifyAsked: Handler<'verify-books'> = async (request, { tx, now, parts }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const { accountNumber } = request
  if (accountNumber !== undefined && !(await readAccountHead(tx, accountNumber))) {
    return new Rejected([reject('ERR.2003', 'accountNumber', 'There is no account with this number.')])
  }
  return verifyPart(tx, request, { now, businessDay: parts.businessDay })
}
