/** Holdings as they are kept: their lots, what later lines need of the past, and the positions that they come to. */
import type { AcctType, HoldingState, Lot, LotInTransit, PendingLoss, Security } from '@clearing/domain/books'
import { decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { type Statement, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalCell, decimalOfColumn, insertRows, quoteCell, Rows } from './bulk.ts'

/** A holding with what tells whether a line can go on top of it. */
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
}

export interface LotRow {
  readonly account_number: string
  readonly sec_no: bigint
  readonly lot_id: string
  readonly acct_type: AcctType
  readonly opened_by: string
  readonly via: string | null
  readonly order_id: string
  readonly quantity: string
  readonly cost: string
  readonly cost_known: boolean
  readonly open_date: string
  readonly holding_start: string
  readonly entry: bigint
  readonly place: number
  readonly can_replace: boolean
  readonly wash_added: string
  readonly fx_rate: string | null
}

const lotColumns = [
  'account_number',
  'sec_no',
  'lot_id',
  'acct_type',
  'opened_by',
  'via',
  'order_id',
  'quantity',
  'cost',
  'cost_known',
  'open_date',
  'holding_start',
  'entry',
  'place',
  'can_replace',
  'wash_added',
  'fx_rate',
] as const
const lotNames = lotColumns.map((name) => `lot.${name}`).join(', ')

const holdingNames = [
  ...['account_number', 'sec_no', 'pending_losses', 'in_transit', 'parts', 'restated_on', 'last_date'],
  'last_at_day_end',
]
  .map((name) => `holding.${name}`)
  .join(', ')
const named = 'unnest($1::text[], $2::bigint[]) as named (account_number, sec_no)'

const selectHoldings = statement<HoldingRow>(
  'select-holdings',
  `select ${holdingNames} from ${named} join clearing.holding using (account_number, sec_no)`,
)
const selectLots = statement<LotRow>(
  'select-lots-of-holdings',
  `select ${lotNames} from ${named} join clearing.lot using (account_number, sec_no)
   order by lot.account_number, lot.sec_no, lot.acct_type, lot.open_date, lot.entry, lot.place`,
)
const selectAccountHoldings = statement<HoldingRow>(
  'select-holdings-of-account',
  `select ${holdingNames} from clearing.holding where account_number = $1`,
)
/** The lots of an account in the order of relief. */
export const selectAccountLots: Statement<LotRow> = statement<LotRow>(
  'select-lots-of-account',
  `select ${lotNames} from clearing.lot where account_number = $1
   order by sec_no, acct_type, open_date, entry, place`,
)

export interface HoldingName {
  readonly accountNumber: string
  readonly secNo: string
}

export const nameOfHolding = (accountNumber: string, secNo: string): string => `${accountNumber} ${secNo}`

/** The holdings that exist, by `nameOfHolding`. */
export const readHoldings = async (
  tx: Tx,
  names: readonly HoldingName[],
  securityOf: (secNo: string) => Security,
): Promise<Map<string, KeptHolding>> => {
  if (names.length === 0) return new Map()
  const values = [names.map(({ accountNumber }) => accountNumber), names.map(({ secNo }) => secNo)]
  const [holdings, lots] = await Promise.all([tx.rows(selectHoldings, values), tx.rows(selectLots, values)])
  return joinHoldings(holdings, lots, securityOf)
}

/** All holdings of an account; `learn` makes their securities known. */
export const readAccountHoldings = async (
  tx: Tx,
  accountNumber: string,
  learn: (secNos: Iterable<string>) => Promise<void>,
  securityOf: (secNo: string) => Security,
): Promise<Map<string, KeptHolding>> => {
  const [holdings, lots] = await Promise.all([
    tx.rows(selectAccountHoldings, [accountNumber]),
    tx.rows(selectAccountLots, [accountNumber]),
  ])
  await learn(holdings.map(({ sec_no }) => String(sec_no)))
  return joinHoldings(holdings, lots, securityOf)
}

const selectQuantities = statement<{ sec_no: bigint; acct_type: AcctType; quantity: string }>(
  'select-positions-of-account',
  'select sec_no, acct_type, quantity from clearing.position where account_number = $1',
)

/** The positions of an account as they are kept. */
export const readQuantities = async (
  tx: Tx,
  accountNumber: string,
): Promise<{ secNo: string; acctType: AcctType; quantity: bigint }[]> =>
  (await tx.rows(selectQuantities, [accountNumber])).map((row) => ({
    secNo: String(row.sec_no),
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
  }))

function joinHoldings(
  holdings: readonly HoldingRow[],
  lots: readonly LotRow[],
  securityOf: (secNo: string) => Security,
): Map<string, KeptHolding> {
  const kept = new Map<string, KeptHolding>()
  const open = new Map<string, [Lot[], Lot[], Lot[]]>()
  for (const row of holdings) {
    const name = nameOfHolding(row.account_number, String(row.sec_no))
    const ofHolding: [Lot[], Lot[], Lot[]] = [[], [], []]
    open.set(name, ofHolding)
    kept.set(name, {
      state: {
        security: securityOf(String(row.sec_no)),
        lots: ofHolding,
        pendingLosses: (row.pending_losses ?? []).map(parseLoss),
        inTransit: (row.in_transit ?? []).map((sent) => ({ ...sent, lot: parseRenderedLot(sent.lot) })),
        parts: row.parts,
        restatedOn: row.restated_on ?? '',
      },
      lastDate: row.last_date,
      lastAtDayEnd: row.last_at_day_end,
    })
  }
  for (const row of lots) {
    const ofHolding = open.get(nameOfHolding(row.account_number, String(row.sec_no)))
    if (ofHolding === undefined) throw new Error(`a lot of security ${row.sec_no} has no holding`)
    ofHolding[(row.acct_type - 1) as 0 | 1 | 2].push(parseLot(row))
  }
  return kept
}

export function parseLot(row: LotRow): Lot {
  return {
    id: row.lot_id,
    openedBy: row.opened_by,
    via: row.via ?? undefined,
    order: row.order_id,
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
    cost: decimalOfColumn(row.cost),
    costKnown: row.cost_known,
    openDate: row.open_date,
    holdingStart: row.holding_start,
    entry: Number(row.entry),
    canReplace: row.can_replace,
    washAdded: decimalOfColumn(row.wash_added),
    fxRate: row.fx_rate === null ? ZERO : decimalOfColumn(row.fx_rate),
  }
}

type Rendered<T> = { readonly [Member in keyof T]: T[Member] extends bigint ? string : T[Member] }
type RenderedLoss = Rendered<PendingLoss>
type RenderedLot = Rendered<Lot>
type RenderedTransit = Omit<LotInTransit, 'lot'> & { readonly lot: RenderedLot }

const parseLoss = (loss: RenderedLoss): PendingLoss => ({
  ...loss,
  quantity: decimal(loss.quantity),
  loss: decimal(loss.loss),
})
const parseRenderedLot = (lot: RenderedLot): Lot => ({
  ...lot,
  via: lot.via,
  quantity: decimal(lot.quantity),
  cost: decimal(lot.cost),
  washAdded: decimal(lot.washAdded),
  fxRate: decimal(lot.fxRate),
})

const exactly = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? renderDecimal(value) : value

const insertHoldings = insertRows('insert-holdings', 'holding')
const putHoldings = insertRows(
  'put-holdings',
  'holding',
  `on conflict (account_number, sec_no) do update set pending_losses = excluded.pending_losses,
     in_transit = excluded.in_transit, parts = excluded.parts, restated_on = excluded.restated_on,
     quantity_cash = excluded.quantity_cash, quantity_margin = excluded.quantity_margin,
     quantity_short = excluded.quantity_short, last_date = excluded.last_date, last_at_day_end = excluded.last_at_day_end`,
)
const insertLots = insertRows('insert-lots', 'lot')
const putLots = insertRows(
  'put-lots',
  'lot',
  `on conflict (account_number, sec_no, lot_id) do update set ${lotColumns
    .slice(3)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`,
)
const removeLots = statement(
  'remove-lots',
  `delete from clearing.lot using unnest($1::text[], $2::bigint[], $3::text[]) as given (account_number, sec_no, lot_id)
   where lot.account_number = given.account_number and lot.sec_no = given.sec_no and lot.lot_id = given.lot_id`,
)

const renderList = (list: readonly unknown[]): string | null =>
  list.length === 0 ? null : quoteCell(JSON.stringify(list, exactly))

/** A holding after some lines, beside what is kept of it. */
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
 * Writes what changed of the holdings: rows of lots that are new or other, none of lots that are as they were. What is new is
 * inserted without looking for a conflict, which costs half: the books are locked, and what was read of them is all there is.
 */
export const putHoldingChanges = (tx: Tx, changes: readonly HoldingChange[]): void => {
  if (changes.length === 0) return
  const freshHoldings = new Rows()
  const holdings = new Rows()
  const freshLots = new Rows()
  const lots = new Rows()
  const gone: { accountNumber: string; secNo: string; id: string }[] = []
  for (const change of changes) {
    const { accountNumber, firmId, secNo, before, after, lastDate, lastAtDayEnd } = change
    const rows = before === undefined ? freshHoldings : holdings
    rows.addPlain(
      accountNumber,
      secNo,
      firmId,
      renderList(after.pendingLosses),
      renderList(after.inTransit),
      after.parts,
      after.restatedOn === '' ? null : after.restatedOn,
      quantityOf(after.lots[0]),
      quantityOf(after.lots[1]),
      quantityOf(after.lots[2]),
      lastDate,
      lastAtDayEnd,
    )
    const was = new Map<string, Placed>()
    for (const list of before?.state.lots ?? []) placeLots(list, (placed) => was.set(placed.lot.id, placed))
    for (const list of after.lots) {
      placeLots(list, (placed) => {
        const { lot, place } = placed
        const old = was.get(lot.id)
        was.delete(lot.id)
        if (old === undefined) addLot(freshLots, accountNumber, firmId, secNo, lot, place)
        else if (old.place !== place || !isSameLot(old.lot, lot)) {
          addLot(lots, accountNumber, firmId, secNo, lot, place)
        }
      })
    }
    for (const id of was.keys()) gone.push({ accountNumber, secNo, id })
  }
  if (freshHoldings.count > 0) tx.later(insertHoldings, [freshHoldings.text()])
  if (holdings.count > 0) tx.later(putHoldings, [holdings.text()])
  if (gone.length > 0) {
    tx.later(removeLots, [
      gone.map(({ accountNumber }) => accountNumber),
      gone.map(({ secNo }) => secNo),
      gone.map(({ id }) => id),
    ])
  }
  if (freshLots.count > 0) tx.later(insertLots, [freshLots.text()])
  if (lots.count > 0) tx.later(putLots, [lots.text()])
}

interface Placed {
  readonly lot: Lot
  /** Place among lots of the same date and entry: the order of parts of one lot. */
  readonly place: number
}

function placeLots(lots: readonly Lot[], take: (placed: Placed) => void): void {
  let place = 0
  let previous: Lot | undefined
  for (const lot of lots) {
    const isEqual = previous?.openDate === lot.openDate && previous.entry === lot.entry
    place = isEqual ? place + 1 : 0
    take({ lot, place })
    previous = lot
  }
}

function quantityOf(lots: readonly Lot[]): string {
  let quantity = ZERO
  for (const lot of lots) quantity += lot.quantity
  return decimalCell(quantity)
}

function isSameLot(a: Lot, b: Lot): boolean {
  return (
    a === b ||
    (a.quantity === b.quantity &&
      a.cost === b.cost &&
      a.costKnown === b.costKnown &&
      a.openDate === b.openDate &&
      a.holdingStart === b.holdingStart &&
      a.entry === b.entry &&
      a.canReplace === b.canReplace &&
      a.washAdded === b.washAdded &&
      a.acctType === b.acctType &&
      a.openedBy === b.openedBy &&
      a.via === b.via &&
      a.order === b.order &&
      a.fxRate === b.fxRate)
  )
}

function addLot(
  rows: Rows,
  accountNumber: string,
  firmId: string,
  secNo: string,
  lot: Lot,
  place: number,
): void {
  rows.addPlain(
    accountNumber,
    secNo,
    quoteCell(lot.id),
    firmId,
    lot.acctType,
    quoteCell(lot.openedBy),
    lot.via === undefined ? null : quoteCell(lot.via),
    quoteCell(lot.order),
    decimalCell(lot.quantity),
    decimalCell(lot.cost),
    lot.costKnown,
    lot.openDate,
    lot.holdingStart,
    lot.entry,
    place,
    lot.canReplace,
    decimalCell(lot.washAdded),
    lot.fxRate === ZERO ? null : decimalCell(lot.fxRate),
  )
}
