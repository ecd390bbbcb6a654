/** list-accounts: the firm's accounts by filter, a page at a time, forwards and backwards. */
import { createHash } from 'node:crypto'
import { limits, type Rejection, type Request, reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import {
  type AccountFilter,
  type AccountItem,
  type AccountOrder,
  type AccountPlace,
  findAccounts,
  placeOf,
} from '../store/account-list.ts'
import { checkOwnership } from './ownership.ts'

export const listAccounts: Handler<'list-accounts'> = async (request, context) => {
  const filter = filterOf(request)
  const sortBy = ((request.sortBy || undefined) as AccountOrder | undefined) ?? 'createdDate'
  const descending = (request.sortMode || 'descend') === 'descend'
  const size = request.size ?? limits.pageSizeDefault
  const asked = digestOf(filter, sortBy, descending)
  const cursor = request.cursor ? parseCursor(request.cursor, asked, sortBy) : undefined
  const rejections = [
    ...checkDays(request),
    ...(await checkOwnership(
      context,
      { entityNumber: filter.entityNumber, repCode: filter.repCode },
      'repCode',
    )),
    ...(typeof cursor === 'string' ? [reject('ERR.1015', 'cursor', cursor)] : []),
  ]
  if (rejections.length > 0 || typeof cursor === 'string') return new Rejected(rejections)

  const backwards = cursor?.backwards ?? false
  // One more than the page has tells whether another page follows.
  const page = { sortBy, descending, backwards, from: cursor?.place, most: size + 1 }
  const found = await findAccounts(context.tx, context.firm.firmId, filter, page)
  const more = found.length > size
  const accounts = backwards ? found.slice(-size) : found.slice(0, size)
  const [first, last] = [accounts[0], accounts.at(-1)]
  const render = (item: AccountItem | undefined, towards: boolean, isThere: boolean) =>
    item !== undefined && isThere ? renderCursor(placeOf(item, sortBy), towards, asked) : ''
  return {
    accounts: accounts.map(renderItem),
    nextCursor: render(last, false, backwards || more),
    previousCursor: render(first, true, backwards ? more : cursor !== undefined),
  }
}

const asList = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined || given === '' ? [] : typeof given === 'string' ? [given] : given

const filterOf = (request: Request<'list-accounts'>): AccountFilter => ({
  statuses: asList(request.status),
  registrationTypes: asList(request.registrationType),
  entityNumber: String(request.entityNumber ?? ''),
  repCode: request.repCode ?? '',
  name: request.name ?? '',
  created: { from: request.createdFrom ?? '', to: request.createdTo ?? '' },
  opened: { from: request.openedFrom ?? '', to: request.openedTo ?? '' },
  updated: { from: request.updatedFrom ?? '', to: request.updatedTo ?? '' },
})

const checkDays = (request: Request<'list-accounts'>): Rejection[] =>
  (['created', 'opened', 'updated'] as const).flatMap((what) => {
    const [from, to] = [request[`${what}From`], request[`${what}To`]]
    return from && to && from > to
      ? [reject('ERR.1025', `${what}From`, `${what}From must not be after ${what}To.`)]
      : []
  })

const renderItem = (item: AccountItem) => ({
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
})

const digestLength = 12

/** What a cursor goes with: it means nothing under other filters or in another order. */
const digestOf = (filter: AccountFilter, sortBy: AccountOrder, descending: boolean): string =>
  createHash('sha256')
    .update(JSON.stringify([filter, sortBy, descending]))
    .digest('base64url')
    .slice(0, digestLength)

const renderCursor = ({ value, accountNumber }: AccountPlace, backwards: boolean, asked: string): string =>
  Buffer.from(JSON.stringify([asked, backwards, value, accountNumber])).toString('base64url')

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** The place and direction of a cursor, or why it cannot be used. */
const parseCursor = (
  text: string,
  asked: string,
  sortBy: AccountOrder,
): { readonly place: AccountPlace; readonly backwards: boolean } | string => {
  const unknown = 'This is no cursor of list-accounts.'
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return unknown
  }
  if (!Array.isArray(parts)) return unknown
  const [digest, backwards, value, accountNumber] = parts as unknown[]
  if (typeof digest !== 'string' || typeof backwards !== 'boolean') return unknown
  if (typeof value !== 'string' || typeof accountNumber !== 'string') return unknown
  if (!/^[A-Z0-9]{8}$/.test(accountNumber) || value.includes('\0')) return unknown
  if (digest !== asked) return 'The cursor goes with other filters or another order.'
  const isTime = sortBy.endsWith('Date')
  if (isTime && (!timeForm.test(value) || Number.isNaN(Date.parse(value)))) return unknown
  return { place: { value, accountNumber }, backwards }
}
