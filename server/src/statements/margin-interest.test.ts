import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal } from '@clearing/domain/decimal'
import type { Part } from '../documents/forms/form.ts'
import type { MarginInterest } from '../store/margin-interest.ts'
import { marginInterestSections } from './margin-interest.ts'

function interest(ofDate: string, debit: string, rates: readonly string[], before?: string): MarginInterest {
  return {
    closeDate: before === undefined ? ofDate : '2026-11-30',
    ofDate,
    debit: decimal(debit),
    debitBefore: before === undefined ? undefined : decimal(before),
    rates: rates.map(decimal),
    interest: 0n,
  }
}

function rowsOf(all: readonly MarginInterest[]): string[] {
  const parts: readonly Part[] = marginInterestSections(all).flatMap((section) => section.parts)
  return parts.flatMap((part) => ('rows' in part ? part.rows.map(({ cells }) => cells.join(' ').trim()) : []))
}

test('nights on one debit at one rate are one row, and any difference begins another', () => {
  assert.deepEqual(marginInterestSections([]), [])
  assert.deepEqual(
    rowsOf([
      interest('2026-11-18', '36000', ['8.5']),
      interest('2026-11-19', '36000', ['8.5']),
      interest('2026-11-20', '36000', ['8.5', '8.5', '9']),
      interest('2026-11-24', '36000', ['9']),
      interest('2026-11-25', '36001', ['9']),
      interest('2026-11-18', '36000', ['8.5'], '72000'),
      interest('2026-11-19', '36000', ['8.5'], '0'),
    ]),
    [
      '2026-11-18 2026-11-21 4 36,000.00 8.5 34.00',
      '2026-11-22 2026-11-22 1 36,000.00 9 9.00',
      // No night of the 23rd.
      '2026-11-24 2026-11-24 1 36,000.00 9 9.00',
      '2026-11-25 2026-11-25 1 36,001.00 9 9.00',
      '2026-11-18 2026-11-18 1 36,000.00\ninstead of 72,000.00 8.5 -8.50',
      '2026-11-19 2026-11-19 1 36,000.00\ninstead of 0.00 8.5 8.50',
      'At 8.5 34.00',
      'At 9 27.00',
      'Total 61.00',
    ],
  )
})

test('one rate has no row of its own', () => {
  assert.deepEqual(rowsOf([interest('2026-11-18', '36000', ['8.5'])]), [
    '2026-11-18 2026-11-18 1 36,000.00 8.5 8.50',
    'Total 8.50',
  ])
})
