/**
 * The purchases by reinvestment of a period. The statement confirms them in place of a separate confirmation, so it
 * states what 17 CFR 240.10b-10(b)(2) requires of each.
 */
import { abs, type Decimal, divide, sum, ZERO } from '@clearing/domain/decimal'
import type { ValuedAccount } from '../books/positions/account-positions.ts'
import { type Section, table, text } from '../documents/forms/form.ts'
import { figure, figureOf, moneyIn, moneyOf } from './amounts.ts'
import type { BookedLine } from './read-booked.ts'

/** The places of a price that is computed from the amount. Quotations of funds have four. */
const pricePlaces = 4

/** Nothing if the period has no reinvestment. History from before the account was opened is not confirmed here. */
export function reinvestmentSections(lines: readonly BookedLine[], end: ValuedAccount): Section[] {
  const purchases = lines.filter(
    (line) => line.transType === 'Reinvest' && !line.isHistory && !isWithoutEffect(line),
  )
  if (purchases.length === 0) return []
  const columns = {
    Date: 2.2,
    Purchase: 2.5,
    Security: 3.4,
    '>Quantity': 2,
    '>Price': 2,
    '>Charges': 1.8,
    '>Total': 2.2,
    '>Held at the end': 2,
  }
  const rows = purchases.map((line) => ({
    cells: [
      line.tradeDate,
      isCancel(line) ? 'Canceled' : line.kind === 'Rebill' ? 'Corrected' : 'Reinvestment',
      [line.symbol, line.cusip].filter(Boolean).join(' · ') || line.description,
      figureOf(line.quantity),
      priceOf(line),
      moneyIn(isCancel(line) ? -chargesOf(line) : chargesOf(line), line.currency),
      `${moneyOf(line.netAmount, line.currency)}${line.currency === 'USD' ? '' : ` ${line.currency}`}`,
      figure(heldOf(line, end)),
    ],
  }))
  return [
    {
      title: 'Purchases by reinvestment of distributions',
      parts: [
        table(columns, rows),
        text(
          'This statement is the confirmation of these purchases. Charges are commission and fees. The distributions are in the activity. Any other information that a confirmation has ' +
            'is furnished on your written request (17 CFR 240.10b-10(b)(2)).',
        ),
      ],
    },
  ]
}

function isCancel({ kind }: BookedLine): boolean {
  return kind === 'Cancel' || kind === 'ChangedCancel'
}

/** A cancel whose original has not come. */
function isWithoutEffect({ kind, netAmount = ZERO, moved }: BookedLine): boolean {
  return kind === 'Cancel' && netAmount === ZERO && moved.length === 0
}

function chargesOf({ commission = ZERO, secFee = ZERO }: BookedLine): Decimal {
  return commission + secFee
}

/** The price of the feed, or what the total without charges paid for each share. */
function priceOf(line: BookedLine): string {
  const { price, quantity, netAmount = ZERO } = line
  if (price !== undefined || quantity === undefined) return figureOf(price)
  return figure(divide(abs(netAmount) - chargesOf(line), abs(quantity), pricePlaces))
}

/** In all account types. */
function heldOf({ secNo }: BookedLine, { lines }: ValuedAccount): Decimal {
  return sum(
    lines
      .filter(({ heldAway, position }) => !heldAway && position.secNo === secNo)
      .map(({ position }) => position.quantity),
  )
}
