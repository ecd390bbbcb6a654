/**
 * load-held-away: positions that accounts hold with other custodians. A position that was reported before is a
 * duplicate.
 */
import { isInRange } from '@clearing/domain/books'
import { renderDecimal, roundTo } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Rows } from '../../store/books/bulk.ts'
import { insertHeldAway, selectOtherHeldAway } from '../../store/books/held-away.ts'
import { Directory, type Named } from '../directory.ts'
import { type HeldAwayValues, heldAwayShape } from '../lines/shapes.ts'
import { requireNamed } from '../posting/find-named.ts'
import { type KeyedFacts, makeRows, type ReadyRows, writeRows } from './keyed-rows.ts'
import { readLinesOf } from './read-lines.ts'
import type { Load, Loader } from './run-load.ts'

export function heldAwayLoader(load: Load): Loader<ReadyRows> {
  const directory = new Directory(load.pool)
  return {
    async prepare(raw) {
      const read = readLinesOf(heldAwayShape, raw)
      await directory.learn(
        read.lines.map(({ values }) => values.acctNo).filter((number) => number !== undefined),
        read.lines.map(({ values }): Named => values),
      )
      return makeRows(read, (values, rows) => addReport(values, rows, directory, load.loadId))
    },
    write: (tx, ready) => writeRows(tx, reports, ready, load.now()),
  }
}

const reports: KeyedFacts = { insert: insertHeldAway, others: selectOtherHeldAway }

const costBeyond = reject('ERR.1015', 'cost', 'cost, rounded, must have at most 18 digits before the point.')

function addReport(
  values: HeldAwayValues,
  rows: Pick<Rows, 'add'>,
  directory: Directory,
  loadId: string,
): Rejection[] | string {
  const wrong: Rejection[] = []
  const security = requireNamed(values, directory, wrong)
  const { acctNo, quantity, asOfDate, cost, openDate, acctType = '1', custodian = '' } = values
  const account = acctNo === undefined ? undefined : directory.account(acctNo)
  if (acctNo === undefined) wrong.push(reject('ERR.1000', 'acctNo', 'acctNo is required.'))
  else if (account === undefined) {
    wrong.push(reject('ERR.2003', 'acctNo', 'There is no account with this number.'))
  }
  for (const name of ['quantity', 'asOfDate'] as const) {
    if (values[name] === undefined) wrong.push(reject('ERR.1000', name, `${name} is required.`))
  }
  if (openDate !== undefined && asOfDate !== undefined && openDate > asOfDate) {
    wrong.push(reject('ERR.1024', 'openDate', 'openDate must not be after asOfDate.'))
  }
  if (wrong.length > 0 || !account || !security || !quantity || !asOfDate) return wrong
  const { key: secNo, moneyPlaces } = security.booked
  const money = cost && roundTo(cost.value, moneyPlaces)
  if (money !== undefined && !isInRange(money)) return [costBeyond]
  rows.add(
    account.accountNumber,
    secNo,
    acctType,
    custodian,
    asOfDate,
    account.firmId,
    renderDecimal(quantity.value),
    money === undefined ? null : renderDecimal(money),
    openDate ?? null,
    loadId,
    null,
  )
  return [account.accountNumber, secNo, acctType, custodian, asOfDate].join('\t')
}
