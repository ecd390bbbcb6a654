// Which numbers are in ranges of the Internal Revenue Service, and which belong to no person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAssignedEin, isItin, isPublishedNumber } from './tax-numbers.ts'

test('a number that was printed as an example is published, and the next number is not', () => {
  for (const number of ['078051120', '219099999', '457555462', '123456789', '987654329', '111223333']) {
    assert.ok(isPublishedNumber(number), number)
    assert.ok(!isPublishedNumber(String(Number(number) + 1).padStart(9, '0')), `after ${number}`)
  }
})

test('the numbers 987-65-4320 to 987-65-4329 are reserved for advertisements, although their group is that of an ITIN', () => {
  for (let last = 0; last <= 9; last++) assert.ok(isPublishedNumber(`98765432${last}`), `98765432${last}`)
  for (const number of ['987654319', '987654330', '987654199', '887654320'])
    assert.ok(!isPublishedNumber(number), number)
})

/** The fourth and fifth digits, from and to. */
const itinGroups = '50-65 70-88 90-92 94-99'
/** The first two digits, from and to. */
const einPrefixes = '01-06 10-16 20-27 30-48 50-68 71-77 80-88 90-95 98-99'

function isWithin(digits: string, runs: string): boolean {
  return runs.split(' ').some((run) => {
    const [from = '', to = from] = run.split('-')
    return digits >= from && digits <= to
  })
}
const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

test('an ITIN begins with 9 and has a group of the list', () => {
  for (const group of pairs) {
    assert.equal(isItin(`912${group}1234`), isWithin(group, itinGroups), group)
    assert.equal(isItin(`812${group}1234`), false, `8 and ${group}`)
  }
})

test('an EIN begins with an assigned prefix', () => {
  for (const prefix of pairs)
    assert.equal(isAssignedEin(`${prefix}1234567`), isWithin(prefix, einPrefixes), prefix)
})
