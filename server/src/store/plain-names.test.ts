/**
 * Persons are found by their names without accents and by the last word of their last names, also those of earlier
 * releases.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { findAccounts } from './account-list.ts'
import { searchAllAccounts } from './account-search.ts'
import { fillParties } from './parties.ts'
import { plainLetters } from './plain-letters.ts'
import { anyAccount, anyOfFirm } from './testing/no-filter.ts'

const alpha = '00000000-0000-4000-8000-000000000301'
const persons = [
  ['JOSÉ', 'GARCÍA'],
  ['JOSE', 'GARCIA'],
  ['ŁUKASZ', 'WÓJCIK'],
  ['SØREN', 'ÅÆBELØ'],
  ['SEÁN', 'O’BRIEN'],
  ['MAEVE', 'O´KEEFE'],
  ['ИВАН', 'ЙОРДАНОВ'],
  ['ANA', 'NÚÑEZ DE LEÓN'],
  ['LUIS ALBERTO', 'PEREZ SOTO', 'JR'],
  ['MARIA ELENA', 'SOTO'],
  ['DAVID', 'בן-גוריון'],
  ['NÚRIA', 'GAL·LA'],
  ['EVA', 'MÜLLER-STRASSE'],
  ['LEA', "O'BRIEN-ŻÓŁĆ"],
  ['ANNE-MARIE', 'ST. JOHN'],
  ['ADA', 'GARCIARENA'],
] as const
const numbers = persons.map((_, at) => String(40000001 + at))

let ground: TestGround
before(async () => {
  ground = await prepareGround()
  await asSuperuser(async (session) => {
    await session.query(
      `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
         version, record, sealed, created_at, updated_at, opened_at)
       select number, $1, '301', 'JC01', 'Individual', 'Open', number, 1, '{}', '\\x', now(), now(), now() from unnest($2::text[]) as number`,
      [alpha, numbers],
    )
    await session.query(
      `insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first)
       select number, $1, '1' || lpad(number, 17, '0'), 'PrimaryOwner', name, last_first
       from unnest($2::text[], $3::text[], $4::text[]) as person (number, name, last_first)`,
      [
        alpha,
        numbers,
        persons.map((parts) => parts.join(' ')),
        persons.map(([first, last, ...suffix]) => [last, first, ...suffix].join(' ')),
      ],
    )
  })
})
after(() => ground?.[Symbol.asyncDispose]())

/** Without triggers on the rows, so that they can be those of an earlier release. */
async function asSuperuser(work: (session: pg.Client) => Promise<void>, triggers = true): Promise<void> {
  const session = await ground.database.superuser()
  if (!triggers) await session.query('set session_replication_role = replica')
  await work(session)
}

/** The persons that operations find by a text, and that their firm finds by it as a name. */
async function find(text: string): Promise<{ operations: string[]; firm: string[] }> {
  const byOperations = await inTransaction(ground.database.operations, { firm: null }, (tx) =>
    searchAllAccounts(
      tx,
      { ...anyAccount, text },
      { sortBy: 'accountNumber', descending: false, after: undefined, most: 51 },
    ),
  )
  const byFirm = await inTransaction(ground.database.app, { firm: alpha }, (tx) =>
    findAccounts(
      tx,
      alpha,
      { ...anyOfFirm, name: text },
      { sortBy: 'accountNumber', descending: false, backwards: false, from: undefined, most: 51 },
    ),
  )
  const personsOf = (rows: readonly { account_number: string }[]) =>
    rows.map(({ account_number }) => persons[numbers.indexOf(account_number)]?.join(' ') ?? account_number)
  return { operations: personsOf(byOperations), firm: personsOf(byFirm) }
}

const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['GARCIA', ['JOSÉ GARCÍA', 'JOSE GARCIA', 'ADA GARCIARENA']],
  ['GARCÍA', ['JOSÉ GARCÍA', 'JOSE GARCIA', 'ADA GARCIARENA']],
  ['GARCIA, JOSE', ['JOSÉ GARCÍA', 'JOSE GARCIA']],
  ['JOSÉ GARC', ['JOSÉ GARCÍA', 'JOSE GARCIA']],
  ['LUKASZ WOJ', ['ŁUKASZ WÓJCIK']],
  ['AAEBELO', ['SØREN ÅÆBELØ']],
  ['OBRIEN', ['SEÁN O’BRIEN', "LEA O'BRIEN-ŻÓŁĆ"]],
  ['OBRIEN ZOLC', ["LEA O'BRIEN-ŻÓŁĆ"]],
  ["O'BRIEN-ŻÓŁĆ, L", ["LEA O'BRIEN-ŻÓŁĆ"]],
  ['LEA OBRIEN-Z', ["LEA O'BRIEN-ŻÓŁĆ"]],
  ['MÜLLER STRASSE', ['EVA MÜLLER-STRASSE']],
  ['MULLER-STR', ['EVA MÜLLER-STRASSE']],
  ['MULLER-STRASSES', []],
  ['EVA MULLER STRASSE', ['EVA MÜLLER-STRASSE']],
  ['ANNE MARIE ST JOHN', ['ANNE-MARIE ST. JOHN']],
  ['NUNEZ-DE-LEON', ['ANA NÚÑEZ DE LEÓN']],
  ["O'BRIEN SEAN", ['SEÁN O’BRIEN']],
  ['O´KEEFE', ['MAEVE O´KEEFE']],
  ['ЙОРДАН', ['ИВАН ЙОРДАНОВ']],
  ['IVAN', []],
  ['\u0301', []],
  ['NUNEZ, ANA', ['ANA NÚÑEZ DE LEÓN']],
  ['NUNEZ DE, AN', ['ANA NÚÑEZ DE LEÓN']],
  ['NUNEZ, ADA', []],
  ['NUN, ANA', []],
  ['NUNEZ,', ['ANA NÚÑEZ DE LEÓN']],
  [', ANA', ['ANA NÚÑEZ DE LEÓN']],
  ['LEÓN', ['ANA NÚÑEZ DE LEÓN']],
  ['LEON, ANA', ['ANA NÚÑEZ DE LEÓN']],
  ['LEON ANN', []],
  ['SOTO', ['LUIS ALBERTO PEREZ SOTO JR', 'MARIA ELENA SOTO']],
  ['SOTO LUIS AL', ['LUIS ALBERTO PEREZ SOTO JR']],
  ['ALBERTO', []],
  ['ELENA', []],
  ['בן־גור', ['DAVID בן-גוריון']],
  ['גוריון', []],
  ['GAL·L', ['NÚRIA GAL·LA']],
  ['GAL・LA', ['NÚRIA GAL·LA']],
  ['GALLA', ['NÚRIA GAL·LA']],
  ['GALLA, NURIA', ['NÚRIA GAL·LA']],
  ['NURIA GALL', ['NÚRIA GAL·LA']],
]

for (const [text, found] of cases)
  test(`the text ${text} finds ${found.length} persons`, async () => {
    assert.deepEqual(await find(text), { operations: found, firm: found })
  })

test('a changed name is found by its new form only', async () => {
  const rename = (last: string) =>
    asSuperuser(async (session) => {
      await session.query(
        `update clearing.party set name = 'ADA ' || $2, last_first = $2 || ' ADA' where account_number = $1`,
        [numbers.at(-1), last],
      )
    })
  await rename('MUÑOZ')
  assert.deepEqual((await find('MUNOZ')).firm, ['ADA GARCIARENA'])
  await rename('GARCIARENA')
  assert.deepEqual((await find('MUNOZ')).firm, [])
  assert.deepEqual((await find('GARCIAR')).firm, ['ADA GARCIARENA'])
})

test('persons of earlier releases are found without accents after housekeeping', async () => {
  await asSuperuser(async (session) => {
    await session.query(
      'update clearing.party set name_plain = null, last_first_plain = null, last_word_first = null',
    )
  }, false)
  assert.deepEqual((await find('GARCIA JOSE')).firm, ['JOSE GARCIA'])
  // As they are written, they are found before it too.
  assert.deepEqual((await find('GARCÍA JOSÉ')).firm, ['JOSÉ GARCÍA', 'JOSE GARCIA'])
  assert.deepEqual((await find('ЙОРДАН')).firm, ['ИВАН ЙОРДАНОВ'])
  assert.deepEqual((await find('SOTO')).firm, ['MARIA ELENA SOTO'])
  while (await inTransaction(ground.database.operations, { firm: null }, fillParties));
  assert.deepEqual((await find('GARCIA JOSE')).firm, ['JOSÉ GARCÍA', 'JOSE GARCIA'])
  assert.deepEqual((await find('SOTO')).firm, ['LUIS ALBERTO PEREZ SOTO JR', 'MARIA ELENA SOTO'])
})

test('the service and the database agree on the plain form of every letter and mark', async () => {
  const letters: string[] = []
  for (let point = 0x80; point < 0xffff; point += 1) {
    const letter = String.fromCodePoint(point).toUpperCase().normalize('NFC')
    if (/(?!\p{ASCII})[\p{L}\p{M}\p{P}\p{S}]/u.test(letter)) letters.push(letter)
  }
  const names = letters.map((letter) => `A${letter}Z`)
  const rows = await inTransaction(ground.database.operations, { firm: null }, (tx) =>
    tx.rows(
      unprepared<{ name: string; plain: string }>(
        'select name, coalesce(clearing.plain_letters(name), name) as plain from unnest($1::text[]) as name',
      ),
      [names],
    ),
  )
  assert.ok(rows.length > 40_000)
  assert.deepEqual(
    rows.filter(({ name, plain }) => plain !== plainLetters(name)),
    [],
  )
})
