/** Folds one line into the holdings of an account: a table of the effect of each transType. Books 1. */
import { ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { mergeSecurity } from './corporate-actions/merger.ts'
import { changeName } from './corporate-actions/name-change.ts'
import { deliverUnderlying, expire } from './corporate-actions/option-outcome.ts'
import { changeFactor, redeem } from './corporate-actions/redemption.ts'
import { returnCapital } from './corporate-actions/return-of-capital.ts'
import { spinOff } from './corporate-actions/spin-off.ts'
import { splitShares } from './corporate-actions/split.ts'
import { checkDistribution } from './distribution.ts'
import type { Effects } from './effects.ts'
import { type Exchange, exchange } from './exchange.ts'
import type { Books, Holding } from './holding.ts'
import { journal } from './journal.ts'
import { transferIn, transferOut } from './transfer.ts'

/** Changes the holdings. Cash is not kept here, so lines that move only cash, and cancels, change nothing. */
export function postLine(books: Books, line: ActivityLine, effects: Effects): void {
  const { transType } = line
  switch (transType) {
    case 'Trade':
    case 'Reinvest':
      tradeSecurity(books, line, effects)
      break
    case 'Deposit':
    case 'DepositReturn':
    case 'Withdrawal':
    case 'WithdrawalReturn':
    case 'Fee':
    case 'FeeRefund':
    case 'Tax':
    case 'TaxRefund':
      break
    case 'Dividend':
    case 'Interest':
    case 'CapitalGain':
      checkDistribution(effects, line)
      break
    case 'TransferIn':
    case 'TransferOut':
    case 'Journal':
      if (line.security !== undefined) moveSecurity(books.holdingOf(line.security), books, line, effects)
      else if (transType === 'TransferOut') recordCash(line, effects)
      break
    case 'Split':
      if (line.toSecurity === undefined) splitShares(books, line, effects)
      else changeName(books, line, effects)
      break
    case 'StockDividend':
      if (line.toSecurity === undefined) splitShares(books, line, effects)
      else spinOff(books, line, effects)
      break
    case 'Merger':
      mergeSecurity(books, line, effects)
      break
    case 'Spinoff':
      spinOff(books, line, effects)
      break
    case 'ReturnOfCapital':
      returnCapital(books, line, effects)
      break
    case 'Maturity':
    case 'Redemption':
      redeem(books, line, effects)
      break
    case 'Exercise':
    case 'Assignment':
      deliverUnderlying(books, line, effects)
      break
    case 'Expiration':
      expire(books, line, effects)
      break
    case 'FactorChange':
      changeFactor(books, line, effects)
      break
    case 'NameChange':
      changeName(books, line, effects)
      break
    default:
      transType satisfies never
  }
}

function tradeSecurity(books: Books, line: ActivityLine, effects: Effects): void {
  if (line.security === undefined) return
  const sells = line.quantity < 0n
  const net = line.netAmount ?? ZERO
  const trade: Exchange = {
    kind: sells ? 'Sale' : 'Cover',
    change: line.quantity,
    // Accrued interest is paid with a purchase and received with a sale. It is not part of the price.
    consideration: line.interest === ZERO ? net : sells ? net - line.interest : net + line.interest,
    washes: true,
    opensShort: line.buySell === 'SSL',
  }
  exchange(books.holdingOf(line.security), line, trade, books.lotMethod, effects)
}

function moveSecurity(holding: Holding, books: Books, line: ActivityLine, effects: Effects): void {
  if (line.transType === 'TransferIn') transferIn(holding, line, books.lotMethod, effects)
  else if (line.transType === 'TransferOut') transferOut(holding, line, books.lotMethod, effects)
  else journal(holding, line, books.lotMethod, effects)
}

function recordCash(line: ActivityLine, effects: Effects): void {
  const { externalId: lineId, acctType, currency } = line
  const cash = line.netAmount ?? ZERO
  effects.movements.push({ lineId, acctType, securityKey: undefined, quantity: ZERO, currency, cash })
}
