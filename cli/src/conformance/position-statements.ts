/** The statements on positions and activity. */
import { expectMembers, expectRefusal, expectSuccess, type Statement } from './statement.ts'
import { expect, shown } from './subject.ts'

const record = 'Position summary record (`data` of position-summary)'
const activity = { dateFrom: '2020-01-01', dateTo: '2020-12-31' }

export const positionStatements: readonly Statement[] = [
  {
    section: record,
    sentence:
      'Account-level fields (all numbers unless stated): acctNo (string, 8), date (string, date-time)',
    async check(subject) {
      const reply = await subject.call('position-summary', { accountNumber: await subject.open() })
      expectSuccess(reply)
      expectMembers(reply.json.data, 'string', 'acctNo date')
      expectMembers(
        reply.json.data,
        'number',
        'totalShortMarket totalLongMarket totalCash totalMoneyMarket netMarket netCustodied assetsHeldAway totalAccountValue freeCash gainLoss gainLossPercentage fundsAvailable fedCallAmount maintCallAmount marginCashAvailable buyingPower accumFedAmount accruedInterest totalCashUsdOnly',
      )
    },
  },
  {
    section: record,
    sentence:
      'Four arrays of summary items: industrySummary, assetSummary, accountTypeSummary, currencyTypeSummary.',
    async check(subject) {
      const { json } = await subject.call('position-summary', { accountNumber: await subject.open() })
      expectMembers(
        json.data,
        'array',
        'industrySummary assetSummary accountTypeSummary currencyTypeSummary portfolios',
      )
    },
  },
  {
    section: 'POST /account-api/v1/position-summary',
    sentence: 'Request JSON: `accountNumber` (string, length 8, required).',
    check: async (subject) => expectRefusal(await subject.call('position-summary', {}), 'accountNumber'),
  },
  {
    section: 'POST /account-api/v1/trade-activity',
    sentence:
      'Request JSON: `dateFrom` (string), `dateTo` (string), `accountNumber` (string, length 8); all three are required.',
    async check(subject) {
      const whole: Record<string, string> = { ...activity, accountNumber: await subject.open() }
      for (const name of Object.keys(whole)) {
        const { [name]: _, ...rest } = whole
        expectRefusal(await subject.call('trade-activity', rest), name)
      }
    },
  },
  {
    section: 'POST /account-api/v1/trade-activity',
    sentence: 'Response: envelope with `data.activity` = array of trade activity records.',
    async check(subject) {
      const { json } = await subject.call('trade-activity', {
        ...activity,
        accountNumber: await subject.open(),
      })
      expect(Array.isArray(json.data?.activity), `data.activity is ${shown(json.data?.activity)}`)
    },
  },
]
