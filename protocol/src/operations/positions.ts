/** Operations that read positions, balances and activity from the books. */
import Type from 'typebox'
import { asOfOf, known, view } from '../books-view.ts'
import { accountNumber, block, code, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { correctedDayShape } from '../shapes/correction.ts'
import { portfolioItemShape, positionSummaryShape } from '../shapes/position-summary.ts'
import { realizedGainsShape, taxReportShape } from '../shapes/realized-gains.ts'
import { tradeActivityShape } from '../shapes/trade-activity.ts'

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
    'selects another date: a client that reads new lines uses enteredOn and misses none. The range is at most ten years. The response is streamed.',
  audience: 'firm',
  scope: 'activity:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  request: block({
    accountNumber: accountNumber(),
    dateFrom: rangeDate(),
    dateTo: rangeDate(),
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
    dateFrom: rangeDate(),
    dateTo: rangeDate(),
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
    { acctNo: Type.String(), date: Type.String(), portfolios: Type.Array(portfolioItemShape) },
    strict,
  ),
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})

function amounts(...names: string[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Number()])), strict)
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
      acctNo: Type.String(),
      date: Type.String(),
      marginBalance: amounts(
        'marginBuyingPower',
        'nyseExcess',
        'dtbp',
        'marginDebitBalance',
        'dailyMarginInterest',
        'accruedMarginInterest',
        'currentMarginRate',
        'dayTradeBuyingPower',
        'equity',
        'equityPercentage',
        'houseExcess',
      ),
      availableWithdrawal: amounts(
        'freeCash',
        'moneyMarket',
        'marginCashAvailability',
        'pendingMoneyMarketInterest',
      ),
      marginRequirements: Type.Array(
        Type.Object(
          {
            symbol: Type.String(),
            quantity: Type.Number(),
            description: Type.String(),
            price: Type.Number(),
            marketValue: Type.Number(),
            housePercent: Type.Number(),
            houseRequirement: Type.Number(),
            regTPercent: Type.Number(),
            regTRequirement: Type.Number(),
          },
          strict,
        ),
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
              description: 'Amount of this class that the account can buy without a call, in US dollars.',
            }),
          },
          strict,
        ),
        { description: 'Buying power by class of securities. Each amount can be spent only once.' },
      ),
      calls: Type.Array(
        Type.Object(
          {
            kind: code('callKind'),
            issuedOn: Type.String({ format: 'date' }),
            dueBy: Type.String({ format: 'date', description: 'The due date, extensions included.' }),
            overdue: Type.Boolean(),
            outstanding: Type.Number({ description: 'The deposit that meets the call, in US dollars.' }),
            sellAmount: Type.Union([Type.Number(), Type.Null()], {
              description:
                'Market value of stock with loan value whose sale meets the call, in US dollars. For a call of the cash account, the market value of unpaid securities. Null if the account holds less.',
            }),
            sellOutOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
              description:
                'The day on which the firm liquidates. Null for a Regulation T call of 1,000.00 or less (12 CFR 220.4(d), 220.8(b)(4)).',
            }),
            extensions: Type.Array(
              Type.Object(
                {
                  until: Type.String({ format: 'date' }),
                  reason: Type.String(),
                  grantedAt: Type.String({ format: 'date-time' }),
                },
                strict,
              ),
            ),
          },
          strict,
        ),
        { description: 'The calls that are open now, each with the deposit or sale that meets it.' },
      ),
      openCall: amounts('federalCall', 'maintenanceCall', 'dayTradeCall', 'accumFedAmount', 'cashCall'),
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
              'The last day on which purchases are paid with settled cash at once (12 CFR 220.8(c)); null when the books withdrew nothing.',
          }),
        },
        strict,
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
    dateFrom: rangeDate(),
    dateTo: rangeDate(),
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
  year: Type.Integer({ minimum: limits.taxYearMin, maximum: limits.taxYearMax, examples: [2025] }),
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
    dateFrom: optional(rangeDate()),
    dateTo: optional(rangeDate()),
    ...pageOf({ sizeMax: limits.correctedDaysPageSizeMax }),
  }),
  data: Type.Object({ days: Type.Array(correctedDayShape), next }, strict),
  examples: [{ title: 'The latest closed days', request: { accountNumber: '30100001' } }],
})
