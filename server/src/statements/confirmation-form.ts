/** The confirmation of the trades of a day (17 CFR 240.10b-10), with cancels and corrections of earlier trades. */
import { decimal, ZERO } from '@clearing/domain/decimal'
import { box, boxes, type Form, type Section } from '../documents/forms/form.ts'
import { figureOf, moneyOf } from './amounts.ts'
import { confirmationDisclosures } from './disclosures.ts'
import type { BookedLine } from './read-booked.ts'
import { type Addressee, addresseeSection, disclosureSection } from './statement-form.ts'

export function confirmationForm(addressee: Addressee, day: string, trades: readonly BookedLine[]): Form {
  return {
    sections: [
      addresseeSection(addressee, day),
      ...trades.map(tradeSection),
      disclosureSection(confirmationDisclosures),
    ],
  }
}

const actions: Readonly<Record<string, string>> = {
  BUY: 'You bought',
  SEL: 'You sold',
  SSL: 'You sold short',
  BCV: 'You bought to cover a short sale',
}
const acctTypes: Readonly<Record<string, string>> = { 1: 'Cash', 2: 'Margin', 3: 'Short' }

function tradeSection(trade: BookedLine): Section {
  const action = actions[trade.buySell] ?? trade.buySell
  const { symbol, cusip, description, currency } = trade
  const title = trade.isCancel
    ? `Canceled: ${action.toLowerCase()} ${symbol}`
    : `${trade.isRebill ? 'Corrected: ' : ''}${action} ${symbol}`
  const charges = [
    ['Commission', trade.commission],
    ['Fees', trade.secFee],
    ['Accrued interest', trade.interest],
  ].filter(([, amount]) => amount !== '' && decimal(amount ?? '0') !== ZERO)
  return {
    title,
    parts: [
      boxes(
        box('Security', description, 4),
        box('Symbol', symbol),
        box('CUSIP', cusip),
        box('Account type', acctTypes[trade.acctType] ?? trade.acctType),
      ),
      boxes(
        box('Trade date', trade.tradeDate),
        box('Settlement date', trade.settleDate),
        box('Quantity', figureOf(trade.quantity)),
        box(`Price, ${currency}`, figureOf(trade.price)),
      ),
      boxes(
        ...charges.map(([label = '', amount = '']) =>
          box(`${label}, ${currency}`, moneyOf(amount, currency)),
        ),
        box(`Net amount, ${currency}`, moneyOf(trade.netAmount, currency)),
        box('Reference', trade.externalId, 2),
      ),
    ],
  }
}
