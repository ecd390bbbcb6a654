// Names in parts and as one text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beneficiaryName, fullName, lastNameFirst, namedInOne, splitName } from './name.ts'

test('a name in one field is divided into the first word, the last word and the words between', () => {
  for (const [name, parts] of [
    ['', {}],
    [' ', {}],
    ['NOOR', { firstName: 'NOOR' }],
    ['NOOR HADDAD', { firstName: 'NOOR', lastName: 'HADDAD' }],
    [' NOOR  HADDAD ', { firstName: 'NOOR', lastName: 'HADDAD' }],
    ['NOOR A HADDAD', { firstName: 'NOOR', middleName: 'A', lastName: 'HADDAD' }],
    ['NOOR A DE HADDAD', { firstName: 'NOOR', middleName: 'A DE', lastName: 'HADDAD' }],
    ['JOHN SMITH JR', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR' }],
    ['JOHN SMITH JR. ', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR.' }],
    ['JOHN SMITH, SR', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'SR' }],
    ['JOHN SMITH ,II', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'II' }],
    ['John Smith iv', { firstName: 'John', lastName: 'Smith', suffix: 'iv' }],
    ['JOHN Q. PUBLIC III', { firstName: 'JOHN', middleName: 'Q.', lastName: 'PUBLIC', suffix: 'III' }],
    ['HENRY TUDOR V', { firstName: 'HENRY', lastName: 'TUDOR', suffix: 'V' }],
    ['RAMESH K V', { firstName: 'RAMESH', middleName: 'K', lastName: 'V' }],
    ['RAMESH K. V.', { firstName: 'RAMESH', middleName: 'K.', lastName: 'V.' }],
    ['RAMESH K, V', { firstName: 'RAMESH', lastName: 'K', suffix: 'V' }],
    ['RAMESH K II', { firstName: 'RAMESH', lastName: 'K', suffix: 'II' }],
    ['SMITH JR', { firstName: 'SMITH', lastName: 'JR' }],
    ['SMITH, JR', { firstName: 'JR', lastName: 'SMITH' }],
    ['SMITH, JOHN', { firstName: 'JOHN', lastName: 'SMITH' }],
    [' SMITH , JOHN ', { firstName: 'JOHN', lastName: 'SMITH' }],
    ['SMITH, JOHN A. B', { firstName: 'JOHN', middleName: 'A. B', lastName: 'SMITH' }],
    ['VAN DER  BERG, JAN', { firstName: 'JAN', lastName: 'VAN DER BERG' }],
    ['SMITH, JOHN JR', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR' }],
    ['SMITH, JOHN, III', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'III' }],
    ['SMITH, JOHN V', { firstName: 'JOHN', middleName: 'V', lastName: 'SMITH' }],
    ['SMITH, JOHN, V', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'V' }],
    ['John Smith, Jr.', { firstName: 'John', lastName: 'Smith', suffix: 'Jr.' }],
    ['JOHN SMITH, M.D.', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'M.D.' }],
    ['JOHN SMITH, M. D.', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'M. D.' }],
    ['MARY LEE, MD', { firstName: 'MARY', lastName: 'LEE', suffix: 'MD' }],
    ['MARY ANN LEE, MD PhD', { firstName: 'MARY', middleName: 'ANN', lastName: 'LEE', suffix: 'MD PhD' }],
    ['MARY LEE, MD, PHD', { firstName: 'MARY', lastName: 'LEE', suffix: 'MD PHD' }],
    ['John Smith, Esq.', { firstName: 'John', lastName: 'Smith', suffix: 'Esq.' }],
    ['JOHN SMITH, JR., MD', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR. MD' }],
    ['JOHN SMITH JR, CPA', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR CPA' }],
    ['SMITH, JOHN, DDS', { firstName: 'JOHN', lastName: 'SMITH', suffix: 'DDS' }],
    ['Smith, Jr., John Q', { firstName: 'John', middleName: 'Q', lastName: 'Smith', suffix: 'Jr.' }],
    ['LEE, MD', { firstName: 'MD', lastName: 'LEE' }],
    ['MARY LEE MD', { firstName: 'MARY', middleName: 'LEE', lastName: 'MD' }],
    ['MARY LEE, ANN', { firstName: 'ANN', lastName: 'MARY LEE' }],
    ['SMITH,', { firstName: 'SMITH' }],
    ['JOHN SMITH,', { firstName: 'JOHN', lastName: 'SMITH' }],
    ['SMITH, , JOHN,', { firstName: 'JOHN', lastName: 'SMITH' }],
    [', JOHN', { firstName: 'JOHN' }],
    ['SMITH, JOHN, ANN', { firstName: 'JOHN', middleName: 'ANN', lastName: 'SMITH' }],
    ['JOHN SMITH VI', { firstName: 'JOHN', middleName: 'SMITH', lastName: 'VI' }],
    ['SMITH,JOHN', { firstName: 'JOHN', lastName: 'SMITH' }],
    ['JOHN MAJR', { firstName: 'JOHN', lastName: 'MAJR' }],
  ] as const)
    assert.deepEqual(splitName(name), parts, name)
})

test('the name of an organization in one field is not divided', () => {
  for (const relationship of ['Charity', 'Trust', 'Estate'])
    assert.deepEqual(namedInOne('AMERICAN RED CROSS', relationship), {
      nameType: 'Entity',
      firstName: 'AMERICAN RED CROSS',
    })
  for (const relationship of ['Trustee', 'Other', undefined])
    assert.deepEqual(namedInOne('NOOR A HADDAD', relationship), splitName('NOOR A HADDAD'))
})

test('a full name has its parts in order, without absent parts', () => {
  const whole = { firstName: 'NOOR', middleName: 'A', lastName: 'HADDAD', suffix: 'JR' }
  assert.equal(fullName(whole), 'NOOR A HADDAD JR')
  assert.equal(beneficiaryName(whole), 'NOOR A HADDAD JR')
  assert.equal(lastNameFirst(whole), 'HADDAD NOOR A JR')
  assert.equal(fullName({ firstName: 'NOOR', middleName: '', lastName: 'HADDAD' }), 'NOOR HADDAD')
  assert.equal(lastNameFirst({ firstName: 'NOOR', lastName: 'HADDAD' }), 'HADDAD NOOR')
  assert.equal(fullName({}), '')
})
