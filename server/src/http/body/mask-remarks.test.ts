import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskRemarks, maskTaxIds } from './mask-remarks.ts'

for (const [text, masked] of [
  ['SSN 219-09-9998 was confirmed', 'SSN ***-**-9998 was confirmed'],
  ['219 09 9998', '***-**-9998'],
  ['ssn_219_09_9998.pdf', 'ssn_***-**-9998.pdf'],
  ['card 219.09.9998.pdf', 'card ***-**-9998.pdf'],
  ['SSN_219099998.pdf', 'SSN_*****9998.pdf'],
  ['His tax id is 912701234, hers: TIN no. 912701235', 'His tax id is *****1234, hers: TIN no. *****1235'],
  ['219–09–9998 as a word processor writes it', '***-**-9998 as a word processor writes it'],
  ['219‑09‑9998, 219\u00a009\u00a09998', '***-**-9998, ***-**-9998'],
  ['EIN 12-3456789', 'EIN *****6789'],
  ['ein_123456789.png', 'ein_*****6789.png'],
  ['FEIN: 12–3456789', 'FEIN: *****6789'],
  ['Employer identification number 12-3456789', 'Employer identification number *****6789'],
  ['Tax identification no. 219099998', 'Tax identification no. *****9998'],
] as const)
  test(`a tax id in a text is masked: ${text}`, () => assert.equal(maskTaxIds(text), masked))

for (const text of [
  'Called 201-555-0123, and 2015550123',
  'Account 30100001, case 219099998',
  'From 2026-11-27 to 2026-12-01',
  'Order 1219-09-99981',
  'CUSIP 037833100 at 192.168.10.1024',
  'IBAN 219-09-9998-12',
  'Paid 100 20 3000 40',
  'Holstein 123456789, case 12-3456789',
  'EIN 12-34567890',
])
  test(`another number is not masked: ${text}`, () => assert.equal(maskTaxIds(text), text))

test('the masked members are named', () => {
  const request = { reason: 'SSN 219-09-9998', text: 'None.', accountNumber: '219-09-9998' }
  assert.deepEqual(maskRemarks(request), ['reason'])
  assert.deepEqual(request, { reason: 'SSN ***-**-9998', text: 'None.', accountNumber: '219-09-9998' })
})

test('a reason within another member is masked, and named by its path', () => {
  const request = { acceptOpen: { reason: 'SSN 219-09-9998' }, title: 'No tax id', description: null }
  assert.deepEqual(maskRemarks(request), ['acceptOpen.reason'])
  assert.equal(request.acceptOpen.reason, 'SSN ***-**-9998')
  assert.deepEqual(maskRemarks({ acceptOpen: null }), [])
})

test('reasons of the items of a list are masked, and named by their positions', () => {
  const request = { requests: [{ reason: 'A bill.' }, null, { reason: 'SSN 219-09-9998' }] }
  assert.deepEqual(maskRemarks(request), ['requests[2].reason'])
  assert.deepEqual(request.requests[2], { reason: 'SSN ***-**-9998' })
  assert.deepEqual(maskRemarks({ requests: 'none', acceptOpen: 1 }), [])
})
