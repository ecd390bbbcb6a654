/** The events that report which amounts of earlier lines a change of an account restates. */
import { renderDecimal } from '@clearing/domain/decimal'
import type { EventData } from '@clearing/protocol'
import { limits } from '@clearing/protocol/values'
import type { AccountEvent } from '../../store/books/events.ts'
import { type AccountChange, changedUnits } from './account-change.ts'

export function restatedEvents(
  { books, businessDate, restated }: AccountChange,
  loadId: string,
): AccountEvent[] {
  const { accountNumber, firmId } = books
  const events: AccountEvent[] = []
  for (let from = 0; from < restated.length; from += limits.restatedLinesOfEventMax) {
    const lines = restated.slice(from, from + limits.restatedLinesOfEventMax)
    const content: Omit<EventData<'activity.restated'>, 'accountNumber'> = {
      loadId,
      restatedOn: businessDate,
      restated: lines.map(({ line, before, after }) => ({
        externalId: line.externalId,
        transType: line.transType,
        acctType: String(line.acctType),
        currency: line.currency,
        netAmountBefore: renderDecimal(before.cash),
        netAmount: renderDecimal(after.cash),
        securities: changedUnits(before, after).map((units) => ({
          secNo: units.secNo,
          quantityBefore: renderDecimal(units.before),
          quantity: renderDecimal(units.after),
        })),
      })),
    }
    events.push({ firmId, accountNumber, type: 'activity.restated', content })
  }
  return events
}
