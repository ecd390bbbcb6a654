/**
 * The `restated` lines of non-trade-activity and trade-activity by enteredOn: with the lines of the range, they tell a
 * client that keeps a copy every amount that has changed.
 */
import type { Data } from '@clearing/protocol'
import type { Tx } from '../../database/transaction.ts'
import type { AskedPages } from '../../store/books/activity.ts'
import { readRestatedLines } from '../../store/books/restated-lines.ts'
import { fieldIndexOf } from '../activity-record.ts'
import { readAmounts, withoutQuantity } from './moved-amounts.ts'
import { MovedSecurities, withoutDescription } from './moved-securities.ts'

type RestatedLine = NonNullable<Data<'non-trade-activity'>['restated']>[number]

function isTrade(transType: string) {
  return transType === 'Trade'
}

export async function readRestated(tx: Tx, asked: AskedPages): Promise<RestatedLine[]> {
  const rows = (await readRestatedLines(tx, asked)).filter(
    ({ trans_type }) => isTrade(trans_type) === (asked.kind === 'trades'),
  )
  const lines = await readAmounts(tx, rows, asked)
  const moved = await new MovedSecurities(asked.knownOn).name(tx, lines)
  return lines.map(({ row, values, amounts, isWithoutEffect }, at) => {
    const { netAmount, quantity } = isWithoutEffect ? withoutQuantity(amounts) : amounts
    const value = (name: string) => values[fieldIndexOf(name)] ?? ''
    return {
      externalId: row.external_id,
      acctType: value('acctType'),
      transType: row.trans_type,
      secNo: value('secNo'),
      symbol: value('symbol'),
      currency: value('currency'),
      enteredOn: row.entered_on,
      restatedOn: row.restated_on,
      netAmount,
      change: row.change ?? netAmount,
      quantity,
      securitiesMoved: (moved[at] ?? []).map(withoutDescription),
    }
  })
}
