/**
 * load-held-away: positions that accounts hold with other custodians. A position that was reported before is a
 * duplicate, unless the line corrects it.
 */
import { isInRange } from '@clearing/domain/books'
import { renderDecimal, roundTo } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol/values'
import { correctionsOf, otherRows } from '../../store/books/correct-facts.ts'
import { correctedHeldAway } from '../../store/books/corrected-facts.ts'
import { insertHeldAway } from '../../store/books/held-away.ts'
import { Directory, type Named } from '../directory.ts'
import { type HeldAwayValues, heldAwayShape } from '../lines/shapes.ts'
import { requireNamed } from '../posting/find-named.ts'
import { type KeyedFacts, type KeyedLine, makeRows, type ReadyRows, writeRows } from './keyed-rows.ts'
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
      await directory.learnOwners(read.lines.flatMap(({ values }) => values.symbol ?? []))
      return makeRows(read, reports, load.loadId, (values) => readReport(values, directory))
    },
    write: (tx, ready) => writeRows(tx, reports, ready, load),
  }
}

const reports: KeyedFacts = {
  insert: insertHeldAway,
  others: otherRows(correctedHeldAway),
  corrections: correctionsOf(correctedHeldAway),
  withLoad: true,
}

const costBeyond = reject('ERR.1015', 'cost', 'cost, rounded, must have at most 18 digits before the point.')

function readReport(values: HeldAwayValues, directory: Directory): Rejection[] | KeyedLine {
  const wrong: Rejection[] = []
  const security = requireNamed(values, directory, wrong, values.asOfDate)
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
  return {
    key: [account.accountNumber, secNo, acctType, custodian, asOfDate],
    values: [
      account.firmId,
      renderDecimal(quantity.value),
      money === undefined ? null : renderDecimal(money),
      openDate ?? null,
    ],
  }
}
