/**
 * Lines that were booked before a restriction was placed, with a trade date after its day. The close of a day books the
 * pending lines of the next day, so a restriction of that evening suspends what they use, like that of lines that
 * arrive later.
 */
import type { Tx } from '../../database/transaction.ts'
import { raiseBreaks } from '../../store/books/breaks.ts'
import { easternDay } from '../../store/books/calendar.ts'
import { readJournalsAhead } from '../../store/books/journals.ts'
import { readLinesAhead } from '../../store/books/lines.ts'
import type { Restriction } from '../../store/restrictions.ts'
import { Directory } from '../directory.ts'
import { findDebits, suspendsMargin } from './borrowed.ts'
import { breaksOfRestrictions } from './suspended.ts'
import { breaksOfJournals } from './suspended-journals.ts'

/** Raises the break of each such line. The account and its books are locked. */
export async function raiseSuspendedAhead(tx: Tx, restriction: Restriction, at: Date): Promise<void> {
  const { account_number: accountNumber, firm_id: firmId, code } = restriction
  const from = easternDay(at)
  const directory = new Directory()
  const lines = await readLinesAhead(tx, accountNumber, from, {
    learn: (secNos) => directory.learnByNumber(tx, secNos),
    securityOf: (secNo) => directory.known(secNo).booked,
  })
  const restrictions = [{ account_number: accountNumber, code, from, until: null }]
  const debits = suspendsMargin(restriction) ? await findDebits(tx, accountNumber) : new Set<string>()
  const breaks = breaksOfRestrictions(lines, restrictions, debits)
  const journals = (await readJournalsAhead(tx, accountNumber, from)).filter(
    ({ cancelled_by }) => cancelled_by === null,
  )
  raiseBreaks(
    tx,
    [
      ...breaks.map(({ lineId, securityKey, ...raised }) => ({
        ...{ accountNumber, firmId, externalId: lineId, secNo: securityKey },
        ...raised,
      })),
      ...breaksOfJournals(journals, restrictions),
    ],
    at,
  )
}
