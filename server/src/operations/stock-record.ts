/** stock-record: the long and short holders of a security over all firms, now or as a close sealed them. */
import { renderDecimal } from '@clearing/domain/decimal'
import { limits, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { exactNumber } from '../books/positions/render-amounts.ts'
import { isAhead, knowsAll, neverClosed } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { decimalOfColumn } from '../store/books/bulk.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { findHeldSecurity, findHolders, readCloseOf } from '../store/stock-record.ts'
import type { Handler } from './context.ts'

/** The limit of a column of two bytes. */
const acctTypeMax = 32_767
const places = cursorOf('stock-record', [accountNumber, whole(acctTypeMax)])

export const stockRecord: Handler<'stock-record'> = async (request, { tx, now }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const sealed = await findSealed(tx, request, { today: await readBusinessDay(tx, now), now })
  if (sealed instanceof Rejected) return sealed
  const security = await findHeldSecurity(tx, request.security, sealed)
  if (security === undefined)
    return new Rejected([reject('ERR.1015', 'security', 'There is no such security.')])
  const { size = limits.pageSizeDefault } = request
  const found = await findHolders(tx, { secNo: security.sec_no, sealed }, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.account_number, row.acct_type])
  return {
    secNo: String(security.sec_no),
    symbol: security.symbol ?? '',
    cusip: security.cusip ?? '',
    description: security.description,
    longQuantity: numberOf(security.long_quantity),
    shortQuantity: numberOf(security.short_quantity),
    holders: rows.map((row) => ({
      accountNumber: row.account_number,
      firmId: row.firm_id,
      firmName: row.firm_name,
      accountName: row.account_name,
      acctType: String(row.acct_type),
      quantity: numberOf(row.quantity),
    })),
    next,
  }
}

/** Without the zeros that the column appends. */
function numberOf(column: string): number {
  return exactNumber(renderDecimal(decimalOfColumn(column)))
}

/**
 * The close that sealed the requested day; undefined for the current state. The service answers for a past
 * day only as it was sealed.
 */
async function findSealed(
  tx: Tx,
  { asOf, knownAt }: Request<'stock-record'>,
  { today, now }: { readonly today: string; readonly now: Date },
): Promise<string | undefined | Rejected> {
  if (isAhead(knownAt, today, now)) return new Rejected([neverClosed])
  const isPast = (day: string | undefined): day is string =>
    day !== undefined && day !== knowsAll && day < today
  const [day, known] = [isPast(asOf) ? asOf : undefined, isPast(knownAt) ? knownAt : undefined]
  if (day !== undefined && knownAt !== undefined && known !== day) return new Rejected([otherView])
  const asked = day ?? known
  if (asked === undefined) return undefined
  const sealed = await readCloseOf(tx, asked)
  if (sealed !== undefined) return sealed
  return new Rejected([day === undefined ? neverClosed : notSealed])
}

const otherView = reject(
  'ERR.1015',
  'knownAt',
  'The stock record of a past day is available only as its close sealed it: knownAt must be the day of asOf.',
)
const notSealed = reject('ERR.1015', 'asOf', 'asOf must be today, or a day that this service closed.')
