// Dates and identifiers of digits: each row has the sent value, and the read value or the error code.
import {
  accountNumber,
  birthDate,
  count,
  customerId,
  date,
  entityNumber,
  extension,
  knownAt,
  percent,
  phone,
  rangeDate,
  region,
  repCode,
  taxId,
} from '../../field.ts'
import { E, type Kinds, type Row, testKinds } from './test-rows.ts'

/** The last day of every month of a leap year, and the following day. */
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].flatMap((days, index): Row[] => {
  const month = `2024-${String(index + 1).padStart(2, '0')}`
  return [
    [`${month}-${days}`, `${month}-${days}`],
    [`${month}-${days + 1}`, E('ERR.1024')],
  ]
})

const kinds: Kinds = {
  'a date is a real calendar date': {
    kind: date(),
    rows: [
      ['2024-02-29', '2024-02-29'],
      ['2023-02-29', E('ERR.1024')],
      ['1900-02-29', E('ERR.1024')],
      ['2000-02-29', '2000-02-29'],
      ['1900-01-01', '1900-01-01'],
      ['2024-02-30', E('ERR.1024')],
      ...daysOfMonths,
      ['x2023-01-01', E('ERR.1024')],
      ['2023-04-31', E('ERR.1024')],
      ['2023-00-10', E('ERR.1024')],
      ['2023-13-01', E('ERR.1024')],
      ['2023-01-00', E('ERR.1024')],
      ['0000-00-00', E('ERR.1024')],
      ['1899-12-31', E('ERR.1024')],
      ['2023-1-1', E('ERR.1024')],
      ['20230101', E('ERR.1024')],
      ['01/31/2023', E('ERR.1024')],
      ['2023-01-01T00:00:00Z', E('ERR.1024')],
      ['2023-01-01 ', E('ERR.1024')],
      ['２０２３-01-01', E('ERR.1024')],
      ['+002023-01-01', E('ERR.1024')],
      [20230101, E('ERR.2002')],
    ],
  },
  'a birth date has a code of its own': {
    kind: birthDate(),
    rows: [
      ['1986-04-17', '1986-04-17'],
      ['1899-12-31', E('ERR.1012')],
      ['2023-02-30', E('ERR.1012')],
    ],
  },
  'a date of a range has one of three forms': {
    kind: rangeDate(),
    rows: [
      ['2025-01-31', '2025-01-31'],
      ['20250131', '2025-01-31'],
      ['01/31/2025', '2025-01-31'],
      ['0001-01-01', '0001-01-01'],
      ['0000-01-01', E('ERR.1024')],
      ['120250131', E('ERR.1024')],
      ['202501311', E('ERR.1024')],
      ['101/31/2025', E('ERR.1024')],
      ['01/31/20251', E('ERR.1024')],
      ['31/01/2025', E('ERR.1024')],
      ['1/31/2025', E('ERR.1024')],
      ['20250229', E('ERR.1024')],
      ['02/29/2023', E('ERR.1024')],
      ['yesterday', E('ERR.1024')],
    ],
  },
  'a phone number is 6 to 15 digits': {
    kind: phone(),
    rows: [
      ['201555', '201555'],
      ['123456789012345', '123456789012345'],
      ['12345', E('ERR.1011')],
      ['1234567890123456', E('ERR.1011')],
      ['(201) 555-0123', E('ERR.1011')],
      ['１２３４５６', E('ERR.1011')],
      [2015550123, E('ERR.2002')],
    ],
  },
  'a phone region is a calling code in use': {
    kind: region(),
    rows: [
      ['1', '1'],
      ['+44', '44'],
      ['01', E('ERR.1013')],
      ['999', E('ERR.1013')],
      ['++1', E('ERR.1013')],
      ['US', E('ERR.1013')],
    ],
  },
  'a phone extension is 1 to 5 digits': {
    kind: extension(),
    rows: [
      ['00123', '00123'],
      ['1', '1'],
      ['123456', E('ERR.1016')],
      ['x1', E('ERR.1016')],
    ],
  },
  'a tax id is 9 digits, and a masked tax id contains the last four': {
    kind: taxId(),
    rows: [
      ['219099998', '219099998'],
      ['*****9998', '*****9998'],
      ['****99998', E('ERR.1016')],
      ['*********', E('ERR.1016')],
      ['21909999', E('ERR.1016')],
      ['2190999980', E('ERR.1016')],
      ['x219099998', E('ERR.1016')],
      ['219-09-9998', E('ERR.1016')],
      [219099998, E('ERR.2002')],
    ],
  },
  'an account number is 8 letters or digits in either letter case': {
    kind: accountNumber(),
    rows: [
      ['ab12cd34', 'AB12CD34'],
      ['1234567', E('ERR.1016')],
      ['123456789', E('ERR.1016')],
      ['1234567!', E('ERR.1016')],
      ['12345678\n', E('ERR.1016')],
      [12345678, E('ERR.2002')],
      [['AAAAAAAA'], E('ERR.2002')],
    ],
  },
  'an entity number is 3 digits, or an integer whose leading zeros are restored': {
    kind: entityNumber(),
    rows: [
      ['007', '007'],
      [7, '007'],
      [301, '301'],
      [0, '000'],
      [999, '999'],
      [-0, E('ERR.1001')],
      ['0301', E('ERR.1001')],
      ['3010', E('ERR.1001')],
      ['7', E('ERR.1001')],
      ['3O1', E('ERR.1001')],
      [1000, E('ERR.1001')],
      [-1, E('ERR.1001')],
      [30.5, E('ERR.1001')],
      [true, E('ERR.2002')],
      [['301'], E('ERR.2002')],
    ],
  },
  'a rep code is 4 letters or digits': {
    kind: repCode(),
    rows: [
      ['jc01', 'JC01'],
      ['JC1', E('ERR.1002')],
      ['JC011', E('ERR.1002')],
      [1234, E('ERR.2002')],
    ],
  },
  'a customer id is 18 digits': {
    kind: customerId(),
    rows: [
      ['123456789012345678', '123456789012345678'],
      ['12345678901234567', E('ERR.1016')],
      ['1234567890123456789', E('ERR.1016')],
      ['x123456789012345678', E('ERR.1016')],
      ['123456789012345678x', E('ERR.1016')],
    ],
  },
  'a percentage is text from 0 to 100, read with two decimals': {
    kind: percent(),
    rows: [
      ['50', '50.00'],
      ['33.3', '33.30'],
      ['100', '100.00'],
      ['0', '0.00'],
      ['007.5', '7.50'],
      ['100.01', E('ERR.1015')],
      ['101', E('ERR.1015')],
      ['1000', E('ERR.1016')],
      ['33.333', E('ERR.1016')],
      ['-1', E('ERR.1016')],
      ['1e2', E('ERR.1016')],
      ['50%', E('ERR.1016')],
      ['.5', E('ERR.1016')],
      [50, E('ERR.2002')],
    ],
  },
  'a count is one or two digits': {
    kind: count(),
    rows: [
      ['0', '0'],
      ['02', '2'],
      ['100', E('ERR.1016')],
      ['-1', E('ERR.1016')],
    ],
  },
  'the date at which facts were known is now or a date': {
    kind: knownAt(),
    rows: [
      ['NOW', 'now'],
      ['2025-01-31', '2025-01-31'],
      ['2025-02-29', E('ERR.1024')],
      ['later', E('ERR.1024')],
    ],
  },
}

testKinds(kinds)
