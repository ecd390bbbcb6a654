import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SecurityKind } from '../security-kind.ts'
import { publishedCase } from '../test-published-case.ts'
import { addDays, type CalendarDate, dateOfDay, dayNumber, weekdayOf } from './day.ts'
import { isGoodFridayMorning } from './holidays.ts'
import oracles from './oracles.json' with { type: 'json' }
import {
  addMarketDays,
  isBankDay,
  isMarketDay,
  isSettlementDay,
  marketDaysBetween,
  previousMarketDay,
  regTPaymentDate,
  settlementCycleDays,
  settlementDate,
  settlementDayFrom,
} from './settlement.ts'

type Years = Record<string, CalendarDate[]>
interface Trades {
  tradeDates: CalendarDate[]
}

const KINDS: SecurityKind[] = ['Equity', 'Bond', 'Treasury', 'Agency', 'Fund', 'Option', 'IndexOption']
const dates = fc
  .integer({ min: dayNumber('1988-01-01'), max: dayNumber('2030-12-31') })
  .map((day) => dateOfDay(day))

function weekdaysOf(year: string): CalendarDate[] {
  const days: CalendarDate[] = []
  for (let date = `${year}-01-01`; date.startsWith(year); date = addDays(date, 1)) {
    if (![0, 6].includes(weekdayOf(dayNumber(date)))) days.push(date)
  }
  return days
}

/** Easter Sunday by Algorithm E of Knuth, The Art of Computer Programming, volume 1, section 1.3.2, exercise 14. */
function easterOf(year: number): CalendarDate {
  const golden = (year % 19) + 1
  const century = Math.floor(year / 100) + 1
  const skipped = Math.floor((3 * century) / 4) - 12
  const moon = Math.floor((8 * century + 5) / 25) - 5
  const sunday = Math.floor((5 * year) / 4) - skipped - 10
  let epact = (((11 * golden + 20 + moon - skipped) % 30) + 30) % 30
  if ((epact === 25 && golden > 11) || epact === 24) epact += 1
  let fullMoon = 44 - epact
  if (fullMoon < 21) fullMoon += 30
  return addDays(`${year}-03-01`, fullMoon + 7 - ((sunday + fullMoon) % 7) - 1)
}

describe('holidays', () => {
  test('the market is closed on Good Friday, two days before Easter Sunday', () => {
    assert.equal(easterOf(2026), '2026-04-05')
    for (let year = 1800; year <= 2299; year += 1) {
      assert.equal(isMarketDay(addDays(easterOf(year), -2)), false, `${year}`)
    }
  })

  test('the New York Stock Exchange is closed on the days that it published for 2024 to 2027 (CAL-NYSE)', () => {
    const { expected } = publishedCase<unknown, Years>(oracles, 'CAL-NYSE')
    for (const [year, closed] of Object.entries(expected))
      assert.deepEqual(
        weekdaysOf(year).filter((day) => !isMarketDay(day)),
        closed,
      )
  })

  const closedDays: [CalendarDate, string][] = [
    ['1988-01-01', "New Year's Day"],
    ['1989-03-24', 'an early Good Friday'],
    ['2008-03-21', 'the earliest Good Friday of a century'],
    ['2011-04-22', 'a late Good Friday'],
    ['2038-04-23', 'the latest possible Good Friday'],
    ['2049-04-16', 'Good Friday in a year whose Paschal moon is moved back'],
    ['2076-04-17', 'Good Friday in another such year'],
    ['2100-03-26', 'Good Friday in a year without a leap day'],
    ['2200-04-04', 'Good Friday two centuries on'],
    ['2285-03-20', 'the earliest possible Good Friday'],
    ['2299-04-14', 'Good Friday at the end of a century'],
    ['2300-04-06', 'Good Friday three centuries on'],
    ['2400-04-14', 'Good Friday four centuries on'],
    ['1988-02-15', "Washington's Birthday"],
    ['1988-04-01', 'Good Friday'],
    ['1998-01-19', 'the first Martin Luther King day of the exchange'],
    ['1999-12-24', 'Christmas on a Saturday'],
    ['2000-04-21', 'Good Friday'],
    ['2004-05-31', 'Memorial Day'],
    ['2022-06-20', 'the first Juneteenth of the exchange, on a Sunday'],
    ['2023-01-02', "New Year's Day on a Sunday"],
    ['2030-11-28', 'Thanksgiving'],
    ['1985-09-27', 'Hurricane Gloria'],
    ['1994-04-27', 'the funeral of President Nixon'],
    ['2001-09-11', 'the attack on the World Trade Center'],
    ['2001-09-12', 'the attack on the World Trade Center'],
    ['2001-09-13', 'the attack on the World Trade Center'],
    ['2001-09-14', 'the attack on the World Trade Center'],
    ['2004-06-11', 'mourning for President Reagan'],
    ['2007-01-02', 'mourning for President Ford'],
    ['2012-10-29', 'Hurricane Sandy'],
    ['2012-10-30', 'Hurricane Sandy'],
    ['2018-12-05', 'mourning for President Bush'],
    ['2025-01-09', 'mourning for President Carter'],
  ]
  for (const [date, why] of closedDays) {
    test(`the market is closed on ${date}: ${why}`, () => assert.equal(isMarketDay(date), false))
  }

  const openDays: [CalendarDate, string][] = [
    ['2020-06-19', 'Juneteenth 2020 was not yet a holiday'],
    ['1997-01-20', 'Martin Luther King day was not yet a holiday of the exchange'],
    ['1999-12-31', "New Year's Day 2000 was a Saturday and not observed"],
    ['2010-12-31', "New Year's Day 2011 was a Saturday and not observed"],
    ['2021-06-18', 'Juneteenth 2021 was not yet a holiday of the exchange'],
    ['2024-10-14', 'Columbus Day, a bank holiday only'],
    ['2024-11-11', 'Veterans Day, a bank holiday only'],
    ['2001-09-17', 'the reopening after the attack'],
  ]
  for (const [date, why] of openDays) {
    test(`the market is open on ${date}: ${why}`, () => assert.equal(isMarketDay(date), true))
  }

  test('the banks have ten or eleven holidays a year, and a holiday on a Saturday is not moved to Friday', () => {
    assert.deepEqual(
      weekdaysOf('2026').filter((day) => !isBankDay(day)),
      [
        ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-09-07', '2026-10-12'],
        ...['2026-11-11', '2026-11-26', '2026-12-25'],
      ],
    )
    assert.equal(isBankDay('2026-07-03'), true)
    assert.equal(isMarketDay('2026-07-03'), false)
    assert.equal(isBankDay('2027-07-05'), false)
    assert.equal(isBankDay('2025-01-09'), true)
    assert.equal(isBankDay('2026-11-28'), false, 'a Saturday')
    assert.equal(isBankDay('2020-06-19'), true, 'before Juneteenth was a holiday')
    assert.equal(isBankDay('2022-06-20'), false, 'the first Juneteenth, on a Sunday')
    assert.equal(isBankDay('2027-06-18'), true, 'Juneteenth 2027 is a Saturday')
    assert.equal(isBankDay('1985-01-21'), true, 'before Martin Luther King day')
    assert.equal(isBankDay('1986-01-20'), false, 'the first Martin Luther King day')
    assert.equal(isBankDay('1987-01-19'), false)
  })
})

describe('settlement', () => {
  for (const { id, topic } of oracles.cases.filter((one) => one.id.startsWith('SETTLE-NTM-'))) {
    test(`${id}: ${topic}`, () => {
      const { given, expected } = publishedCase<Trades, { settle: CalendarDate[]; regT: CalendarDate[] }>(
        oracles,
        id,
      )
      assert.deepEqual(
        given.tradeDates.map((date) => [settlementDate(date, 'Equity'), regTPaymentDate(date)]),
        expected.settle.map((settles, at) => [settles, expected.regT[at]]),
      )
    })
  }
  test('no security settles on a day on which the bond market is closed (CAL-SIFMA)', () => {
    const { expected } = publishedCase<unknown, Years>(oracles, 'CAL-SIFMA')
    for (const [year, closed] of Object.entries(expected)) {
      const without = weekdaysOf(year).filter((day) => !isSettlementDay(day, 'Treasury'))
      // In 2026 the bond market opens on Good Friday for the morning, and nothing settles. The exchange observes
      // Juneteenth 2027 and Christmas 2027 on the Friday before, as the bond market does; the banks do not.
      assert.deepEqual(without, year === '2026' ? [...closed, '2026-04-03'].sort() : closed)
    }
  })
  for (const id of ['SETTLE-IBKR-T2', 'SETTLE-T1-DERIVED', 'SETTLE-T3-DERIVED']) {
    test(`stocks settle on the published days (${id})`, () => {
      const { given, expected } = publishedCase<Trades, { settle: string[] }>(oracles, id)
      assert.deepEqual(
        given.tradeDates.map((date) => settlementDate(date, 'Equity')),
        expected.settle,
      )
    })
  }

  const table: [CalendarDate, SecurityKind, CalendarDate, string][] = [
    ['1995-06-01', 'Equity', '1995-06-08', 'five days'],
    ['1995-06-02', 'Equity', '1995-06-09', 'the last trade date of five days'],
    ['1995-06-05', 'Equity', '1995-06-09', 'four days from this trade date'],
    ['1995-06-06', 'Bond', '1995-06-12', 'bonds as stocks'],
    ['1995-06-07', 'Equity', '1995-06-12', 'three days from this trade date'],
    ['2017-09-01', 'Equity', '2017-09-07', 'three days over Labor Day'],
    ['2017-09-05', 'Equity', '2017-09-07', 'two days from this trade date'],
    ['2024-05-24', 'Equity', '2024-05-29', 'two days over Memorial Day'],
    ['2024-05-28', 'Equity', '2024-05-29', 'one day from this trade date'],
    ['2024-05-24', 'Bond', '2024-05-29', 'bonds as stocks'],
    ['2019-03-01', 'Option', '2019-03-04', 'options in one day'],
    ['2019-03-01', 'IndexOption', '2019-03-04', 'index options in one day'],
    ['2019-03-01', 'Fund', '2019-03-04', 'funds in one day'],
    ['2014-02-06', 'Treasury', '2014-02-07', 'government securities in one day'],
    ['2024-10-11', 'Option', '2024-10-15', 'Columbus Day is no settlement day'],
    ['2025-01-08', 'Equity', '2025-01-10', 'the exchange was closed on January 9, and the banks were open'],
    ['2025-01-08', 'Treasury', '2025-01-09', 'bonds settled on that day'],
    ['2025-01-08', 'Bond', '2025-01-09', 'bonds settled on that day'],
    ['2025-01-08', 'Option', '2025-01-10', 'options did not settle on that day'],
    ['2026-04-02', 'Treasury', '2026-04-06', 'Good Friday, when the bond market opened for the morning'],
    ['2026-04-02', 'Agency', '2026-04-06', 'agencies as Treasuries'],
    ['2026-04-03', 'Treasury', '2026-04-07', 'two days from a Good Friday with a morning of trading'],
    ['2026-04-03', 'Agency', '2026-04-07', 'agencies as Treasuries'],
    ['2026-04-03', 'Bond', '2026-04-06', 'other bonds in one day'],
    ['2026-04-06', 'Treasury', '2026-04-07', 'the day after it'],
    ['2010-04-02', 'Treasury', '2010-04-06', 'two days'],
    ['2015-04-03', 'Treasury', '2015-04-07', 'two days'],
    ['2021-04-02', 'Treasury', '2021-04-06', 'two days'],
    ['2023-04-07', 'Treasury', '2023-04-11', 'two days'],
    ['2025-01-08', 'Agency', '2025-01-09', 'agencies as Treasuries'],
    ['2012-04-06', 'Treasury', '2012-04-10', 'two days'],
    ['2024-03-29', 'Treasury', '2024-04-01', 'a Good Friday without trading'],
    ['2014-02-06', 'Agency', '2014-02-07', 'agencies as Treasuries'],
    ['2018-12-04', 'Treasury', '2018-12-06', 'no source shows that bonds settled on that day of mourning'],
    ['2024-06-01', 'Equity', '2024-06-03', 'a trade dated on a Saturday counts from that day'],
    ['2001-09-10', 'Equity', '2001-09-19', 'four days without a market'],
  ]
  for (const [tradeDate, kind, settles, why] of table) {
    test(`a trade of ${tradeDate} (${kind}) settles on ${settles}: ${why}`, () => {
      assert.equal(settlementDate(tradeDate, kind), settles)
    })
  }

  test('payment or a request for more time is due three business days after the trade, and four under T+2 (REGT-PAYMENT)', () => {
    assert.equal(regTPaymentDate('2026-03-02'), '2026-03-05')
    assert.equal(regTPaymentDate('2023-03-06'), '2023-03-10')
    assert.equal(regTPaymentDate('1995-06-06'), '1995-06-15', 'seven days until the rule was in force')
    assert.equal(regTPaymentDate('1995-06-07'), '1995-06-14', 'five days')
    assert.equal(regTPaymentDate('2025-10-10'), '2025-10-15', 'Columbus Day is a Regulation T business day')
    assert.equal(regTPaymentDate('2025-11-10'), '2025-11-13', 'Veterans Day is a Regulation T business day')
    assert.equal(
      regTPaymentDate('2026-11-25'),
      '2026-12-01',
      'Thanksgiving is not a Regulation T business day',
    )
  })

  test('every trade settles on a settlement day, as many settlement days later as its cycle has', () => {
    fc.assert(
      fc.property(dates, fc.constantFrom(...KINDS), (date, kind) => {
        const settles = settlementDate(date, kind)
        assert.ok(isSettlementDay(settles, kind))
        let between = 0
        for (let day = addDays(date, 1); day <= settles; day = addDays(day, 1)) {
          if (isSettlementDay(day, kind)) between += 1
        }
        assert.equal(between, settlementCycleDays(date, kind))
      }),
      { numRuns: 300 },
    )
  })

  test('a later trade never settles earlier, except after a Good Friday', () => {
    for (const kind of KINDS) {
      let previous = '0000-00-00'
      for (let date = '1990-01-01'; date <= '2030-12-31'; date = addDays(date, 1)) {
        const settles = settlementDate(date, kind)
        if (!isGoodFridayMorning(addDays(date, -1))) {
          assert.ok(settles >= previous, `${date} ${kind}`)
        }
        previous = settles
      }
    }
  })

  test('the payment period never ends before settlement', () => {
    fc.assert(
      fc.property(dates, (date) => {
        assert.ok(regTPaymentDate(date) >= settlementDate(date, 'Equity'), date)
      }),
    )
  })
})

test('a payment due on a day without settlement arrives on the next settlement day', () => {
  const arrivals = [
    ['2026-11-27', '2026-11-27'],
    ['2026-11-28', '2026-11-30'],
    // Columbus Day, a bank holiday with an open market, and Good Friday.
    ['2026-10-12', '2026-10-13'],
    ['2027-03-26', '2027-03-29'],
  ] as const
  for (const [due, arrives] of arrivals) assert.equal(settlementDayFrom(due), arrives)
})

describe('market days', () => {
  test('market days are counted without weekends and holidays', () => {
    assert.equal(addMarketDays('2026-11-25', 1), '2026-11-27')
    assert.equal(addMarketDays('2026-11-25', 0), '2026-11-25')
    assert.equal(marketDaysBetween('2026-11-25', '2026-11-30'), 2)
    assert.equal(marketDaysBetween('2026-11-25', '2026-11-25'), 0)
    assert.equal(marketDaysBetween('2026-11-25', '2026-11-20'), 0)
    assert.equal(previousMarketDay('2026-11-30'), '2026-11-27')
    assert.equal(previousMarketDay('2026-01-02'), '2025-12-31')
  })

  test('market days counted forward and back give the same number', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 30 }), (date, days) => {
        assert.equal(marketDaysBetween(date, addMarketDays(date, days)), days)
      }),
      { numRuns: 200 },
    )
  })
})
