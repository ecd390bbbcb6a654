/** list-accounts: the firm's accounts by filter, in pages, forwards and backwards. */
import { createHash } from 'node:crypto'
import { limits, type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, time, words, yesNo } from '../paging/cursor-fields.ts'
import { readPosition } from '../paging/page.ts'
import {
  type AccountFilter,
  type AccountItem,
  type AccountOrder,
  findAccounts,
  placeOf,
} from '../store/account-list.ts'
import type { Handler } from './context.ts'

const ranges = [
  ['createdFrom', 'createdTo'],
  ['openedFrom', 'openedTo'],
  ['updatedFrom', 'updatedTo'],
] as const

export const listAccounts: Handler<'list-accounts'> = async (request, context) => {
  const filter = filterOf(request)
  const sortBy = ((request.sortBy || undefined) as AccountOrder | undefined) ?? 'createdDate'
  const descending = (request.sortMode || 'descend') === 'descend'
  const size = request.size ?? limits.pageSizeDefault
  const asked = digestOf(filter, sortBy, descending)
  const places = cursorOf('list-accounts', [words(digestLength), yesNo, fieldOf(sortBy), accountNumber])
  const from = readPosition(places, request)
  const isSameList = from === undefined || from instanceof Rejected || from[0] === asked
  const rejections = [
    ...checkDayRanges(request, ranges),
    ...(await checkOwnership(
      context,
      { entityNumber: filter.entityNumber, repCode: filter.repCode },
      'repCode',
    )),
    ...(from instanceof Rejected ? from.rejections : []),
    ...(isSameList ? [] : [otherList(request.after ? 'after' : 'cursor')]),
  ]
  if (rejections.length > 0 || from instanceof Rejected) return new Rejected(rejections)

  const [, backwards = false, value = '', number = ''] = from ?? []
  // One row more than the page. It shows whether another page follows.
  const page = {
    sortBy,
    descending,
    backwards,
    from: from && { value, accountNumber: number },
    most: size + 1,
  }
  const found = await findAccounts(context.tx, context.firm.firmId, filter, page)
  const more = found.length > size
  const accounts = backwards ? found.slice(-size) : found.slice(0, size)
  const [first, last] = [accounts[0], accounts.at(-1)]
  const render = (item: AccountItem | undefined, towards: boolean, isThere: boolean) =>
    item !== undefined && isThere
      ? places.write([asked, towards, placeOf(item, sortBy).value, item.account_number])
      : ''
  const next = render(last, false, backwards || more)
  const previous = render(first, true, backwards ? more : from !== undefined)
  return {
    accounts: accounts.map(renderItem),
    next,
    previous,
    nextCursor: next,
    previousCursor: previous,
  }
}

function asList(given: string | readonly string[] | undefined): readonly string[] {
  return given === undefined || given === '' ? [] : typeof given === 'string' ? [given] : given
}

function filterOf(request: Request<'list-accounts'>): AccountFilter {
  return {
    statuses: asList(request.status),
    registrationTypes: asList(request.registrationType),
    entityNumber: String(request.entityNumber ?? ''),
    repCode: request.repCode ?? '',
    name: request.name ?? '',
    created: { from: request.createdFrom ?? '', to: request.createdTo ?? '' },
    opened: { from: request.openedFrom ?? '', to: request.openedTo ?? '' },
    updated: { from: request.updatedFrom ?? '', to: request.updatedTo ?? '' },
  }
}

function renderItem(item: AccountItem) {
  return {
    accountNumber: item.account_number,
    accountStatus: item.status,
    accountName: item.account_name,
    registrationType: item.registration_type,
    subNumber: item.entity_number,
    repCode: item.rep_code,
    version: item.version,
    createdOn: item.created_at,
    updatedOn: item.updated_at,
    openedOn: item.opened_at,
  }
}

const digestLength = 12

/** The filters and the order to which a cursor belongs. It is invalid under others. */
function digestOf(filter: AccountFilter, sortBy: AccountOrder, descending: boolean): string {
  return createHash('sha256')
    .update(JSON.stringify([filter, sortBy, descending]))
    .digest('base64url')
    .slice(0, digestLength)
}

function otherList(field: string): Rejection {
  return reject('ERR.1015', field, 'The cursor belongs to other filters or another order.')
}

/** The account's value of the order, as a cursor stores it. */
function fieldOf(sortBy: AccountOrder) {
  return sortBy === 'accountNumber'
    ? accountNumber
    : sortBy === 'accountName'
      ? words(limits.cursorLengthMax)
      : time
}
