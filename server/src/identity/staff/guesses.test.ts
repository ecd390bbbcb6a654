/** The networks by which wrong guesses are counted, and guesses that are made at the same time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../database/transaction.ts'
import { readGuesses } from '../../store/counted-guesses.ts'
import { prepareGround } from '../test-service.ts'
import { isEmail } from './email.ts'
import { networkOf, takeGuess } from './guesses.ts'

const table: readonly [address: string, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
]
for (const [address, network] of table)
  test(`${address} belongs to the network ${network}`, () => assert.equal(networkOf(address), network))

test('of guesses that are made at the same time, only the free ones are checked', async () => {
  await using ground = await prepareGround()
  const now = ground.clock.now()
  const guess = (email: string) =>
    inTransaction(ground.database.operations, { firm: null }, (tx) => takeGuess(tx, email, '192.0.2.7', now))
  const emails = ['ann@example.com', 'Bob@example.com']
  const waits = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(emails[at % 2] ?? '')))
  assert.equal(waits.filter((seconds) => seconds === 0).length, 10)
})

const typedByStrangers = [
  'ann@example.com from 192.0.2.7',
  '["Person in network","ann@example.com","192.0.2.7"]',
  'network 192.0.2.7',
  '["Network","192.0.2.7"]',
]
for (const text of typedByStrangers)
  test(`guesses elsewhere with the text ${text} do not slow a person down`, async () => {
    await using ground = await prepareGround()
    const now = ground.clock.now()
    const take = (email: string | undefined, address: string) =>
      inTransaction(ground.database.operations, { firm: null }, (tx) => takeGuess(tx, email, address, now))
    assert.equal(isEmail(text), false)
    for (let number = 0; number < 45; number++) {
      await take(text, `2001:db8:1:${number % 9}::1`)
      await take(undefined, `2001:db8:1:${number % 9}::1`)
    }
    assert.equal(await take('Ann@example.com', '192.0.2.7'), 0)
    const { failures } = await inTransaction(ground.database.operations, { firm: null }, (tx) =>
      readGuesses(tx, ['Network', '192.0.2.7'], new Date(0)),
    )
    assert.equal(failures, 1)
  })

test('a text that is no e-mail address counts for its network only', async () => {
  await using ground = await prepareGround()
  const now = ground.clock.now()
  const take = () =>
    inTransaction(ground.database.operations, { firm: null }, (tx) =>
      takeGuess(tx, undefined, '192.0.2.7', now),
    )
  for (let number = 0; number < 200; number++) assert.equal(await take(), 0)
  assert.equal(await take(), 1)
})

const emails: readonly [text: string, is: boolean][] = [
  ['ann@example.com', true],
  [`${'a'.repeat(58)}@example.com`, true],
  [`${'a'.repeat(59)}@example.com`, false],
  ['ann@example.com from 192.0.2.7', false],
  ['ann@example.com\0', false],
  ['ann', false],
  ['', false],
]
for (const [text, is] of emails)
  test(`${JSON.stringify(text)} is ${is ? 'an' : 'no'} e-mail address`, () => assert.equal(isEmail(text), is))

const limited: readonly {
  readonly what: string
  readonly free: number
  readonly longestSeconds: number
  readonly from: (number: number) => readonly [email: string, address: string]
}[] = [
  {
    what: 'for one e-mail address from one network',
    free: 5,
    longestSeconds: 900,
    from: () => ['ann@example.com', '192.0.2.7'],
  },
  {
    what: 'for one e-mail address from all networks',
    free: 50,
    longestSeconds: 300,
    from: (number) => ['ann@example.com', `192.0.2.${number % 256}`],
  },
  {
    what: 'for all e-mail addresses from one network',
    free: 200,
    longestSeconds: 60,
    from: (number) => [`person${number}@example.com`, '192.0.2.7'],
  },
]
for (const { what, free, longestSeconds, from } of limited)
  test(`after ${free} wrong guesses ${what}, each wait is twice the previous one, up to ${longestSeconds} seconds`, async () => {
    await using ground = await prepareGround()
    let at = ground.clock.now().getTime()
    const take = ([email, address]: readonly [string, string]) =>
      inTransaction(ground.database.operations, { firm: null }, (tx) =>
        takeGuess(tx, email, address, new Date(at)),
      )
    const waits: number[] = []
    for (let number = 1; number <= free + 12; number++) {
      const seconds = await take(from(number))
      waits.push(seconds)
      at += seconds * 1_000
      if (seconds > 0) assert.equal(await take(from(number)), 0)
    }
    assert.deepEqual(waits.slice(0, free), new Array(free).fill(0))
    assert.deepEqual(
      waits.slice(free),
      Array.from({ length: 12 }, (_, number) => Math.min(longestSeconds, 2 ** number)),
    )
  })
