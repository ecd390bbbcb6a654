/**
 * Tax years that combine several rules, derived on paper from the law that each names. The lines are those of
 * load-activity; the rows are those of Form 8949. Tests of the rules and of requests compare both.
 */

/** The securities of the cases. Options are on 100 XYZ at a strike of 10. */
export type CaseSecurity = 'XYZ' | 'NEW' | 'CALL' | 'PUT' | 'FUND' | 'LIFO' | 'HIFO' | 'BOND' | 'BILL'

export interface CaseLine {
  readonly date: string
  readonly transType?:
    | 'TransferIn'
    | 'Split'
    | 'Spinoff'
    | 'ReturnOfCapital'
    | 'Exercise'
    | 'Assignment'
    | 'Maturity'
  /** BUY, SEL, SSL or BCV, quantity and price of a trade: `BUY 100 @ 10`. */
  readonly trade?: string
  readonly of?: CaseSecurity
  readonly to?: CaseSecurity
  readonly id?: string
  readonly lotId?: string
  /** The id of the line that this line cancels, or that it corrects. */
  readonly cancels?: string
  readonly rebills?: string
  readonly settleDate?: string
  readonly openDate?: string
  readonly quantity?: string
  readonly cost?: string
  readonly interest?: string
  readonly ratio?: string
  readonly costShare?: string
  readonly cashInLieu?: string
  readonly cashPerShare?: string
}

export interface TaxYearCase {
  readonly name: string
  readonly law: string
  readonly lines: readonly CaseLine[]
  /** Box, (a) without the name, (b) to (h). */
  readonly rows: readonly string[]
}

const bought = { date: '2024-01-02', trade: 'BUY 100 @ 10' }
const soldAtLoss = { date: '2024-06-03', trade: 'SEL 100 @ 7' }

export const taxYearCases: readonly TaxYearCase[] = [
  {
    name: 'a replacement of 40 of 100 shares disallows 40 % of the loss, which its own sale deducts',
    law: '26 CFR 1.1091-1(c)',
    lines: [
      bought,
      soldAtLoss,
      { date: '2024-06-20', trade: 'BUY 40 @ 7.5' },
      { date: '2024-07-31', trade: 'SEL 40 @ 10' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/03/2024;700.00;1000.00;W;120.00;-180.00',
      'A;40 sh.;06/20/2024;07/31/2024;400.00;420.00;;;-20.00',
    ],
  },
  {
    name: 'two purchases replace 100 shares: 60 and 40, and 20 shares replace nothing',
    law: '26 CFR 1.1091-1(d), 1.1091-2(a)',
    lines: [
      bought,
      { date: '2024-06-03', trade: 'SEL 100 @ 9' },
      { date: '2024-06-10', trade: 'BUY 60 @ 10' },
      { date: '2024-06-11', trade: 'BUY 60 @ 10' },
      { date: '2024-08-01', trade: 'SEL 100 @ 11' },
      { date: '2024-08-02', trade: 'SEL 20 @ 11' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/03/2024;900.00;1000.00;W;100.00;0.00',
      'A;100 sh.;VARIOUS;08/01/2024;1100.00;1100.00;;;0.00',
      'A;20 sh.;06/11/2024;08/02/2024;220.00;200.00;;;20.00',
    ],
  },
  {
    name: 'a replacement bought 30 days before the sale takes over a long holding period',
    law: '26 USC 1091(a), 1223(3)',
    lines: [
      { date: '2023-01-03', trade: 'BUY 100 @ 10' },
      { date: '2024-05-06', trade: 'BUY 100 @ 9' },
      { date: '2024-06-05', trade: 'SEL 100 @ 7' },
      { date: '2024-07-31', trade: 'SEL 100 @ 12.5' },
    ],
    rows: [
      'D;100 sh.;01/03/2023;06/05/2024;700.00;1000.00;W;300.00;0.00',
      'D;100 sh.;05/06/2024;07/31/2024;1250.00;1200.00;;;50.00',
    ],
  },
  {
    name: 'a purchase 31 days before the sale replaces nothing',
    law: '26 USC 1091(a)',
    lines: [
      { date: '2023-01-03', trade: 'BUY 100 @ 10' },
      { date: '2024-05-03', trade: 'BUY 100 @ 9' },
      soldAtLoss,
      { date: '2024-07-31', trade: 'SEL 100 @ 12.5' },
    ],
    rows: [
      'D;100 sh.;01/03/2023;06/03/2024;700.00;1000.00;;;-300.00',
      'A;100 sh.;05/03/2024;07/31/2024;1250.00;900.00;;;350.00',
    ],
  },
  {
    name: 'a replacement in January disallows the loss of December, and one a day later does not',
    law: '26 USC 1091(a); Publication 550, Wash Sales',
    lines: [
      { date: '2024-06-03', trade: 'BUY 20 @ 10' },
      { date: '2024-12-20', trade: 'SEL 10 @ 8' },
      { date: '2024-12-23', trade: 'SEL 10 @ 9' },
      { date: '2025-01-21', trade: 'BUY 10 @ 9' },
    ],
    rows: [
      'A;10 sh.;06/03/2024;12/20/2024;80.00;100.00;;;-20.00',
      'A;10 sh.;06/03/2024;12/23/2024;90.00;100.00;W;10.00;0.00',
    ],
  },
  {
    name: 'a replacement that is itself sold at a loss and replaced carries both losses on',
    law: '26 USC 1091(d); 26 CFR 1.1091-2(a)',
    lines: [
      { date: '2024-01-02', trade: 'BUY 10 @ 100' },
      { date: '2024-02-01', trade: 'SEL 10 @ 80' },
      { date: '2024-02-15', trade: 'BUY 10 @ 85' },
      { date: '2024-03-01', trade: 'SEL 10 @ 90' },
      { date: '2024-03-20', trade: 'BUY 10 @ 88' },
      { date: '2024-05-15', trade: 'SEL 10 @ 110' },
    ],
    // -1,000 + 800 - 850 + 900 - 880 + 1,100 = 70
    rows: [
      'A;10 sh.;01/02/2024;02/01/2024;800.00;1000.00;W;200.00;0.00',
      'A;10 sh.;02/15/2024;03/01/2024;900.00;1050.00;W;150.00;0.00',
      'A;10 sh.;03/20/2024;05/15/2024;1100.00;1030.00;;;70.00',
    ],
  },
  {
    name: 'shares of one purchase replace others, and not those that are sold with them',
    law: '26 CFR 1.1091-1(c), (e)',
    lines: [
      bought,
      { date: '2024-06-03', trade: 'BUY 100 @ 9' },
      { date: '2024-06-12', trade: 'SEL 150 @ 8' },
      { date: '2024-08-01', trade: 'SEL 50 @ 12' },
    ],
    rows: [
      'A;150 sh.;VARIOUS;06/12/2024;1200.00;1450.00;W;100.00;-150.00',
      'A;50 sh.;06/03/2024;08/01/2024;600.00;550.00;;;50.00',
    ],
  },
  {
    name: 'a named lot at a loss is replaced by an older lot of the 30 days before',
    law: '26 CFR 1.1012-1(c), 1.1091-1(d)',
    lines: [
      { date: '2024-05-10', trade: 'BUY 10 @ 20' },
      { date: '2024-05-20', trade: 'BUY 10 @ 26', id: 'B' },
      { date: '2024-06-03', trade: 'SEL 10 @ 21', lotId: 'B' },
      { date: '2024-07-31', trade: 'SEL 10 @ 26' },
    ],
    rows: [
      'A;10 sh.;05/20/2024;06/03/2024;210.00;260.00;W;50.00;0.00',
      'A;10 sh.;05/10/2024;07/31/2024;260.00;250.00;;;10.00',
    ],
  },
  {
    name: 'by highest cost, a washed loss makes the replacement the next lot to be sold',
    law: '26 CFR 1.1012-1(c), 1.1091-2(a)',
    lines: [
      { of: 'HIFO', date: '2024-01-02', trade: 'BUY 10 @ 20' },
      { of: 'HIFO', date: '2024-02-01', trade: 'BUY 10 @ 30' },
      { of: 'HIFO', date: '2024-02-20', trade: 'SEL 10 @ 22' },
      { of: 'HIFO', date: '2024-03-01', trade: 'BUY 10 @ 23' },
      { of: 'HIFO', date: '2024-04-15', trade: 'SEL 10 @ 30.5' },
    ],
    rows: [
      'A;10 sh.;02/01/2024;02/20/2024;220.00;300.00;W;80.00;0.00',
      'A;10 sh.;03/01/2024;04/15/2024;305.00;310.00;;;-5.00',
    ],
  },
  {
    name: 'last in, first out: the purchase before the sale is sold, and the older lot is no replacement',
    law: '26 CFR 1.1012-1(c); 26 USC 1091(a)',
    lines: [
      { of: 'LIFO', date: '2024-01-02', trade: 'BUY 10 @ 20' },
      { of: 'LIFO', date: '2024-05-20', trade: 'BUY 10 @ 30' },
      { of: 'LIFO', date: '2024-06-03', trade: 'SEL 10 @ 22' },
      { of: 'LIFO', date: '2025-01-03', trade: 'SEL 10 @ 22' },
    ],
    rows: [
      'A;10 sh.;05/20/2024;06/03/2024;220.00;300.00;;;-80.00',
      'D;10 sh.;01/02/2024;01/03/2025;220.00;200.00;;;20.00',
    ],
  },
  {
    name: 'at average cost, the first shares are sold and the loss raises the average of the rest',
    law: '26 CFR 1.1012-1(e)(7), 1.1091-2(a)',
    lines: [
      { of: 'FUND', date: '2024-01-02', trade: 'BUY 100 @ 10' },
      { of: 'FUND', date: '2024-06-10', trade: 'BUY 100 @ 8' },
      { of: 'FUND', date: '2024-06-20', trade: 'SEL 100 @ 7' },
      { of: 'FUND', date: '2024-09-03', trade: 'SEL 100 @ 12' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/20/2024;700.00;900.00;W;200.00;0.00',
      'A;100 sh.;06/10/2024;09/03/2024;1200.00;1100.00;;;100.00',
    ],
  },
  {
    name: 'a lot of 29 February is long from 1 March of the next year',
    law: 'Publication 550, Holding Period; Rev. Rul. 66-7',
    lines: [
      { date: '2024-02-29', trade: 'BUY 20 @ 10' },
      { date: '2025-02-28', trade: 'SEL 10 @ 11' },
      { date: '2025-03-01', trade: 'SEL 10 @ 11' },
    ],
    rows: [
      'A;10 sh.;02/29/2024;02/28/2025;110.00;100.00;;;10.00',
      'D;10 sh.;02/29/2024;03/01/2025;110.00;100.00;;;10.00',
    ],
  },
  {
    name: 'shares of an exercised call cost strike and premium, and are held from the exercise',
    law: 'Publication 550, Options; 26 USC 1234(a)',
    lines: [
      { of: 'CALL', date: '2023-01-03', trade: 'BUY 1 @ 3' },
      { of: 'CALL', to: 'XYZ', date: '2024-06-03', transType: 'Exercise', quantity: '1' },
      { date: '2025-06-03', trade: 'SEL 50 @ 15' },
      { date: '2025-06-04', trade: 'SEL 50 @ 15' },
    ],
    rows: [
      'A;50 sh.;06/03/2024;06/03/2025;750.00;650.00;;;100.00',
      'D;50 sh.;06/03/2024;06/04/2025;750.00;650.00;;;100.00',
    ],
  },
  {
    name: 'an assigned put buys the replacement of shares sold at a loss',
    law: '26 USC 1091(a); Publication 550, Options',
    lines: [
      { date: '2024-01-02', trade: 'BUY 100 @ 15' },
      { of: 'PUT', date: '2024-05-01', trade: 'SEL 1 @ 1.5' },
      { date: '2024-06-03', trade: 'SEL 100 @ 12' },
      { of: 'PUT', to: 'XYZ', date: '2024-06-21', transType: 'Assignment', quantity: '1' },
      { date: '2024-08-01', trade: 'SEL 100 @ 11.5' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/03/2024;1200.00;1500.00;W;300.00;0.00',
      'A;100 sh.;06/21/2024;08/01/2024;1150.00;1150.00;;;0.00',
    ],
  },
  {
    name: 'the premium of an assigned call is proceeds of long shares',
    law: 'Publication 550, Options; 26 CFR 1.6045-1(m)',
    lines: [
      { date: '2023-01-03', trade: 'BUY 100 @ 9' },
      { of: 'CALL', date: '2024-05-01', trade: 'SEL 1 @ 1.2' },
      { of: 'CALL', to: 'XYZ', date: '2024-06-03', transType: 'Assignment', quantity: '1' },
    ],
    rows: ['D;100 sh.;01/03/2023;06/03/2024;1120.00;900.00;;;220.00'],
  },
  {
    name: 'the cost of an exercised put reduces the proceeds of the shares',
    law: 'Publication 550, Options',
    lines: [
      { date: '2023-05-01', trade: 'BUY 100 @ 15' },
      { of: 'PUT', date: '2024-05-01', trade: 'BUY 1 @ 0.8' },
      { of: 'PUT', to: 'XYZ', date: '2024-06-03', transType: 'Exercise', quantity: '1' },
    ],
    rows: ['D;100 sh.;05/01/2023;06/03/2024;920.00;1500.00;;;-580.00'],
  },
  {
    name: 'a written option that is closed at a loss has negative proceeds, in the year of the trade date',
    law: 'Instructions for Form 1099-B, box 1d; 26 USC 1234(b)',
    lines: [
      { of: 'CALL', date: '2024-05-01', trade: 'SEL 1 @ 1.2' },
      { of: 'CALL', date: '2024-12-31', settleDate: '2025-01-02', trade: 'BUY 1 @ 2' },
    ],
    rows: ['A;1 (short sale);12/31/2024;12/31/2024;-80.00;0.00;;;-80.00'],
  },
  {
    name: 'after a split of two for one, 100 new shares replace 50 shares sold before it',
    law: '26 USC 307, 1091(b); 26 CFR 1.1091-1(c)',
    lines: [
      { date: '2024-01-02', trade: 'BUY 200 @ 20' },
      { date: '2024-06-03', trade: 'SEL 100 @ 15' },
      { date: '2024-06-10', transType: 'Split', ratio: '2:1' },
      { date: '2024-06-20', trade: 'BUY 100 @ 8' },
      { date: '2024-09-03', trade: 'SEL 300 @ 10' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/03/2024;1500.00;2000.00;W;250.00;-250.00',
      'A;300 sh.;VARIOUS;09/03/2024;3000.00;3050.00;;;-50.00',
    ],
  },
  {
    name: 'shares of a spin-off have a part of the cost and the whole holding period',
    law: '26 USC 358(b), 1223(1)',
    lines: [
      { date: '2023-06-01', trade: 'BUY 100 @ 10' },
      { date: '2024-03-01', transType: 'Spinoff', to: 'NEW', ratio: '1:2', costShare: '0.2' },
      { date: '2024-05-31', trade: 'SEL 100 @ 9' },
      { of: 'NEW', date: '2024-06-03', trade: 'SEL 50 @ 3' },
    ],
    rows: [
      'A;100 sh.;06/01/2023;05/31/2024;900.00;800.00;;;100.00',
      'D;50 sh.;06/01/2023;06/03/2024;150.00;200.00;;;-50.00',
    ],
  },
  {
    name: 'a return of capital exhausts the cost of one lot and reduces that of another',
    law: '26 USC 301(c)(2), (3); Publication 550, Nondividend Distributions',
    lines: [
      { date: '2022-05-02', trade: 'BUY 100 @ 1' },
      { date: '2024-05-02', trade: 'BUY 100 @ 5' },
      { date: '2024-06-03', transType: 'ReturnOfCapital', cashPerShare: '2' },
      { date: '2024-07-01', trade: 'SEL 200 @ 4.5' },
    ],
    rows: [
      'F;;05/02/2022;06/03/2024;100.00;0.00;;;100.00',
      'D;100 sh.;05/02/2022;07/01/2024;450.00;0.00;;;450.00',
      'A;100 sh.;05/02/2024;07/01/2024;450.00;300.00;;;150.00',
    ],
  },
  {
    name: 'cash in lieu after a reverse split sells a fraction with the holding period of its lot',
    law: 'Publication 550, Stock Dividends and Stock Splits',
    lines: [
      { date: '2023-05-02', trade: 'BUY 101 @ 3' },
      { date: '2024-05-02', transType: 'Split', ratio: '1:2', cashInLieu: '10' },
    ],
    // 50.5 shares cost 303; half a share costs 3. A year ends on 2 May 2024.
    rows: ['A;0.5 sh.;05/02/2023;05/02/2024;10.00;3.00;;;7.00'],
  },
  {
    name: 'the cancel of a replacement allows the loss again',
    law: '26 USC 1091(a)',
    lines: [
      bought,
      soldAtLoss,
      { id: 'R', date: '2024-06-10', trade: 'BUY 100 @ 6.8' },
      { cancels: 'R', date: '2024-06-10', trade: 'BUY 100 @ 6.8' },
    ],
    rows: ['A;100 sh.;01/02/2024;06/03/2024;700.00;1000.00;;;-300.00'],
  },
  {
    name: 'the correction of a sale to a gain takes its washed loss out of the replacement',
    law: '26 USC 1091(d)',
    lines: [
      bought,
      { ...soldAtLoss, id: 'S' },
      { date: '2024-06-10', trade: 'BUY 100 @ 8' },
      { ...soldAtLoss, cancels: 'S' },
      { date: '2024-06-03', trade: 'SEL 100 @ 17', rebills: 'S' },
      { date: '2024-09-03', trade: 'SEL 100 @ 9' },
    ],
    rows: [
      'A;100 sh.;01/02/2024;06/03/2024;1700.00;1000.00;;;700.00',
      'A;100 sh.;06/10/2024;09/03/2024;900.00;800.00;;;100.00',
    ],
  },
  {
    name: 'a transfer that arrives after the sale, for a day before it, gives the sale its cost and date',
    law: '26 CFR 1.6045A-1, 1.6045-1(d)(2)',
    lines: [
      { date: '2024-06-03', trade: 'SEL 100 @ 7' },
      { date: '2024-05-31', transType: 'TransferIn', quantity: '100', cost: '650', openDate: '2020-03-02' },
    ],
    rows: ['D;100 sh.;03/02/2020;06/03/2024;700.00;650.00;;;50.00'],
  },
  {
    name: 'a lot transferred in without a cost is sold for its proceeds alone',
    law: '26 CFR 1.6045-1(a)(15)(iii)',
    lines: [
      { date: '2024-05-31', transType: 'TransferIn', quantity: '100', openDate: '2020-03-02' },
      { date: '2024-06-03', trade: 'SEL 100 @ 7' },
    ],
    rows: ['E;100 sh.;03/02/2020;06/03/2024;700.00;;;;'],
  },
  {
    name: 'accrued interest is no part of the cost and the proceeds of a bond',
    law: 'Instructions for Form 1099-B, box 1d; Publication 550, Bonds Sold Between Interest Dates',
    lines: [
      { of: 'BOND', date: '2024-03-01', trade: 'BUY 10000 @ 102', interest: '50' },
      { of: 'BOND', date: '2024-05-01', trade: 'SEL 10000 @ 101', interest: '70' },
    ],
    rows: ['A;10000;03/01/2024;05/01/2024;10100.00;10200.00;;;-100.00'],
  },
  {
    name: 'a bond is a sale at its maturity, and a Treasury bill is not',
    law: '26 USC 1271(a)(1), (3); Publication 1212, Short-Term Obligations Redeemed at Maturity',
    lines: [
      { of: 'BOND', date: '2023-03-01', trade: 'BUY 10000 @ 96', interest: '0' },
      { of: 'BILL', date: '2024-09-03', trade: 'BUY 10000 @ 98' },
      { of: 'BOND', date: '2024-12-16', transType: 'Maturity' },
      { of: 'BILL', date: '2024-12-26', transType: 'Maturity' },
    ],
    rows: ['D;10000;03/01/2023;12/16/2024;10000.00;9600.00;;;400.00'],
  },
]
