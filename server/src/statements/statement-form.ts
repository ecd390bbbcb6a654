/** An account statement as a form: values, cash, positions, activity, realized gains, margin and disclosures. */
import type { AccountRecord, Address } from '@clearing/domain'
import { abs, type Decimal, sum, ZERO } from '@clearing/domain/decimal'
import type { TermTotals } from '@clearing/domain/tax'
import { codeRow } from '@clearing/protocol'
import type { ValuedAccount } from '../books/positions/account-positions.ts'
import {
  box,
  boxes,
  clauses,
  type Form,
  type Part,
  type Section,
  table,
  text,
} from '../documents/forms/form.ts'
import type { Delivery } from '../store/statements.ts'
import { figure, figureOf, money, moneyIn, moneyOf } from './amounts.ts'
import { cashFlows, flows } from './cash-flows.ts'
import { type Disclosure, statementDisclosuresOf } from './disclosures.ts'
import { marginInterestSections } from './margin-interest.ts'
import type { BookedLine } from './read-booked.ts'
import type { StatementFacts } from './read-statement.ts'
import { reinvestmentSections } from './reinvestments.ts'
import { hasAmount } from './stated-gains.ts'

/** Whom a document is for. */
export interface Addressee {
  readonly accountNumber: string
  readonly accountName: string
  readonly record: AccountRecord
  readonly firmName: string
  readonly clearingFirmName: string
  readonly delivery: Delivery
}

export function statementForm(addressee: Addressee, facts: StatementFacts): Form {
  const { before, end, lines } = facts
  return {
    sections: [
      addresseeSection(addressee, `${facts.period.from} to ${facts.period.to}`),
      { title: 'Value of the account in US dollars', parts: valueParts(before, end) },
      { title: 'Cash', parts: [cashTable(facts)] },
      { title: 'Positions at the end of the period', parts: positionParts(end) },
      { title: 'Activity that was booked in the period', parts: activityParts(lines) },
      ...reinvestmentSections(lines, end),
      { title: 'Realized gains and losses in US dollars', parts: [gainsTable(facts)] },
      ...marginSections(end),
      ...marginInterestSections(facts.marginInterest),
      disclosureSection(statementDisclosuresOf(addressee.record.main, end.margin !== null)),
    ],
  }
}

export function addresseeSection(addressee: Addressee, period: string): Section {
  const { accountName, record, firmName, clearingFirmName, delivery } = addressee
  const type = codeRow('registrationType', record.registrationType)?.label ?? record.registrationType
  const to = delivery === 'Electronic' ? record.electronicDelivery.email : addressOf(record.mailingAddress)
  return {
    title: 'Account',
    parts: [
      boxes(box('Name', accountName, 3), box('Registration', type, 2)),
      boxes(
        box('Introducing firm', firmName, 2),
        box('Clearing firm', clearingFirmName, 2),
        box('Period', period, 2),
      ),
      boxes(box(delivery === 'Electronic' ? 'Delivered electronically to' : 'Delivered by mail to', to)),
    ],
  }
}

function addressOf({ street, city, stateProvince, postalCode, country }: Address): string {
  const place = [stateProvince, postalCode].filter(Boolean).join(' ')
  return [street?.replaceAll('\n', ', '), city, place, country].filter(Boolean).join(', ')
}

function valueParts(before: ValuedAccount | null, end: ValuedAccount): Part[] {
  const row = (label: string, of: (account: ValuedAccount) => Decimal, strong?: true) => {
    const cells = [label, money(before === null ? ZERO : of(before)), money(of(end))]
    return strong === undefined ? { cells } : { cells, strong }
  }
  return [
    table({ '': 3, '>At the beginning': 2, '>At the end': 2 }, [
      row('Long positions', ({ summary }) => summary.totalLongMarket),
      row('Short positions', ({ summary }) => summary.totalShortMarket),
      row('Money market funds', ({ summary }) => summary.totalMoneyMarket),
      row('Cash', ({ summary }) => summary.totalCash),
      row('Total value', ({ summary }) => summary.netCustodied, true),
      row('Interest accrued on bonds, not included', accruedOnBonds),
      row('Held away, not included', ({ summary }) => summary.assetsHeldAway),
    ]),
  ]
}

/** The summary has this less the accrued margin interest, which has its own box. */
function accruedOnBonds({ lines }: ValuedAccount): Decimal {
  return sum(lines.filter(({ heldAway }) => !heldAway).map(({ accruedInterest }) => accruedInterest))
}

function cashTable({ before, lines, end }: StatementFacts): Part {
  const all = cashFlows(before, lines, end)
  const columns = Object.fromEntries(all.map(({ currency }) => [`>${currency}`, 2]))
  return table({ '': 3, ...columns }, [
    { cells: ['Cash at the beginning', ...all.map(({ opening, currency }) => moneyIn(opening, currency))] },
    ...flows.map((flow) => ({
      cells: [flow, ...all.map(({ moved, currency }) => moneyIn(moved[flow], currency))],
    })),
    {
      cells: ['Cash at the end', ...all.map(({ closing, currency }) => moneyIn(closing, currency))],
      strong: true,
    },
  ])
}

function positionParts({ lines }: ValuedAccount): Part[] {
  const own = lines.filter(({ heldAway }) => !heldAway)
  if (own.length === 0) return [text('There are no positions.')]
  const rows = own.map(({ position, unpriced }) => {
    const { unrealizedGainLoss: gain } = position
    const known = gain.noCost === 'N'
    return {
      cells: [
        nameOf(position.symbol, position.cusip, position.description),
        position.acctType,
        figure(position.quantity),
        unpriced
          ? 'none'
          : `${figure(position.price)}${position.currency === 'USD' ? '' : ` ${position.currency}`}`,
        money(gain.value),
        known ? money(gain.cost) : 'unknown',
        known ? money(gain.gainLoss) : '',
      ],
    }
  })
  const columns = {
    Security: 5,
    Type: 1.3,
    '>Quantity': 2,
    '>Price': 2,
    '>Value, USD': 2.2,
    '>Cost, USD': 2.2,
    '>Unrealized, USD': 2.2,
  }
  return [table(columns, rows)]
}

function nameOf(symbol: string, cusip: string, description: string): string {
  return [[symbol, cusip].filter(Boolean).join(' · '), description].filter(Boolean).join('\n')
}

function activityParts(lines: readonly BookedLine[]): Part[] {
  if (lines.length === 0) return [text('There was no activity.')]
  const rows = lines.flatMap(rowsOfLine)
  const columns = { Date: 1.7, Activity: 2.2, Security: 5, '>Quantity': 2, '>Price': 2, '>Amount': 2.4 }
  return [table(columns, rows)]
}

/**
 * The column of quantities has what the account received and gave, so that the positions at the beginning and these
 * quantities are the positions at the end. Each further security that a line moved has a row of its own.
 */
function rowsOfLine(line: BookedLine) {
  const own = line.moved.find(({ secNo }) => secNo === line.secNo)
  const amount = moneyOf(line.netAmount, line.currency)
  const cells = [
    line.tradeDate,
    nameOfLine(line),
    nameOf(line.symbol, line.cusip, line.description),
    figureOf(own?.quantity),
    figureOf(line.price),
    `${amount}${line.currency === 'USD' || line.netAmount === undefined ? '' : ` ${line.currency}`}`,
  ]
  const others = line.moved.filter((moved) => moved !== own)
  return [
    { cells },
    ...others.map(({ symbol, cusip, description, quantity }) => ({
      cells: [line.tradeDate, nameOfLine(line), nameOf(symbol, cusip, description), figure(quantity), '', ''],
    })),
  ]
}

/** `Trade BUY`, `Cancel of Dividend on 100`, `Change of ReturnOfCapital`, `Change of Cancel of Trade BUY`. */
function nameOfLine({ kind, transType, buySell, quantity, moved }: BookedLine): string {
  const named = [transType, buySell].filter(Boolean).join(' ')
  // The quantity for which an amount was paid moved nothing.
  const name = quantity === undefined || moved.length > 0 ? named : `${named} on ${figure(abs(quantity))}`
  switch (kind) {
    case 'Line':
      return name
    case 'Cancel':
      return `Cancel of ${name}`
    case 'Rebill':
      return `${name}, corrected`
    case 'Change':
      return `Change of ${name}`
    case 'ChangedCancel':
      return `Change of Cancel of ${name}`
    default:
      return kind satisfies never
  }
}

function gainsTable({ gains: { period, change, years } }: StatementFacts): Part {
  // If nothing changed in earlier years, a statement that is made again has the words that it had.
  const nameOfYear = (year: number) => (years.length === 1 ? 'this year' : `in ${year}`)
  const rows = [
    ...gainRows('this period', period),
    ...gainRows('change of earlier periods', change, hasAmount),
    ...years.flatMap((totals) => gainRows(nameOfYear(totals.year), totals)),
  ]
  return table({ '': 3, '>Proceeds': 2, '>Cost': 2, '>Disallowed by wash sales': 2, '>Gain': 2 }, rows)
}

function gainRows(
  span: string,
  totals: TermTotals,
  isStated: (sums: TermTotals['shortTerm']) => boolean = () => true,
) {
  return (['shortTerm', 'longTerm'] as const)
    .filter((term) => isStated(totals[term]))
    .map((term) => {
      const { proceeds, cost, washDisallowedAmt, gainLossAllowed } = totals[term]
      return {
        cells: [
          `${term === 'shortTerm' ? 'Short-term' : 'Long-term'}, ${span}`,
          money(proceeds),
          money(cost),
          money(washDisallowedAmt),
          money(gainLossAllowed),
        ],
      }
    })
}

function marginSections({ margin, interestAccrued, summary }: ValuedAccount): Section[] {
  const interest =
    interestAccrued < ZERO
      ? box('Refund of interest, not paid yet', money(-interestAccrued))
      : box('Interest accrued, not charged yet', money(interestAccrued))
  if (margin === null)
    return interestAccrued === ZERO ? [] : [{ title: 'Margin in US dollars', parts: [boxes(interest)] }]
  const { equity, debitBalance, maintenanceRequirement, maintenanceExcess } = margin.figures
  return [
    {
      title: 'Margin in US dollars',
      parts: [
        boxes(
          box('Equity', money(equity)),
          box('Debit balance', money(debitBalance)),
          box('Maintenance requirement', money(maintenanceRequirement)),
          box('Excess', money(maintenanceExcess)),
        ),
        boxes(
          interest,
          box('Federal call', money(summary.fedCallAmount)),
          box('Maintenance call', money(summary.maintCallAmount)),
        ),
      ],
    },
  ]
}

export function disclosureSection(disclosures: readonly Disclosure[]): Section {
  const parts = Object.fromEntries(disclosures.map(({ title, text: content }) => [title, content]))
  return { title: 'Disclosures', parts: [clauses(parts)] }
}
