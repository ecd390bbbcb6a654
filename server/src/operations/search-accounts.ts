/** search-accounts: searches the accounts of all firms. A search by tax id is recorded for each account found. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { blindIndex } from '../encryption/blind-index.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { accountNumber, time } from '../paging/cursor-fields.ts'
import { type Order, positionsOf, readOrder } from '../paging/order.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import {
  countAllAccounts,
  type FoundAccount,
  type FoundAccountOrder,
  searchAllAccounts,
} from '../store/account-search.ts'
import { readFirms } from '../store/firms.ts'
import type { Context, Handler } from './context.ts'

const newestFirst: Order<FoundAccountOrder> = { sortBy: 'createdDate', descending: true }
const fields = { createdDate: [time, accountNumber], accountNumber: [accountNumber] } as const

export const searchAccounts: Handler<'search-accounts'> = async (request, context) => {
  const { tx } = context
  const order = readOrder(request, newestFirst)
  const places = positionsOf('search-accounts', order, newestFirst, fields[order.sortBy])
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const { createdFrom, createdTo, taxIdNumber } = request
  const wrong = checkDayRanges(request, [['createdFrom', 'createdTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  if (taxIdNumber?.startsWith('*'))
    return new Rejected([
      reject('ERR.1016', 'taxIdNumber', 'A masked tax id finds nothing; give all nine digits.'),
    ])
  const size = request.size ?? limits.pageSizeDefault
  const search = {
    text: request.text,
    taxIds: taxIdNumber === undefined ? undefined : await indexesOf(taxIdNumber, firmId, context),
    firmId,
    entityNumber: request.entityNumber === undefined ? undefined : String(request.entityNumber),
    repCode: request.repCode,
    status: request.accountStatus,
    registrationType: request.registrationType,
    createdFrom,
    createdTo,
  }
  const found = await searchAllAccounts(tx, search, { ...order, after, most: size + 1 })
  const { rows, next } = pageOfRows(found, size, places, (row) => [
    ...(order.sortBy === 'createdDate' ? [row.created_at] : []),
    row.account_number,
  ])
  if (taxIdNumber !== undefined) await recordLookUps(rows, context)
  const total = request.counted && after === undefined ? await countAllAccounts(tx, search) : null
  return { accounts: rows.map(renderFound), total, next }
}

/** The keyed index of a tax id at every firm. Each firm has its own key. */
async function indexesOf(taxIdNumber: string, firmId: string | undefined, { tx, parts }: Context) {
  const firms = firmId === undefined ? (await readFirms(tx)).map((firm) => firm.firmId) : [firmId]
  return Promise.all(
    firms.map(async (firm) => ({
      firmId: firm,
      index: await parts.keyring.using(firm, (keys) => blindIndex(keys, 'tax-id', taxIdNumber)),
    })),
  )
}

async function recordLookUps(rows: readonly FoundAccount[], context: Context): Promise<void> {
  const { now: at, caller, traceId, parts } = context
  await Promise.all(
    rows.map((row) =>
      parts.accessRecords.add({
        firmId: row.firm_id,
        accountNumber: row.account_number,
        at,
        clientId: caller.clientId,
        operation: 'search-accounts',
        traceId,
        reason: caller.readingReason ?? '',
      }),
    ),
  )
}

function renderFound(row: FoundAccount) {
  return {
    accountNumber: row.account_number,
    firmId: row.firm_id,
    firmName: row.firm_name,
    entityNumber: row.entity_number,
    repCode: row.rep_code,
    registrationType: row.registration_type,
    accountStatus: row.status,
    accountName: row.account_name,
    createdOn: row.created_at,
    lastUpdated: row.updated_at,
  }
}
