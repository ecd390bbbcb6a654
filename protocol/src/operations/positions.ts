/** Operations that read positions, balances and activity from the books. */
import Type, { type TNumber } from 'typebox'
import { asOfOf, known, view } from '../books-view.ts'
import { accountNumber, block, code, earliest, latest, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { correctedDayShape } from '../shapes/correction.ts'
import { marginInterestShape } from '../shapes/margin-interest.ts'
import { portfolioItemShape, positionSummaryShape } from '../shapes/position-summary.ts'
import { realizedGainsShape, taxReportShape } from '../shapes/realized-gains.ts'
import { tradeActivityShape } from '../shapes/trade-activity.ts'

const activityDays = {
  dateFrom: earliest('processDate, or the earliest date that `dateField` selects'),
  dateTo: latest('processDate, or the latest date that `dateField` selects'),
}

const activityView = {
  dateField: optional(
    code('activityDate', {
      description:
        'The date that is compared with `dateFrom` and `dateTo` (Extension). The default is processDate.',
    }),
  ),
  asOf: asOfOf('Returns the activity that existed at the end of this day'),
  knownAt: known,
}

export const positionSummary = defineOperation({
  summary: 'Positions and balances of an account',
  description:
    'Returns the positions of an account valued at their latest prices, its balances, its margin figures and four summaries.',
  audience: 'firm',
  scope: 'positions:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  request: block({ accountNumber: accountNumber(), ...view }),
  data: positionSummaryShape,
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})

export const tradeActivity = defineOperation({
  summary: 'Trades of an account in a range of dates',
  description:
    'Returns trade lines with their cancels and rebills whose processDate lies from `dateFrom` to `dateTo`, both included, in the order of the books. `dateField` ' +
    'selects another date: a client that reads new lines uses enteredOn and misses none, and `restated` has the amounts that these lines changed. The range is at most ten years. The response is streamed.',
  audience: 'firm',
  scope: 'activity:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  request: block({
    accountNumber: accountNumber(),
    ...activityDays,
    ...activityView,
  }),
  data: tradeActivityShape,
  examples: [
    { title: 'A year', request: { accountNumber: '30100001', dateFrom: '2025-01-01', dateTo: '2025-12-31' } },
  ],
})

export const nonTradeActivity = defineOperation({
  summary: 'Activity other than trades in a range of dates',
  description:
    'Returns cash movements, dividends, transfers and corporate actions whose processDate lies from `dateFrom` to `dateTo`, in the record of trade-activity.',
  audience: 'firm',
  scope: 'activity:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({
    accountNumber: accountNumber(),
    ...activityDays,
    ...activityView,
  }),
  data: tradeActivityShape,
  examples: [
    { title: 'A year', request: { accountNumber: '30100001', dateFrom: '2025-01-01', dateTo: '2025-12-31' } },
  ],
})

const strict = { additionalProperties: false }

export const positionDetail = defineOperation({
  summary: 'Positions lot by lot',
  description: 'Returns the portfolios of position-summary with one item for each lot.',
  audience: 'firm',
  scope: 'positions:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({ accountNumber: accountNumber(), ...view }),
  data: Type.Object(
    {
      acctNo: Type.String({ description: 'Number of the account.' }),
      date: Type.String({ description: 'Time for which the figures are computed.' }),
      portfolios: Type.Array(portfolioItemShape, { description: 'One item for each lot.' }),
    },
    strict,
  ),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})

/** Numbers with their meanings. */
function amounts<Name extends string>(description: string, meanings: Readonly<Record<Name, string>>) {
  const numbers = Object.entries<string>(meanings).map(([name, meaning]) => [
    name,
    Type.Number({ description: meaning }),
  ])
  const properties: Record<Name, TNumber> = Object.fromEntries(numbers)
  return Type.Object(properties, { ...strict, description })
}

export const balanceSummary = defineOperation({
  summary: 'Margin balances, requirements and calls',
  description:
    'Returns the margin figures of an account, the amounts that can be withdrawn, buying power by class of securities, the requirement of each position, and the open margin calls with the deposit or sale that meets each call.',
  audience: 'firm',
  scope: 'positions:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({ accountNumber: accountNumber(), ...view }),
  data: Type.Object(
    {
      acctNo: Type.String({ description: 'Number of the account.' }),
      date: Type.String({ description: 'Time for which the figures are computed.' }),
      marginBalance: amounts('The margin account. Amounts are US dollars.', {
        marginBuyingPower:
          'Stock that can be bought without a call: the smaller of twice the SMA and the maintenance excess ÷ the house rate. 0 for an account without margin or whose margin is suspended, as are the other buying powers and `marginCashAvailability`. The buying powers are also 0 while a restriction suspends buying.',
        nyseExcess:
          'Equity less the maintenance requirement at the rates of FINRA Rule 4210. Negative: a call of the rule.',
        dtbp: 'Day-trading buying power at the start of the day. Below 2,000 of equity, at most the maintenance excess of the previous close.',
        marginDebitBalance: 'What the customer owes, 0 or more. Proceeds of short sales do not reduce it.',
        dailyMarginInterest: 'Interest of one day on `marginDebitBalance` at `currentMarginRate`.',
        accruedMarginInterest:
          'Margin interest that has accrued and is not yet charged. Negative: a refund that is not yet paid.',
        currentMarginRate: 'Margin rate, in percent per year.',
        dayTradeBuyingPower:
          'Day-trading buying power that is left now. Below 2,000 of equity, purchases are paid in full (FINRA Rule 4210(b)).',
        equity:
          'Cash of the margin account plus the market value of its positions; short positions count negative.',
        equityPercentage: 'Equity in percent of the absolute market value of the positions.',
        houseExcess:
          'Equity less the maintenance requirement at the rates of the house. Negative: a maintenance call.',
        houseRequirement:
          'What the maintenance requirement at the rates of the house asks of `equity`: `equity` less `houseExcess`. It is the sum of the rows of `marginRequirements` less the market value of the written options, which `equity` has subtracted already.',
        regTRequirement:
          'What Regulation T requires of all positions for a new transaction, like `houseRequirement` less the market value of the written options. Equity below it restricts withdrawals, and alone causes no call.',
        sma: 'Special memorandum account (12 CFR 220.5). A purchase uses it, and what it does not cover is the Federal call of the day.',
      }),
      availableWithdrawal: amounts(
        'What can be withdrawn, in US dollars. 0 while a restriction suspends withdrawals, except interest that is not yet paid.',
        {
          freeCash: 'As in position-summary.',
          moneyMarket: 'Value of money-market funds.',
          marginCashAvailability:
            'Cash that can be borrowed or withdrawn from the margin account: `marginCashAvailable` of position-summary.',
          pendingMoneyMarketInterest: 'Interest that money-market funds have earned and not yet paid.',
        },
      ),
      marginRequirements: Type.Array(
        Type.Object(
          {
            symbol: Type.String({ description: 'Ticker symbol; empty without one.' }),
            quantity: Type.Number({
              description: 'Quantity of the position; negative for a short position.',
            }),
            description: Type.String({ description: 'Description of the security.' }),
            price: Type.Number({ description: 'Price by which the position is valued.' }),
            marketValue: Type.Number({
              description: 'Market value, in US dollars; negative for a short position.',
            }),
            housePercent: Type.Number({
              description: 'Requirement at the rates of the house, in percent of the market value.',
            }),
            houseRequirement: Type.Number({
              description:
                'Maintenance requirement at the rates of the house in the combinations of which the account requires least, in US dollars. That of a written option includes its market value.',
            }),
            regTPercent: Type.Number({
              description: 'Requirement of Regulation T, in percent of the market value.',
            }),
            regTRequirement: Type.Number({
              description:
                'Initial requirement of Regulation T in the combinations of which the account requires least, in US dollars. That of a written option includes its market value.',
            }),
          },
          strict,
        ),
        { description: 'One item for each position of the margin account.' },
      ),
      buyingPowers: Type.Array(
        Type.Object(
          {
            securityClass: Type.String({
              description:
                '`MarginSecurity` (stock and funds with loan value), `NonMargin`, `MutualFund`, `Option`, `Treasury`, `Agency`, `HighlyRatedSovereign`, `Municipal`, `InvestmentGrade` or `OtherDebt`.',
            }),
            initialPercent: Type.Number({ description: 'Initial requirement of a purchase, in percent.' }),
            maintenancePercent: Type.Number({
              description:
                'Maintenance requirement of the holding, in percent. Debt counts at its longest maturity.',
            }),
            amount: Type.Number({
              description:
                'Amount of this class that the account can buy without a call, in US dollars. 0 while a restriction suspends buying, margin or, for `Option`, options.',
            }),
          },
          strict,
        ),
        { description: 'Buying power by class of securities. Each amount can be spent only once.' },
      ),
      calls: Type.Array(
        Type.Object(
          {
            kind: code('callKind', { description: 'Kind of the call.' }),
            issuedOn: Type.String({
              format: 'date',
              description: 'The business day whose close issued the call.',
            }),
            dueBy: Type.String({ format: 'date', description: 'The due date, extensions included.' }),
            overdue: Type.Boolean({ description: 'Whether the due date has passed.' }),
            outstanding: Type.Number({ description: 'The deposit that meets the call, in US dollars.' }),
            sellAmount: Type.Union([Type.Number(), Type.Null()], {
              description:
                'The least market value of long positions whose sale meets the call, in US dollars: the positions with the highest percentages in `marginRequirements` are sold first. For a call of the cash account, the market value of unpaid securities. Null if a sale of all positions that no combination can use does not meet the call.',
            }),
            sellOutOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
              description:
                'The day on which the firm liquidates. Null for a Regulation T call of 1,000.00 or less (12 CFR 220.4(d), 220.8(b)(4)), and for an intraday margin deficit.',
            }),
            extensions: Type.Array(
              Type.Object(
                {
                  until: Type.String({ format: 'date', description: 'The due date that was granted.' }),
                  reason: Type.String({ description: 'Why it was granted.' }),
                  grantedAt: Type.String({ format: 'date-time', description: 'When it was granted.' }),
                },
                strict,
              ),
              { description: 'The extensions of the call, the oldest first.' },
            ),
          },
          strict,
        ),
        {
          description:
            'The calls that are open now, each with the deposit or sale that meets it. Calls of the cash account and intraday margin deficits of earlier days are those of the last close.',
        },
      ),
      openCall: amounts('The open calls by kind, in US dollars; 0 without one.', {
        federalCall: 'The Federal (Regulation T) call of the latest day that has one (12 CFR 220.4(c)).',
        maintenanceCall: 'Maintenance requirement less equity, not below 0 (FINRA Rule 4210(c)).',
        dayTradeCall:
          'The largest intraday margin deficit that is outstanding: that of today, or one of an earlier day as the last close left it (FINRA Rule 4210(d)(2)). Before the rule of 2026, the day-trading call (FINRA Rule 4210(f)(8)).',
        accumFedAmount: 'All open Federal calls.',
        cashCall: 'Unpaid purchases of the cash account whose payment period has ended (12 CFR 220.8(b)).',
      }),
      cashAccount: Type.Object(
        {
          unpaid: Type.Number({
            description: 'Unpaid amount of purchases of the cash account at the last close, in US dollars.',
          }),
          goodFaithViolations: Type.Integer({
            description:
              'Good-faith violations of the last twelve months. The third one restricts the account.',
          }),
          settledCashOnlyUntil: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
            description:
              'The last day on which purchases are paid with settled cash at once (12 CFR 220.8(c)); null when the books withdrew nothing, or after a waiver.',
          }),
        },
        { ...strict, description: 'The payments of the cash account (12 CFR 220.8).' },
      ),
    },
    strict,
  ),
  examples: [{ title: 'By account number', request: { accountNumber: '30100002' } }],
})

const gains = {
  audience: 'firm',
  scope: 'positions:read',
  writes: false,
  body: 'json',
  origin: 'extension',
} as const

export const realizedGains = defineOperation({
  ...gains,
  summary: 'Realized gains of an account in a range of dates',
  description:
    'Returns every lot, and every part of a lot, that was closed from `dateFrom` to `dateTo` (compared with closeDate, both included): sales, covers, cash of ' +
    'mergers and cash in lieu, returns of capital beyond the cost, redemptions and expirations, with totals by term and year. The range is at most ten years. The ' +
    'response is streamed; the totals come last.',
  request: block({
    accountNumber: accountNumber(),
    dateFrom: earliest('closeDate'),
    dateTo: latest('closeDate'),
    cusip: optional(words(limits.cusipLength, { description: 'Returns closings of this security only.' })),
    ...view,
  }),
  data: realizedGainsShape,
  examples: [
    { title: 'A year', request: { accountNumber: '30100001', dateFrom: '2025-01-01', dateTo: '2025-12-31' } },
  ],
})

const taxYear = block({
  accountNumber: accountNumber(),
  year: Type.Integer({
    description: 'The tax year: a calendar year.',
    minimum: limits.taxYearMin,
    maximum: limits.taxYearMax,
    examples: [2025],
  }),
  ...view,
})

export const taxReport = defineOperation({
  ...gains,
  summary: 'Sales of a year as Form 1099-B has them',
  description:
    'Returns one row for each Form 1099-B, which is a row of Form 8949, and totals by box. Lots that one line closed and that fall into one box form one row. Rows ' +
    'that belong on Form 8949 only (a return of capital beyond the cost) are in box C or F. `form-8949` returns the same rows as a CSV file.',
  request: taxYear,
  data: taxReportShape,
  examples: [{ title: 'A year', request: { accountNumber: '30100001', year: 2025 } }],
})

export const form8949 = defineOperation({
  ...gains,
  summary: 'Sales of a year as a Form 8949 CSV file',
  description:
    'Returns the rows of tax-report as a CSV file: the box and columns (a) to (h) of Form 8949. If the cost is unknown, cost and gain are empty.',
  answers: 'file',
  fileTypes: ['text/csv'],
  request: taxYear,
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [{ title: 'A year', request: { accountNumber: '30100001', year: 2025 } }],
})

export const listCorrections = defineOperation({
  ...gains,
  summary: 'Corrections of closed days of an account',
  description:
    'Returns the closed days of an account whose figures would differ with what is known now. Each day has the lines that arrived after its close, and the changes in cash and value that these lines, prices, rates and other facts cause.  ' +
    'The newest day comes first. A page compares `size` closed days and leaves out those without changes, so a page can be empty and have a `next`.',
  request: block({
    accountNumber: accountNumber(),
    dateFrom: optional(earliest('closed day')),
    dateTo: optional(latest('closed day')),
    ...pageOf({ sizeMax: limits.correctedDaysPageSizeMax }),
  }),
  data: Type.Object(
    { days: Type.Array(correctedDayShape, { description: 'The closed days, the latest first.' }), next },
    strict,
  ),
  examples: [{ title: 'The latest closed days', request: { accountNumber: '30100001' } }],
})

export const listMarginInterest = defineOperation({
  ...gains,
  summary: 'Margin interest of an account, night by night',
  description:
    'Returns the interest that closes accrued on the settled debit of a margin account, with the debit and the rate of each night. ' +
    'A close also computes the nights of earlier closes again if lines that arrived late, cancels or other corrections changed their debit. ' +
    'The newest close comes first. Interest lines charge what was accrued; they are in non-trade-activity.',
  request: block({
    accountNumber: accountNumber(),
    dateFrom: optional(earliest('closeDate')),
    dateTo: optional(latest('closeDate')),
    ...pageOf(),
  }),
  data: Type.Object(
    { interest: Type.Array(marginInterestShape, { description: 'The latest close first.' }), next },
    strict,
  ),
  examples: [{ title: 'The latest nights', request: { accountNumber: '30100002' } }],
})
