/**
 * FINRA's Trading Activity Fee on sales, by trade date: a rate per share, contract or bond, with a maximum for one
 * trade of shares or bonds (FINRA By-Laws, Schedule A, section 1).
 */

import { type Decimal, decimal, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'

export interface TradingActivityRate {
  /** First trade date at the rates. */
  readonly from: CalendarDate
  readonly perShare: Decimal
  /** The maximum for one sale of shares. */
  readonly shareCap: Decimal
  readonly perContract: Decimal
  /** For a bond of 1,000 face value. */
  readonly perBond: Decimal
  readonly bondCap: Decimal
  readonly source: string
}

function row(
  from: CalendarDate,
  share: readonly [rate: string, cap: string],
  perContract: string,
  bond: readonly [rate: string, cap: string],
  source: string,
): TradingActivityRate {
  return {
    from,
    perShare: decimal(share[0]),
    shareCap: decimal(share[1]),
    perContract: decimal(perContract),
    perBond: decimal(bond[0]),
    bondCap: decimal(bond[1]),
    source,
  }
}

const BONDS_UNTIL_2021 = ['0.00075', '0.75'] as const
const RATES_OF_2026 = [['0.000195', '9.79'], '0.00329', ['0.00124', '1.24']] as const

/**
 * Newest first. A source covers only the rates that it names: options at 0.002 and bonds at 0.00075 up to 2021 are
 * UNCONFIRMED too. Sales before the oldest row have no fee here, because a feed gives the fee of such an old trade.
 */
export const TRADING_ACTIVITY_RATES: readonly TradingActivityRate[] = [
  row(
    '2027-01-01',
    ...RATES_OF_2026,
    'SR-FINRA-2026-020 as quoted elsewhere: the rates of 2026 stay until 2028-12-31',
  ),
  row(
    '2026-10-01',
    ['0', '0'],
    '0',
    ['0', '0'],
    'SR-FINRA-2026-021, 91 FR 60435, as quoted elsewhere: no fee until 2026-12-31',
  ),
  row(
    '2026-01-01',
    ...RATES_OF_2026,
    'SR-FINRA-2024-019 as quoted by brokers; bonds UNCONFIRMED (in proportion)',
  ),
  row('2024-01-01', ['0.000166', '8.30'], '0.00279', ['0.00105', '1.05'], 'FINRA By-Laws, Schedule A, 2024'),
  row(
    '2023-01-01',
    ['0.000145', '7.27'],
    '0.00244',
    ['0.00092', '0.92'],
    'help.m1.com (shares), brokerage-review.com (options); bonds UNCONFIRMED',
  ),
  row(
    '2022-01-01',
    ['0.000130', '6.49'],
    '0.00218',
    ['0.00082', '0.82'],
    'SR-FINRA-2020-032, 85 FR 66592 (schedule of the years to 2024); its figures UNCONFIRMED, not seen printed',
  ),
  row(
    '2012-07-01',
    ['0.000119', '5.95'],
    '0.002',
    BONDS_UNTIL_2021,
    '77 FR 27527, FINRA rule flow chart (shares); day, options and bonds UNCONFIRMED',
  ),
  row('2012-03-01', ['0.000095', '4.75'], '0.002', BONDS_UNTIL_2021, 'FINRA Regulatory Notice 12-06'),
  row('2011-07-01', ['0.000090', '4.50'], '0.002', BONDS_UNTIL_2021, 'FINRA Regulatory Notice 11-27'),
  row('2005-04-01', ['0.000075', '3.75'], '0.002', BONDS_UNTIL_2021, 'NASD Notices to Members 04-84, 05-23'),
  row('2004-11-01', ['0.000075', '3.75'], '0.002', ['0', '0'], 'NASD Notice to Members 04-84'),
  {
    from: '0001-01-01',
    perShare: ZERO,
    shareCap: ZERO,
    perContract: ZERO,
    perBond: ZERO,
    bondCap: ZERO,
    source: 'not charged here',
  },
]

/** The rates for a trade date. */
export function tradingActivityRate(tradeDate: CalendarDate): TradingActivityRate {
  for (const rate of TRADING_ACTIVITY_RATES) if (tradeDate >= rate.from) return rate
  throw new RangeError(`no Trading Activity Fee rate for ${tradeDate}`)
}
