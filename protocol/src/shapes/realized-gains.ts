/** What lots that were closed realized, and what a year of it is on Form 1099-B and Form 8949. Amounts are US dollars. */
import Type from 'typebox'

const strict = { additionalProperties: false }
const day = (description: string) => Type.String({ format: 'date', description })

/** Sums of closings: those of a term, or of a year's. */
export const gainTotalsShape = Type.Object(
  {
    proceeds: Type.Number(),
    cost: Type.Number(),
    gainLoss: Type.Number(),
    washDisallowedAmt: Type.Number(),
    gainLossAllowed: Type.Number(),
  },
  strict,
)

/** A lot, or a part of one, closed: what it brought, what it had cost, and what of the gain counts. */
export const closingShape = Type.Object(
  {
    closingId: Type.String({
      description: 'The name of the closing: what `closings` of an activity record tells.',
    }),
    kind: Type.String({
      description:
        'Sale, Cover, CashInLieu, Merger, ReturnOfCapital, Maturity, Redemption, Principal, Exercise, Assignment or Expiration.',
    }),
    cusip: Type.String(),
    symbol: Type.String(),
    secNo: Type.String(),
    description: Type.String(),
    acctType: Type.String({ description: 'Cash, Margin or Short.' }),
    currency: Type.String({
      description: 'Of the security. Amounts are US dollars at the rates of the days of trade.',
    }),
    quantity: Type.Number({
      description: 'Negative of a short lot; 0 where money came and no shares went.',
    }),
    openDate: day('When the lot was acquired.'),
    holdingStart: day(
      'When its holding period began: openDate, or earlier by the days that wash sales added.',
    ),
    closeDate: day('Trade date of the line that closed it.'),
    proceeds: Type.Number({
      description: 'After commission and fees. Of a short lot what the cover cost, negative.',
    }),
    cost: Type.Number({
      description: 'With disallowed losses of earlier wash sales. Negative of a short lot.',
    }),
    costWithoutWash: Type.Number({ description: 'The cost as if no loss had been disallowed before.' }),
    gainLoss: Type.Number({ description: 'proceeds less cost; 0 where the cost is unknown.' }),
    washDisallowedAmt: Type.Number({ description: 'What of this loss is disallowed, positive.' }),
    gainLossAllowed: Type.Number({ description: 'gainLoss and washDisallowedAmt together.' }),
    term: Type.String({ description: 'Long, held for more than a year, or Short.' }),
    covered: Type.Boolean({
      description: 'Whether a broker reports the cost to the IRS (26 CFR 1.6045-1(a)(15)).',
    }),
    noCost: Type.String({ description: 'Y where the cost is unknown: left out of gains. Else N.' }),
    openedBy: Type.String({ description: '`externalId` of the line that opened the lot.' }),
    closedBy: Type.String({ description: '`externalId` of the line that closed it.' }),
  },
  strict,
)

const terms = { shortTerm: gainTotalsShape, longTerm: gainTotalsShape }

/** `data` of realized-gains. */
export const realizedGainsShape = Type.Object(
  {
    closings: Type.Array(closingShape, { description: 'By closeDate.' }),
    totals: Type.Object(
      {
        ...terms,
        years: Type.Array(Type.Object({ year: Type.Integer(), ...terms }, strict), {
          description: 'The same by the year of closeDate.',
        }),
      },
      strict,
    ),
  },
  strict,
)

/** One Form 1099-B, one row of Form 8949. */
export const taxRowShape = Type.Object(
  {
    box: Type.String({
      description:
        'Of Form 8949: short term A (basis reported), B (not reported), C (no Form 1099-B); long term D, E, F likewise.',
    }),
    description: Type.String({ description: 'Box 1a, column (a): `100 sh. HARBOR CORP`.' }),
    cusip: Type.String(),
    symbol: Type.String(),
    quantity: Type.Number(),
    dateAcquired: Type.String({
      description:
        'Box 1b, column (b): `yyyy-MM-dd`, or VARIOUS where lots of several days were sold in one.',
    }),
    dateSold: day('Box 1c, column (c).'),
    proceeds: Type.Number({ description: 'Box 1d, column (d), after commission and fees (box 6: net).' }),
    cost: Type.Number({ description: 'Box 1e, column (e).' }),
    accruedMarketDiscount: Type.Number({ description: 'Box 1f: 0, the books do not accrue it.' }),
    washDisallowedAmt: Type.Number({ description: 'Box 1g, column (g).' }),
    code: Type.String({ description: 'Column (f): W of a wash sale, else empty.' }),
    gainLoss: Type.Number({
      description: 'Column (h): (d) less (e) and (g) added; 0 where the cost is unknown.',
    }),
    term: Type.String({ description: 'Box 2: Long or Short.' }),
    covered: Type.Boolean({ description: 'False is box 5; true is box 12, the basis is reported.' }),
    noCost: Type.String({ description: 'Y where the cost is unknown, else N.' }),
    closedBy: Type.String({ description: '`externalId` of the line.' }),
  },
  strict,
)

/** `data` of tax-report. */
export const taxReportShape = Type.Object(
  {
    rows: Type.Array(taxRowShape, { description: 'By dateSold.' }),
    year: Type.Integer(),
    boxes: Type.Array(
      Type.Object(
        {
          box: Type.String(),
          count: Type.Integer({ description: 'Rows of the box.' }),
          proceeds: Type.Number(),
          cost: Type.Number(),
          washDisallowedAmt: Type.Number(),
          gainLoss: Type.Number(),
        },
        strict,
      ),
      { description: 'Totals of each box that has rows.' },
    ),
    section1256: Type.Number({
      description:
        'Box 8: what closed options on broad indexes realized. They are on Form 6781 and in no row.',
    }),
  },
  strict,
)
