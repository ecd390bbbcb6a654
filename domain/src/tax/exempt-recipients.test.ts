import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TaxedSecurity } from './covered.ts'
import { exemptRecipientOf } from './exempt-recipients.ts'
import { stock } from './test-form.ts'

const option: TaxedSecurity = { ...stock, kind: 'Option' }

describe('a corporation', () => {
  const corporation = exemptRecipientOf('Corporation')
  test('has forms of covered securities that it acquired since 2012', () => {
    assert.equal(corporation.isWhole, false)
    assert.equal(corporation.hasForm(stock, '2011-12-31', true), false, 'covered, but acquired before')
    assert.equal(corporation.hasForm(stock, '2012-01-01', true), true)
    assert.equal(corporation.hasForm(stock, '2012-01-02', true), true)
  })
  test('has none of securities that are not covered', () => {
    assert.equal(corporation.hasForm(stock, '2012-01-01', false), false, 'of unknown cost')
    // Options are covered since 2014.
    assert.equal(corporation.hasForm(option, '2013-12-31', true), false)
    assert.equal(corporation.hasForm(option, '2014-01-01', true), true)
  })
})

for (const type of ['IraTraditional', 'IraRoth', 'IraSep'])
  test(`${type} has no forms`, () => {
    const recipient = exemptRecipientOf(type)
    assert.equal(recipient.isWhole, true)
    assert.equal(recipient.hasForm(stock, '2020-01-02', true), false)
  })

for (const type of ['Individual', 'Trust', 'LimitedLiabilityCompany', 'unknown'])
  test(`${type} is not exempt`, () => {
    const recipient = exemptRecipientOf(type)
    assert.equal(recipient.isWhole, false)
    assert.equal(recipient.hasForm(stock, '2000-01-03', false), true)
  })
