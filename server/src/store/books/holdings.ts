/** Stored holdings: their lots, the past that later lines need, and the resulting positions. */
import type { AcctType, HoldingState, Lot, LotInTransit, PendingLoss, Security } from '@clearing/domain/books'
import { decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { type Statement, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  decimalOfColumn,
  type GatheredRows,
  insertRows,
  jsonWithDecimals,
  quotedCell,
  type Rows,
  rowsOf,
} from './bulk.ts'

/** A holding, with the facts that decide whether a line can be added to it. */
export interface KeptHolding {
  readonly state: HoldingState
  readonly lastDate: string
  readonly lastAtDayEnd: boolean
}

interface HoldingRow {
  readonly account_number: string
  readonly sec_no: bigint
  readonly pending_losses: readonly RenderedLoss[] | null
  readonly in_transit: readonly RenderedTransit[] | null
  readonly parts: number
  readonly restated_on: string | null
  readonly last_date: string
  readonly last_at_day_end: boolean
  readonly lots: readonly KeptLot[] | null
}

/** A lot as its holding stores it (migration 076). Usual values are left out. */
interface KeptLot {
  readonly id: string
  readonly type: AcctType
  readonly by?: string
  readonly via?: string
  readonly order?: string
  readonly quantity: string
  readonly cost: string
  readonly known?: boolean
  readonly opened: string
  readonly start?: string
  readonly entry: number
  readonly replaces?: boolean
  readonly wash?: string
  readonly fx?: string
  readonly long?: string
  readonly beside?: string
}

const holdingNames = [
  ...['account_number', 'sec_no', 'pending_losses', 'in_transit', 'parts', 'restated_on', 'last_date'],
  ...['last_at_day_end', 'lots'],
]
  .map((name) => `holding.${name}`)
  .join(', ')
const named = 'unnest($1::text[], $2::bigint[]) as named (account_number, sec_no)'

const selectHoldings = statement<HoldingRow>(
  'select-holdings',
  `select ${holdingNames} from ${named} join clearing.holding using (account_number, sec_no)`,
)
const selectAccountHoldings = statement<HoldingRow>(
  'select-holdings-of-account',
  `select ${holdingNames} from clearing.holding where account_number = $1`,
)
export interface LotsRow {
  readonly sec_no: bigint
  readonly lots: readonly KeptLot[]
}

/** The lots of an account, by security. */
export const selectAccountLots: Statement<LotsRow> = statement<LotsRow>(
  'select-lots-of-account',
  'select sec_no, lots from clearing.holding where account_number = $1 and lots is not null order by sec_no',
)

export interface HoldingName {
  readonly accountNumber: string
  readonly secNo: string
}

/** Holdings by secNo. */
export type HoldingsOfAccount = ReadonlyMap<string, KeptHolding>

/** The holdings that exist, by account. Accounts without any are absent. */
export async function readHoldings(
  tx: Tx,
  names: readonly HoldingName[],
  securityOf: (secNo: string) => Security,
): Promise<Map<string, HoldingsOfAccount>> {
  if (names.length === 0) return new Map()
  const values = [names.map(({ accountNumber }) => accountNumber), names.map(({ secNo }) => secNo)]
  const accounts = new Map<string, Map<string, KeptHolding>>()
  for (const row of await tx.rows(selectHoldings, values)) {
    let holdings = accounts.get(row.account_number)
    if (holdings === undefined) {
      holdings = new Map()
      accounts.set(row.account_number, holdings)
    }
    addHolding(holdings, row, securityOf)
  }
  return accounts
}

/** All holdings of an account. `learn` makes their securities known. */
export async function readAccountHoldings(
  tx: Tx,
  accountNumber: string,
  learn: (secNos: Iterable<string>) => Promise<void>,
  securityOf: (secNo: string) => Security,
): Promise<HoldingsOfAccount> {
  const rows = await tx.rows(selectAccountHoldings, [accountNumber])
  await learn(rows.map(({ sec_no }) => String(sec_no)))
  const holdings = new Map<string, KeptHolding>()
  for (const row of rows) addHolding(holdings, row, securityOf)
  return holdings
}

const selectQuantities = statement<{ sec_no: bigint; acct_type: AcctType; quantity: string }>(
  'select-positions-of-account',
  'select sec_no, acct_type, quantity from clearing.position where account_number = $1',
)

/** The stored positions of an account. */
export async function readQuantities(
  tx: Tx,
  accountNumber: string,
): Promise<{ secNo: string; acctType: AcctType; quantity: bigint }[]> {
  return (await tx.rows(selectQuantities, [accountNumber])).map((row) => ({
    secNo: String(row.sec_no),
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
  }))
}

function addHolding(
  to: Map<string, KeptHolding>,
  row: HoldingRow,
  securityOf: (secNo: string) => Security,
): void {
  const secNo = String(row.sec_no)
  const lots: [Lot[], Lot[], Lot[]] = [[], [], []]
  for (const lot of row.lots ?? []) lots[(lot.type - 1) as 0 | 1 | 2].push(parseLot(lot))
  to.set(secNo, {
    state: {
      security: securityOf(secNo),
      lots,
      pendingLosses: (row.pending_losses ?? []).map(parseLoss),
      inTransit: (row.in_transit ?? []).map((sent) => ({ ...sent, lot: parseRenderedLot(sent.lot) })),
      parts: row.parts,
      restatedOn: row.restated_on ?? '',
    },
    lastDate: row.last_date,
    lastAtDayEnd: row.last_at_day_end,
  })
}

export function parseLot(kept: KeptLot): Lot {
  const { id, by = id, opened } = kept
  return {
    id,
    openedBy: by,
    via: kept.via,
    order: kept.order ?? by,
    acctType: kept.type,
    quantity: decimalOfColumn(kept.quantity),
    cost: decimalOfColumn(kept.cost),
    costKnown: kept.known ?? true,
    openDate: opened,
    holdingStart: kept.start ?? opened,
    entry: kept.entry,
    canReplace: kept.replaces ?? true,
    washAdded: kept.wash === undefined ? ZERO : decimalOfColumn(kept.wash),
    fxRate: kept.fx === undefined ? ZERO : decimalOfColumn(kept.fx),
    ...(kept.long !== undefined && {
      heldLong: decimalOfColumn(kept.long),
      soldBeside: kept.beside === undefined ? ZERO : decimalOfColumn(kept.beside),
    }),
  }
}

/** Adds the lots as a cell of JSON, which is null without lots. */
function addLots(row: Rows, lots: HoldingState['lots']): void {
  let isFirst = true
  for (const list of lots) {
    for (const lot of list) {
      if (isFirst) row.beginQuoted()
      row.part(isFirst ? '[' : ',')
      addLot(row, lot)
      isFirst = false
    }
  }
  if (isFirst) row.plain(null)
  else {
    row.part(']')
    row.endQuoted()
  }
}

/** Quotes are doubled in a cell. */
function addLot(row: Rows, lot: Lot): void {
  const { id, openedBy, via, order, acctType, openDate, holdingStart, entry } = lot
  row.part('{""id"":')
  addText(row, id)
  row.part(`,""type"":${acctType},""quantity"":""`)
  row.part(renderDecimal(lot.quantity))
  row.part('"",""cost"":""')
  row.part(renderDecimal(lot.cost))
  row.part('"",""opened"":""')
  row.part(openDate)
  row.part('"",""entry"":')
  row.part(String(entry))
  if (openedBy !== id) addMember(row, 'by', openedBy)
  if (via !== undefined) addMember(row, 'via', via)
  if (order !== openedBy) addMember(row, 'order', order)
  if (!lot.costKnown) row.part(',""known"":false')
  if (holdingStart !== openDate) addMember(row, 'start', holdingStart)
  if (!lot.canReplace) row.part(',""replaces"":false')
  if (lot.washAdded !== ZERO) addMember(row, 'wash', renderDecimal(lot.washAdded))
  if (lot.fxRate !== ZERO) addMember(row, 'fx', renderDecimal(lot.fxRate))
  const { heldLong, soldBeside = ZERO } = lot
  if (heldLong !== undefined) addMember(row, 'long', renderDecimal(heldLong))
  if (soldBeside !== ZERO) addMember(row, 'beside', renderDecimal(soldBeside))
  row.part('}')
}

function addMember(row: Rows, name: string, text: string): void {
  row.part(`,""${name}"":`)
  addText(row, text)
}

/** Texts that need no escapes in JSON or in a cell. */
const plainText = /^[\w .:/#+-]*$/
function addText(row: Rows, text: string): void {
  if (plainText.test(text)) {
    row.part('""')
    row.part(text)
    row.part('""')
  } else row.quotedPart(JSON.stringify(text))
}

type Rendered<T> = { readonly [Member in keyof T]: T[Member] extends bigint ? string : T[Member] }
type RenderedLoss = Rendered<PendingLoss>
type RenderedLot = Rendered<Omit<Lot, 'heldLong' | 'soldBeside'>> & {
  readonly heldLong?: string
  readonly soldBeside?: string
}
type RenderedTransit = Omit<LotInTransit, 'lot'> & { readonly lot: RenderedLot }

function parseLoss(loss: RenderedLoss): PendingLoss {
  return {
    ...loss,
    quantity: decimal(loss.quantity),
    loss: decimal(loss.loss),
  }
}
function parseRenderedLot(lot: RenderedLot): Lot {
  return {
    ...lot,
    via: lot.via,
    quantity: decimal(lot.quantity),
    cost: decimal(lot.cost),
    washAdded: decimal(lot.washAdded),
    fxRate: decimal(lot.fxRate),
    heldLong: lot.heldLong === undefined ? undefined : decimal(lot.heldLong),
    soldBeside: lot.soldBeside === undefined ? undefined : decimal(lot.soldBeside),
  }
}

const insertHoldings = insertRows('insert-holdings', 'holding')
const updateHoldings = statement(
  'update-holdings',
  `update clearing.holding set pending_losses = given.pending_losses, in_transit = given.in_transit, parts = given.parts,
     restated_on = given.restated_on, quantity_cash = given.quantity_cash, quantity_margin = given.quantity_margin,
     quantity_short = given.quantity_short, last_date = given.last_date, last_at_day_end = given.last_at_day_end,
     lots = given.lots
   from ${rowsOf('holding')} where holding.account_number = given.account_number and holding.sec_no = given.sec_no`,
)

function renderList(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : quotedCell(jsonWithDecimals(list))
}

/** A holding after some lines, and its stored form before them. */
export interface HoldingChange {
  readonly accountNumber: string
  readonly firmId: string
  readonly secNo: string
  readonly before: KeptHolding | undefined
  readonly after: HoldingState
  readonly lastDate: string
  readonly lastAtDayEnd: boolean
}

/**
 * Writes changed holdings whole. It updates the holdings that were read and inserts new ones without checking
 * for conflicts, because the books are locked and all their holdings were read.
 */
export function putHoldingChanges(to: GatheredRows, changes: readonly HoldingChange[]): void {
  for (const change of changes) {
    const { accountNumber, firmId, secNo, before, after, lastDate, lastAtDayEnd } = change
    const row = to.of(before === undefined ? insertHoldings : updateHoldings)
    row.begin()
    row.plain(accountNumber, secNo, firmId, renderList(after.pendingLosses), renderList(after.inTransit))
    row.plain(after.parts, after.restatedOn === '' ? null : after.restatedOn)
    row.plain(quantityOf(after.lots[0]), quantityOf(after.lots[1]), quantityOf(after.lots[2]))
    row.plain(lastDate, lastAtDayEnd)
    addLots(row, after.lots)
    row.end()
  }
}

function quantityOf(lots: readonly Lot[]): string {
  let quantity = ZERO
  for (const lot of lots) quantity += lot.quantity
  return renderDecimal(quantity)
}
