/** The lines of an account for a statement or a confirmation, in the order in which they were booked. */

import { placeOf } from '../books/activity-record.ts'
import { readAmounts } from '../books/positions/moved-amounts.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { type AskedPages, pageActivity } from '../store/books/activity.ts'

/** Texts are those of the activity record. */
export interface BookedLine {
  readonly externalId: string
  readonly tradeDate: string
  readonly settleDate: string
  readonly transType: string
  readonly buySell: string
  readonly isCancel: boolean
  readonly isRebill: boolean
  readonly acctType: string
  readonly symbol: string
  readonly cusip: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly commission: string
  readonly secFee: string
  readonly interest: string
  readonly netAmount: string
  readonly currency: string
}

const pageRows = 200
const descriptionAt = ['description', 'description1', 'description2', 'description3'].map(placeOf)

export async function readBooked(
  tx: Tx,
  accountNumber: string,
  view: View,
  asked: Pick<AskedPages, 'kind' | 'field' | 'dateFrom' | 'dateTo'>,
): Promise<BookedLine[]> {
  const { known, day } = view
  const lines = known?.lines ?? null
  const pages = { ...asked, accountNumber, lines, knownOn: known?.on ?? null, until: day }
  const booked: BookedLine[] = []
  for await (const rows of pageActivity(tx, pages, pageRows)) {
    for (const { row, values, amounts } of await readAmounts(tx, rows, { accountNumber, lines })) {
      const value = (name: string) => values[placeOf(name)] ?? ''
      booked.push({
        externalId: row.external_id,
        tradeDate: value('tradeDate'),
        settleDate: value('settleDate'),
        transType: value('transType'),
        buySell: value('buySell'),
        isCancel: row.correction === 'C',
        isRebill: row.correction === 'R',
        acctType: value('acctType'),
        symbol: value('symbol'),
        cusip: value('cusip'),
        description: descriptionAt
          .map((at) => values[at] ?? '')
          .filter(Boolean)
          .join(' '),
        quantity: /^-?[0.]+$/.test(amounts.quantity) ? '' : amounts.quantity,
        price: value('price'),
        commission: value('commission'),
        secFee: value('secFee'),
        interest: value('interest'),
        netAmount: amounts.netAmount,
        currency: value('currency'),
      })
    }
  }
  return booked
}
