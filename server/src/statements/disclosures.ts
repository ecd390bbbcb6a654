/**
 * The disclosures of statements and confirmations, each with the rule that requires it. Those that are due once a year
 * are in each statement, because an account may get only one in a year.
 */
import type { Main } from '@clearing/domain'
import { marginRisks, protectionBySipc } from '../documents/forms/required-notices.ts'

export interface Disclosure {
  readonly title: string
  readonly text: string
  readonly rule: string
  /** The accounts or trades that have it; absent for all. */
  readonly of?: Subject
}

type Subject = 'margin' | 'options' | 'bonds'

function select(
  disclosures: readonly Disclosure[],
  has: Readonly<Record<Subject, boolean>>,
): readonly Disclosure[] {
  return disclosures.filter(({ of }) => of === undefined || has[of])
}

/** The disclosures of the statement of an account. `borrows`: it has cash or positions of the margin account. */
export function statementDisclosuresOf(
  { marginIndicator, optionTradingIndicator }: Main,
  borrows: boolean,
): readonly Disclosure[] {
  const margin = borrows || marginIndicator === 'true'
  const has = { margin, options: optionTradingIndicator === 'true', bonds: false }
  return select(statementDisclosures, has)
}

const statementDisclosures: readonly Disclosure[] = [
  {
    title: 'Report inaccuracies promptly',
    text:
      'Report any inaccuracy or discrepancy in this account promptly to your introducing firm and to the clearing firm. Confirm in writing what you report ' +
      'orally, to protect your rights, including those under the Securities Investor Protection Act.',
    rule: 'FINRA Rule 2231(a)',
  },
  {
    title: 'Free credit balances',
    text:
      'Free credit balances are not segregated and may be used in the business of the clearing firm, within the limits of 17 CFR 240.15c3-3. They are ' +
      'payable to you on demand.',
    rule: '17 CFR 240.15c3-3(j)(1)',
  },
  {
    title: 'Values',
    text:
      'Values are those of the last price that was known at the close. A position without a price counts as 0. Values in US dollars are at the last ' +
      'known rate. You may not be able to sell at these values.',
    rule: 'FINRA Rule 2231',
  },
  {
    title: 'The risks of margin',
    text: marginRisks.yearly,
    rule: 'FINRA Rule 2264(b): at least once a year',
    of: 'margin',
  },
  {
    title: 'Options',
    text:
      'Further information on commissions and other charges of transactions in options is in the confirmations of these transactions, and is furnished promptly ' +
      'on your request. Promptly tell your introducing firm of any material change in your investment objectives or financial situation.',
    rule: 'FINRA Rule 2360(b)(15)',
    of: 'options',
  },
  {
    title: 'Investor protection',
    text: protectionBySipc,
    rule: 'FINRA Rule 2266: at least once a year',
  },
  {
    title: 'BrokerCheck',
    text:
      'FINRA BrokerCheck informs you about firms and the persons who work for them. Its hotline is 800-289-9999, and the website of FINRA is www.finra.org. An ' +
      'investor brochure that describes BrokerCheck is available from FINRA.',
    rule: 'FINRA Rule 2267(a): once every calendar year',
  },
]

/** The disclosures of the confirmation of some lines. */
export function confirmationDisclosuresOf(
  lines: readonly { readonly bond?: unknown }[],
): readonly Disclosure[] {
  const bonds = lines.some(({ bond }) => bond !== undefined)
  return select(confirmationDisclosures, { margin: false, options: false, bonds })
}

const confirmationDisclosures: readonly Disclosure[] = [
  {
    title: 'Time, capacity and parties',
    text: 'The time of each trade, the name of the other party, and the capacity in which your introducing firm acted are furnished on your written request.',
    rule: '17 CFR 240.10b-10(a)(1), (a)(2)',
  },
  {
    title: 'Redemption of debt securities',
    text:
      'A debt security may be redeemed before its maturity, in whole or in part. A redemption could affect the yield. The actual yield of a security whose principal is ' +
      'repaid continuously may vary with the rate at which the underlying receivables are prepaid. Further information, also on ratings, and on the estimated yield, the ' +
      'weighted average life and the prepayments that are assumed, is furnished on your written request.',
    rule: '17 CFR 240.10b-10(a)(4), (a)(7)',
    of: 'bonds',
  },
  {
    title: 'Report inaccuracies promptly',
    text: 'Report any inaccuracy promptly to your introducing firm and to the clearing firm, and confirm it in writing.',
    rule: 'FINRA Rule 2231(a)',
  },
]
