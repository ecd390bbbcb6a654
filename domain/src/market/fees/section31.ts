/**
 * The SEC's Section 31 fee on sales of exchange-listed stocks and of options on them, by trade date (the charge date).
 * Rates per million dollars of covered sales, from the SEC's fee rate advisories and orders (15 U.S.C. 78ee).
 */

import { type Decimal, decimal } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'

export interface Section31Rate {
  /** First trade date at the rate. */
  readonly from: CalendarDate
  /** US dollars for a million dollars of sales. */
  readonly perMillion: Decimal
  readonly source: string
}

function row(from: CalendarDate, perMillion: string, source: string): Section31Rate {
  return {
    from,
    perMillion: decimal(perMillion),
    source,
  }
}

const ADVISORIES = 'SEC fee rate advisories, list kept by traderstatus.com'
const ADVISORIES_QUOTED = 'SEC fee rate advisories, list of traderstatus.com as quoted elsewhere'
/**
 * A later notice names the rate as the previous one. The day follows from the statute, which counts from the
 * appropriation.
 */
const RATE_PRINTED_LATER =
  'rate printed in a later FINRA notice; day reckoned from the appropriation, not seen printed'

/** Newest first. The oldest rate is the statute's one three-hundredth of one percent. */
export const SECTION_31_RATES: readonly Section31Rate[] = [
  row(
    '2026-04-04',
    '20.60',
    '91 FR 10643 (order); rate and day: brokers and others quoting SEC advisory 2026-2',
  ),
  row('2025-05-14', '0', 'FINRA Information Notice 4/24/25'),
  row('2024-05-22', '27.80', 'SEC fee rate advisory for fiscal year 2024; 89 FR 29402 (order)'),
  row(
    '2023-02-27',
    '8.00',
    '88 FR 5051 (order); rate: ftfnews.com; day: list of traderstatus.com as quoted elsewhere',
  ),
  row('2022-05-14', '22.90', ADVISORIES_QUOTED),
  row('2021-02-25', '5.10', 'SEC Fee Rate Advisory #2 for fiscal year 2021'),
  row('2020-02-18', '22.10', 'FINRA Information Notice 2/3/20'),
  row('2019-04-16', '20.70', ADVISORIES_QUOTED),
  row('2018-05-22', '13.00', 'FINRA Information Notice 5/7/18'),
  row('2017-07-04', '23.10', 'SEC Fee Rate Advisory for fiscal year 2017'),
  row(
    '2016-02-16',
    '21.80',
    'rate: FINRA Information Notice 3/15/16; day: list of traderstatus.com as quoted elsewhere',
  ),
  row(
    '2015-02-14',
    '18.40',
    '80 FR 2978 (order for fiscal year 2015); rate and day UNCONFIRMED, not seen printed',
  ),
  row('2014-03-18', '22.10', 'FINRA Information Notice 3/3/14'),
  row('2013-05-25', '17.40', RATE_PRINTED_LATER),
  row('2012-04-01', '22.40', 'rate: SEC press release 2012-232; day not seen printed'),
  row('2012-02-21', '18.00', 'SEC Fee Rate Advisory #5 for fiscal year 2012, quoted by law firms'),
  row('2011-01-21', '19.20', 'SEC press release 2010-255'),
  row('2010-04-01', '16.90', 'FINRA Information Notice 3/10/10'),
  row('2010-01-15', '12.70', 'SEC press release 2009-270, quoted by law firms; 2009-100'),
  row('2009-04-10', '25.70', RATE_PRINTED_LATER),
  row('2008-04-01', '5.60', 'FINRA Information Notice 3/10/08'),
  row('2008-01-25', '11.00', 'rate: SEC press release 2007-89; day not seen printed'),
  row(
    '2007-03-17',
    '15.30',
    'rate: SEC press releases 2006-194, 2007-89; day: thirty days after the appropriation, not seen printed',
  ),
  row('2005-12-22', '30.70', ADVISORIES),
  row('2005-04-01', '41.80', ADVISORIES),
  row('2005-01-07', '32.90', ADVISORIES),
  row('2004-04-01', '23.40', ADVISORIES),
  row('2004-02-22', '39.00', ADVISORIES),
  row('2003-04-01', '46.80', 'NASD Member Alert 3/3/03'),
  row('2003-03-22', '25.20', 'NASD Member Alert 3/3/03'),
  row('2002-04-01', '30.10', ADVISORIES),
  row('2001-12-28', '15.00', ADVISORIES),
  row('0001-01-01', '33.3333333333', 'Securities Exchange Act 1934, section 31: 1/300 of one percent'),
]

/** The rate for a trade date. */
export function section31Rate(tradeDate: CalendarDate): Section31Rate {
  for (const rate of SECTION_31_RATES) if (tradeDate >= rate.from) return rate
  throw new RangeError(`no Section 31 rate for ${tradeDate}`)
}
