import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal } from '@clearing/domain/decimal'
import { parseConcentration } from './concentration.ts'

test('tiers of concentration are ascending shares of equity, each with its add-on', () => {
  assert.deepEqual(parseConcentration('60=10, 100=25.5'), [
    { sharePercent: decimal('60'), addOnPercent: decimal('10') },
    { sharePercent: decimal('100'), addOnPercent: decimal('25.5') },
  ])
  for (const text of [
    '',
    '60',
    '60=',
    '=10',
    '60=-1',
    '0=10',
    '60=10,60=20',
    '60=10,50=20',
    '60=10=1',
    '60=x',
    '60=10,',
  ])
    assert.equal(parseConcentration(text), undefined, text)
})
