/** Realized gains of closed lots, and the rows of a year on Form 1099-B and Form 8949. Amounts are in US dollars. */
import Type from 'typebox'
import { day } from '../answered-values.ts'
import { described } from '../field.ts'

const strict = { additionalProperties: false }

/** Totals of closings by term, or by year and term. Short sales count as on Form 1099-B. */
export const gainTotalsShape = Type.Object(
  {
    proceeds: Type.Number({
      description:
        'Sum of the proceeds, in US dollars. Of a short lot, the cash of the short sale; of a written option, the premium less the amount paid to close it.',
    }),
    cost: Type.Number({
      description:
        'Sum of the known costs, in US dollars. Of a short lot, the cost of the cover; of a written option, 0 or the loss that a wash sale moved into it.',
    }),
    gainLoss: Type.Number({ description: 'Sum of the gains and losses, in US dollars.' }),
    washDisallowedAmt: Type.Number({ description: 'Sum of the losses that wash sales disallow, positive.' }),
    gainLossAllowed: Type.Number({ description: '`gainLoss` + `washDisallowedAmt`.' }),
  },
  strict,
)

/** A closed lot or part of a lot: its proceeds, its cost and its gain. */
export const closingShape = Type.Object(
  {
    closingId: Type.String({
      description: 'ID of the closing, as in `closings` of an activity record.',
    }),
    kind: Type.String({
      description:
        '`Sale`, `Cover`, `CashInLieu`, `Merger`, `ReturnOfCapital`, `Maturity`, `Redemption`, `Principal`, `Exercise`, `Assignment` or `Expiration`.',
    }),
    cusip: Type.String({ description: 'CUSIP of the security; empty without one.' }),
    symbol: Type.String({ description: 'Ticker symbol; empty without one.' }),
    secNo: Type.String({ description: 'Number of the security in the books.' }),
    description: Type.String({ description: 'Description of the security.' }),
    acctType: Type.String({ description: '`Cash`, `Margin` or `Short`.' }),
    currency: Type.String({
      description: 'Currency of the security. Amounts are in US dollars at the rates of the trade dates.',
    }),
    quantity: Type.Number({
      description:
        'Closed quantity: negative for a short lot; 0 if cash was received and no shares left the lot.',
    }),
    openDate: day('When the lot was acquired.'),
    holdingStart: day(
      'Start of the holding period: openDate, earlier by the days that wash sales added, or the closing of a short sale of the same security.',
    ),
    closeDate: day('Trade date of the line that closed the lot.'),
    proceeds: Type.Number({
      description: 'Proceeds after commission and fees. For a short lot, the cost of the cover, negative.',
    }),
    cost: Type.Number({
      description: 'Cost with the disallowed losses of earlier wash sales. Negative for a short lot.',
    }),
    costWithoutWash: Type.Number({ description: 'Cost without disallowed losses of earlier wash sales.' }),
    gainLoss: Type.Number({ description: 'Proceeds less cost; 0 if the cost is unknown.' }),
    washDisallowedAmt: Type.Number({ description: 'The disallowed part of this loss, positive.' }),
    gainLossAllowed: Type.Number({ description: 'Sum of gainLoss and washDisallowedAmt.' }),
    term: Type.String({
      description:
        '`Long` (held for more than a year) or `Short`. A short sale is Short; its loss is Long if as many shares had been held for more than a year when it was made.',
    }),
    covered: Type.Boolean({
      description: 'Whether a broker reports the cost to the IRS (26 CFR 1.6045-1(a)(15)).',
    }),
    noCost: Type.String({
      description: '`Y` if the cost is unknown and the closing is left out of gains, else `N`.',
    }),
    openedBy: Type.String({ description: '`externalId` of the line that opened the lot.' }),
    closedBy: Type.String({ description: '`externalId` of the line that closed the lot.' }),
  },
  strict,
)

const yearShape = Type.Integer({ description: 'Calendar year.' })
const terms = {
  shortTerm: described(gainTotalsShape, 'Totals of the short-term closings.'),
  longTerm: described(gainTotalsShape, 'Totals of the long-term closings.'),
}

/** `data` of realized-gains. */
export const realizedGainsShape = Type.Object(
  {
    closings: Type.Array(closingShape, { description: 'By closeDate.' }),
    totals: Type.Object(
      {
        ...terms,
        years: Type.Array(Type.Object({ year: yearShape, ...terms }, strict), {
          description: 'Totals by the year of closeDate.',
        }),
      },
      { ...strict, description: 'Totals of all closings, by term.' },
    ),
  },
  strict,
)

/** One Form 1099-B, which is one row of Form 8949. */
export const taxRowShape = Type.Object(
  {
    box: Type.String({
      description:
        'Box of Form 8949. Short term: A (basis reported), B (not reported), C (no Form 1099-B). Long term: D, E, F likewise.',
    }),
    description: Type.String({ description: 'Box 1a, column (a): `100 sh. HARBOR CORP`.' }),
    cusip: Type.String({ description: 'CUSIP of the security; empty without one.' }),
    symbol: Type.String({ description: 'Ticker symbol; empty without one.' }),
    quantity: Type.Number({ description: 'Quantity that was sold or covered.' }),
    dateAcquired: Type.String({
      description: 'Box 1b, column (b): `yyyy-MM-dd`, or VARIOUS if lots of several days were sold together.',
    }),
    dateSold: day('Box 1c, column (c): the trade date; of a short sale the settlement date of the cover.'),
    proceeds: Type.Number({
      description:
        'Box 1d, column (d), after commission and fees (box 6: net). Of a written option the premium less the amount paid to close it, negative for a loss.',
    }),
    cost: Type.Number({
      description:
        'Box 1e, column (e). Of a written option 0. Of debt without adjustments for bond premium, original issue discount and market discount.',
    }),
    accruedMarketDiscount: Type.Number({
      description: 'Box 1f: always 0, since the books do not accrue market discount.',
    }),
    washDisallowedAmt: Type.Number({ description: 'Box 1g, column (g).' }),
    code: Type.String({ description: 'Column (f): W for a wash sale, else empty.' }),
    gainLoss: Type.Number({
      description: 'Column (h): (d) less (e), plus (g); 0 if the cost is unknown.',
    }),
    term: Type.String({
      description:
        'Box 2: `Long` or `Short`. It counts short sales of the security in the account (26 USC 1233(b)(2), (d)), but no puts, and no short sales elsewhere.',
    }),
    covered: Type.Boolean({
      description:
        'True: box 12, the basis is reported to the IRS. False: box 5. The reported basis of covered debt has adjustments that `cost` lacks.',
    }),
    noCost: Type.String({ description: '`Y` if the cost is unknown, else `N`.' }),
    closedBy: Type.String({ description: '`externalId` of the line that closed the lots.' }),
  },
  strict,
)

/** `data` of tax-report. */
export const taxReportShape = Type.Object(
  {
    rows: Type.Array(taxRowShape, { description: 'By dateSold.' }),
    year: yearShape,
    boxes: Type.Array(
      Type.Object(
        {
          box: Type.String({ description: 'Box of Form 8949, as in `rows`.' }),
          count: Type.Integer({ description: 'Number of rows of the box.' }),
          proceeds: Type.Number({ description: 'Total of column (d).' }),
          cost: Type.Number({ description: 'Total of column (e).' }),
          washDisallowedAmt: Type.Number({ description: 'Total of column (g).' }),
          gainLoss: Type.Number({ description: 'Total of column (h).' }),
        },
        strict,
      ),
      { description: 'Totals of each box with rows.' },
    ),
    section1256: Type.Number({
      description:
        'Box 8: the realized gain of closed options on broad indexes. They belong on Form 6781 and are in no row.',
    }),
    exemptRecipient: Type.Boolean({
      description:
        'True for an IRA, which has no Form 1099-B and therefore no rows. A corporation has rows, in box C or F for sales that have no Form 1099-B.',
    }),
  },
  strict,
)
