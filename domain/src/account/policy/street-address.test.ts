/** Which addresses are only a box, by country, kind of route and military address. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isBoxOnly, type StreetAddress } from './street-address.ts'

const boston: StreetAddress = { city: 'BOSTON', stateProvince: 'MA', country: 'US' }

describe('an address with only a street', () => {
  const table: [street: string, boxOnly: boolean][] = [
    ['PO  BOX 12', true],
    ['POST   OFFICE   BOX 9', true],
    ['POSTAL OFFICE BOX 9', true],
    ['APARTADO  POSTAL 55', true],
    ['APARTADO 55', true],
    ['CASILLA  DE  CORREO 100', true],
    ['CASILLA  POSTAL 100', true],
    ['CASILLA 100', true],
    ['CAIXA  POSTAL 100', true],
    ['BOITE  POSTALE 100', true],
    ['po box 12', true],
    ['POST  OFFICE  DRAWER 12', true],
    ['FIRM  CALLER 12', true],
    ['CALLER  BOX 12', true],
    ['lockbox 12', true],
    ['POST  OFFICE BOX', true],
    ['PO BOX  QQ', true],
    ['PO BOX OAK', false],
    ['po box qq', true],
    ['po box 12 apt 4', true],
    ['PO BOX 12 A', true],
    ['PO BOX 12 ST', false],
    ['RURAL  ROUTE 3 BOX 9', false],
    ['HIGHWAY  CONTRACT 3 BOX 9', false],
    ['STAR  ROUTE 12 BOX 9', false],
    ['RR #2 BOX 152', false],
    ['rr 2 box 152', false],
    ['RR 12 ', false],
    ['R.R. 2 BOX 152', false],
    ['r. r. 2 box 152', false],
    ['H.C. 1 BOX 7', false],
    ['H. C. 1 BOX 7', false],
    ['P.O. BOX 152 A.B.', true],
    ['STAR  ROUTE #12', false],
  ]
  for (const [street, boxOnly] of table) {
    test(`${street} is ${boxOnly ? 'only a box' : 'a place'}`, () => {
      assert.equal(isBoxOnly({ ...boston, street }), boxOnly)
    })
  }
  test('an address without any text is not a box', () => assert.equal(isBoxOnly({}), false))
})

describe('a box of the armed forces is an address, and another box is not', () => {
  const box = { street: 'BOX 4120', country: 'US' }
  const table: [string, StreetAddress, boxOnly: boolean][] = [
    ['of the state AA', { ...box, stateProvince: 'AA' }, false],
    ['of the state AE', { ...box, stateProvince: 'AE' }, false],
    ['of the state AP', { ...box, stateProvince: 'AP' }, false],
    ['of the state MA', { ...box, stateProvince: 'MA' }, true],
    ['at an APO', { ...box, city: 'APO' }, false],
    ['at an FPO', { ...box, city: 'FPO' }, false],
    ['at a DPO', { ...box, city: 'dpo' }, false],
    ['in a city', { ...box, city: 'BOSTON' }, true],
    ['of a PSC', { country: 'US', street: 'PSC 12 BOX 4120' }, false],
    ['of a unit in lower case', { country: 'US', street: 'unit 7 box 4120' }, false],
    ['of the state AE in another country', { ...box, stateProvince: 'AE', country: 'DE' }, true],
    ['at an APO of another country', { ...box, city: 'APO', country: 'PH' }, true],
    ['without a country', { street: 'BOX 4120', stateProvince: 'AE' }, true],
  ]
  for (const [why, address, boxOnly] of table) {
    test(`a box ${why} ${boxOnly ? 'is only a box' : 'is an address'}`, () =>
      assert.equal(isBoxOnly(address), boxOnly))
  }
})

const streets: [string, boolean][] = [
  ['PO BOX 12', true],
  ['P.O. BOX 12-B', true],
  ['P O BOX 1234', true],
  ['POST OFFICE BOX 9', true],
  ['POB 77', true],
  ['BOX 120', true],
  ['PO BOX #12', true],
  ['APARTADO POSTAL 55', true],
  ['POSTFACH 1234', true],
  ['PO BOX 12 APT 4', true],
  ['PO BOX 12, STE B', true],
  ['SUITE #200-A, PO BOX 12', true],
  ['PO BOX 12, STE MARIE RD', false],
  ['PO BOX 12, 34 MAIN ST APT 4', false],
  ['APT 4', false],
  ['PO BOX 12, 34 MAIN ST', false],
  ['34 MAIN ST PO BOX 12', false],
  ['12 MAIN ST', false],
  ['12 BOXWOOD LN', false],
  ['1 POBLADO AVE', false],
  ['PO BX 12', true],
  ['PO DRAWER 5', true],
  ['P.O. DRAWER 12', true],
  ['POST OFFICE DRAWER 12', true],
  ['DRAWER 12', true],
  ['LOCKBOX 12', true],
  ['LOCK BOX 12', true],
  ['CALLER 12', true],
  ['CALLER BOX 12', true],
  ['FIRM CALLER 12', true],
  ['BIN 12', true],
  ['PO BOX', true],
  ['PO BOX G', true],
  ['P.O. DRAWER QQ', true],
  ['POST OFFICE BOX', true],
  ['POST OFFICE LANE', false],
  ['12 DRAWER ST', false],
  ['34 MAIN ST DRAWER 12', false],
  ['CALLERY 12', false],
  ['RR 2 BOX 152', false],
  ['HC 1 BOX 7', false],
  ['RURAL ROUTE 3 BOX 9', false],
  ['', false],
]

streets.push(
  ['PO BOX 12 UNIT 4', true],
  ['UNIT 4 PO BOX 12', true],
  ['PO BOX 12 BLDG 2', true],
  ['PO BOX 12, BUILDING B', true],
  ['PO BOX 12 BLDG 2 APT 4', true],
  ['PO BOX 12 DEPT 7', true],
  ['PO BOX 12 LOT 4', true],
  ['PO BOX 12 SPC 9', true],
  ['PO BOX 12 TRLR C', true],
  ['P O BOX 12 NORTH STATION', true],
  ['PO BOX 12 GRAND CENTRAL STA.', true],
  ['PO BOX 12, STATION A', true],
  ['PO BOX 12 STN 42', true],
  ['PO BOX 12 DOWNTOWN BRANCH', true],
  ['C/O SMITH PO BOX 12', true],
  ['c/o John Smith, PO Box 12', true],
  ['PO BOX 12 C/O SMITH', true],
  ['CARE OF MARY JONES\nPO BOX 12', true],
  ['ATTN: ACCOUNTS, PO BOX 12', true],
  ['℅ SMITH PO BOX 12', true],
  ['C/O SMITH, 34 MAIN ST', false],
  ['C/O SMITH 34 MAIN ST PO BOX 12', false],
  ['C/O SMITH PO BOX 12, 34 MAIN ST', false],
  ['PO BOX 12 34 MAIN ST UNIT 4', false],
  ['PO BOX 12, 34 STATION RD', false],
  ['PO BOX 12, STATION ROAD', false],
  ['PO BOX 12, 4 UNION STATION', false],
  ['PO BOX 12, ROSE COTTAGE', false],
  ['PO BOX 12 LOT 4 PINE RIDGE PARK', false],
  ['BLDG 5 BOX 12 FORT HOOD', false],
  ['UNIT 2050 BOX 4190', false],
  ['BOX CANYON RD 12', false],
  ['12 BOX CANYON RD UNIT 4', false],
  ['UNIT 4, 12 BOX ELDER RD', false],
  ['RR 2 BOX 152 UNIT 4', false],
  ['RURAL ROUTE 3 BOX 9 BLDG 2', false],
  ['HC 1 BOX 7 LOT 3', false],
  ['C/O SMITH, RR 2 BOX 152', false],
  ['STATION A', false],
  ['C/O SMITH', false],
)

for (const [text, box] of streets) {
  test(`"${text}" is ${box ? 'only a box' : 'a place'}`, () => {
    assert.equal(isBoxOnly({ street: text, city: 'BOSTON', stateProvince: 'MA', country: 'US' }), box)
  })
}

describe('a box of another country', () => {
  const boxes: [country: string, street: string][] = [
    ['NL', 'Postbus 12'],
    ['BE', 'POSTBUS NR. 12'],
    ['ZA', 'Posbus 12'],
    ['ZA', 'Privaatsak X5'],
    ['ZA', 'PRIVATE BAG X12'],
    ['NZ', 'Private Bag 12'],
    ['AU', 'Locked Bag 5'],
    ['AU', 'GPO Box 12'],
    ['AU', 'G.P.O. Box 12'],
    ['NG', 'PO Bag 4'],
    ['IT', 'Casella Postale 4'],
    ['IT', 'C.P. 44'],
    ['IT', 'CP 44'],
    ['CH', 'Case postale 44'],
    ['NO', 'Postboks 3'],
    ['NO', 'PB 12'],
    ['NO', 'P.B. 12'],
    ['PL', 'Skrytka pocztowa 5'],
    ['PL', 'skr. poczt. 5'],
    ['ES', 'Apartado de Correos 9'],
    ['ES', 'Apdo. 22'],
    ['MX', 'APDO. POSTAL 22'],
    ['CO', 'Apartado Aéreo 22'],
    ['ES', 'Apartat de correus 9'],
    ['PT', 'Apartado 9'],
    ['BR', 'Caixa Postal 9'],
    ['FR', 'Boîte Postale 9'],
    ['FR', 'BP 9'],
    ['DE', 'Postfach 9'],
    ['DE', 'PF 9'],
    ['FI', 'PL 9'],
    ['HU', 'Postafiók 9'],
    ['TR', 'Posta Kutusu 9'],
    ['HR', 'Poštanski pretinac 9'],
    ['SI', 'Poštni predal 9'],
    ['SK', 'Poštový priečinok 9'],
    ['CZ', 'Poštovní přihrádka 9'],
    ['IS', 'Pósthólf 9'],
    ['RO', 'Căsuța poștală 9'],
    ['KZ', 'а/я 9'],
  ]
  for (const [country, street] of boxes)
    test(`${street} in ${country} is only a box`, () => {
      assert.equal(isBoxOnly({ street, city: 'UTRECHT', country }), true)
      const beside = `${street}, Kerkstraat 4`
      assert.equal(isBoxOnly({ street: beside, city: 'UTRECHT', country }), false)
    })

  const places: [country: string, street: string][] = [
    ['US', '12 Private Road'],
    ['US', 'Private Road 12'],
    ['US', '12 Casella Lane'],
    ['US', 'BP Street 12'],
    ['US', '12 Locked Gate Road'],
    ['US', 'Postboks Lane 3'],
    ['NL', 'Postbusweg 12'],
    ['NL', 'Oude Postbus 12'],
    ['IT', 'Via Casella 4'],
    ['ES', 'Calle del Apartado 9'],
    ['IN', 'CP-12'],
    ['IN', 'PB 12'],
    ['DE', 'Q 7, 24'],
    ['PL', 'pl. Wolności 12'],
    ['PL', 'PL 12'],
    ['NO', 'PBS 12'],
    ['BR', 'Avenida Brasil 12 C.P. 44'],
    ['AU', '12 Bag Street'],
  ]
  for (const [country, street] of places)
    test(`${street} in ${country} is a place`, () =>
      assert.equal(isBoxOnly({ street, city: 'UTRECHT', country }), false))
})

test('a station is a post office only in the United States and Canada', () => {
  const street = 'PO BOX 12, THE OLD STATION'
  for (const [country, boxOnly] of [
    ['US', true],
    ['CA', true],
    ['GB', false],
  ] as const)
    assert.equal(isBoxOnly({ street, city: 'WESTON', country }), boxOnly, country)
})

test('the box of a member of the armed forces is an address', () => {
  assert.equal(
    isBoxOnly({ street: 'PSC 3 BOX 4120', city: 'APO', stateProvince: 'AE', country: 'US' }),
    false,
  )
  assert.equal(isBoxOnly({ street: 'BOX 4120', city: 'FPO', stateProvince: 'AP', country: 'US' }), false)
})

test('an address of any text is judged without a fault', () => {
  const part = fc.constantFrom(
    'PO ',
    'BOX ',
    '1',
    '-',
    'A',
    ' ',
    'POST ',
    '.',
    'B.P.',
    '#',
    'C/O ',
    'STATION ',
    'UNIT ',
    ',',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      isBoxOnly({ street: parts.join('') })
    }),
  )
})
