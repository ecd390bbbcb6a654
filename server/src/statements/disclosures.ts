/** The disclosures of statements and confirmations, each with the rule that requires it. */

export interface Disclosure {
  readonly title: string
  readonly text: string
  readonly rule: string
}

export const statementDisclosures: readonly Disclosure[] = [
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
]

export const confirmationDisclosures: readonly Disclosure[] = [
  {
    title: 'Time, capacity and parties',
    text: 'The time of each trade, the name of the other party, and the capacity in which your introducing firm acted are furnished on your written request.',
    rule: '17 CFR 240.10b-10(a)(1), (a)(2)',
  },
  {
    title: 'Report inaccuracies promptly',
    text: 'Report any inaccuracy promptly to your introducing firm and to the clearing firm, and confirm it in writing.',
    rule: 'FINRA Rule 2231(a)',
  },
]
