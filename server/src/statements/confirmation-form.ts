/**
 * The confirmation of the purchases and sales of a day (17 CFR 240.10b-10), with cancels and corrections of earlier
 * ones. An option that is exercised or assigned buys or sells its underlying at the exercise price.
 */
import {
  abs,
  type Decimal,
  multiply,
  multiplyDivide,
  ONE,
  wholeDecimal,
  ZERO,
} from '@clearing/domain/decimal'
import { yieldToMaturity } from '@clearing/domain/market'
import { type Box, box, boxes, type Form, type Section } from '../documents/forms/form.ts'
import { decimalOfColumn } from '../store/books/bulk.ts'
import { type SecurityRow, valuedSecurity } from '../store/books/securities.ts'
import { figure, figureOf, moneyOf } from './amounts.ts'
import { confirmationDisclosuresOf } from './disclosures.ts'
import type { ConfirmedLine } from './read-confirmed.ts'
import { type Addressee, addresseeSection, disclosureSection } from './statement-form.ts'

export function confirmationForm(addressee: Addressee, day: string, lines: readonly ConfirmedLine[]): Form {
  return {
    sections: [
      addresseeSection(addressee, day),
      ...lines.map(lineSection),
      disclosureSection(confirmationDisclosuresOf(lines)),
    ],
  }
}

const actions: Readonly<Record<string, string>> = {
  BUY: 'You bought',
  SEL: 'You sold',
  SSL: 'You sold short',
  BCV: 'You bought to cover a short sale',
}
const quantityPlaces = 8
const pricePlaces = 10
const HUNDRED = wholeDecimal(100)
const acctTypes: Readonly<Record<string, string>> = { 1: 'Cash', 2: 'Margin', 3: 'Short' }
const outcomes: Readonly<Record<string, string>> = { Exercise: 'exercise', Assignment: 'assignment' }

/** What a line did, and the security, quantity and price that it is about. */
interface Transaction {
  readonly action: string
  readonly symbol: string
  readonly cusip: string
  readonly description: string
  readonly quantity: string
  /** Empty if there is none. */
  readonly price: string
  /** The default is `Price`. */
  readonly priceName?: 'Premium'
  /** Further facts, in a row of their own. */
  readonly origin: readonly Box[]
}

function lineSection(line: ConfirmedLine): Section {
  const { currency } = line
  const done = transactionOf(line)
  const action = `${done.action} ${done.symbol}`
  const charges = [
    { label: 'Commission', amount: line.commission },
    { label: 'Fees', amount: line.secFee },
    { label: 'Accrued interest', amount: line.interest },
  ].filter(({ amount = ZERO }) => amount !== ZERO)
  return {
    title:
      line.kind === 'Cancel'
        ? `Canceled: ${action.charAt(0).toLowerCase()}${action.slice(1)}`
        : `${line.kind === 'Rebill' ? 'Corrected: ' : ''}${action}`,
    parts: [
      boxes(
        box('Security', done.description, 4),
        box('Symbol', done.symbol),
        box('CUSIP', done.cusip),
        box('Account type', acctTypes[line.acctType] ?? line.acctType),
      ),
      ...(done.origin.length === 0 ? [] : [boxes(...done.origin)]),
      boxes(
        box('Trade date', line.tradeDate),
        box('Settlement date', line.settleDate),
        box('Quantity', done.quantity),
        ...(done.price === '' ? [] : [box(`${done.priceName ?? 'Price'}, ${currency}`, done.price)]),
      ),
      boxes(
        ...charges.map(({ label, amount }) => box(`${label}, ${currency}`, moneyOf(amount, currency))),
        box(`Net amount, ${currency}`, moneyOf(line.netAmount, currency)),
        box('Reference', line.externalId, 2),
      ),
    ],
  }
}

function transactionOf(line: ConfirmedLine): Transaction {
  const { option, delivered, symbol, cusip, description } = line
  if (option === undefined || line.transType === 'Trade') {
    const action = actions[line.buySell] ?? line.buySell
    const [quantity, price] = [figureOf(line.quantity), figureOf(line.price)]
    const traded = { action, symbol, cusip, description, quantity, price }
    if (option === undefined) return { ...traded, origin: line.bond ? bondBoxes(line.bond, line) : [] }
    return { ...traded, priceName: 'Premium', origin: termsOf(option, line) }
  }
  return delivered === undefined ? settlementOf(line, option) : deliveryOf(line, option, delivered)
}

/**
 * The terms of a bond, and the yield of its price (17 CFR 240.10b-10(a)(5)). A pool that repays its principal
 * continuously has no stated yield.
 */
function bondBoxes(row: SecurityRow, { price, settleDate }: ConfirmedLine): Box[] {
  const { bond, priceDivisor, currentFactor } = valuedSecurity(row)
  if (bond === undefined) return [box('Maturity', row.maturity_date ?? '')]
  const isPool = currentFactor !== ONE
  const percent = multiplyDivide(price ?? ZERO, HUNDRED, priceDivisor, pricePlaces)
  const found = isPool ? undefined : yieldToMaturity(bond, percent, settleDate)
  return [
    box('Maturity', bond.maturityDate),
    box('Coupon, percent', figure(bond.couponRate)),
    ...(found === undefined ? [] : [box('Yield to maturity, percent', figure(found))]),
  ]
}

/** What FINRA Rule 2360(b)(12) requires of the confirmation of a trade of an option. */
function termsOf(option: SecurityRow, { quantity = ZERO, closed }: ConfirmedLine): Box[] {
  const { put_call: kind, underlying, expiration } = option
  return [
    box('Option', [kind, underlying && `on ${underlying}`].filter(Boolean).join(' ')),
    box('Exercise price', figure(strikeOf(option))),
    box('Expiration', expiration ?? ''),
    ...(closed === undefined ? [] : [box('Transaction', effectOf(abs(quantity), closed))]),
  ]
}

/** Whether a trade opened a position, closed one, or closed one and opened another on the other side. */
function effectOf(contracts: Decimal, closed: Decimal): string {
  if (closed === ZERO) return 'Opening'
  return closed >= contracts ? 'Closing' : `Closing ${figure(closed)}, opening ${figure(contracts - closed)}`
}

/** The option was settled in cash: the contracts ended, and no security was bought or sold. */
function settlementOf(line: ConfirmedLine, option: SecurityRow): Transaction {
  const { transType, symbol, cusip, description } = line
  const origin = [
    box('Settled in cash by', outcomes[transType]),
    box('Exercise price', figure(strikeOf(option))),
    box('Expiration', option.expiration ?? ''),
  ]
  const action = transType === 'Exercise' ? 'You exercised' : 'You were assigned on'
  const contracts = abs(line.quantity ?? ZERO)
  const quantity = figure(line.kind === 'Cancel' ? -contracts : contracts)
  return { action, symbol, cusip, description, quantity, price: '', origin }
}

function deliveryOf(line: ConfirmedLine, option: SecurityRow, delivered: SecurityRow): Transaction {
  const contracts = abs(line.quantity ?? ZERO)
  const isCancel = line.kind === 'Cancel'
  const quantity = multiply(contracts, decimalOfColumn(option.multiplier), quantityPlaces)
  const buys = (option.put_call === 'Call') === (line.transType === 'Exercise')
  return {
    action: buys ? 'You bought' : 'You sold',
    symbol: delivered.symbol ?? '',
    cusip: delivered.cusip ?? '',
    description: delivered.description,
    quantity: figure(isCancel ? -quantity : quantity),
    price: figure(strikeOf(option)),
    origin: [
      box(`By ${outcomes[line.transType]} of the option`, nameOf(line, option), 4),
      box('Contracts', figure(isCancel ? -contracts : contracts)),
    ],
  }
}

function nameOf(
  { symbol, cusip, description }: ConfirmedLine,
  { put_call, expiration }: SecurityRow,
): string {
  const terms = `${put_call}, expires ${expiration}`
  return [symbol || cusip, description, terms].filter(Boolean).join(', ')
}

function strikeOf({ strike }: SecurityRow): Decimal {
  return decimalOfColumn(strike ?? '0')
}
