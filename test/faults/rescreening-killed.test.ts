/**
 * kill -9 of the service, in half of the rounds with its database, while a newly loaded list is compared with the names
 * of all open accounts. After a restart the comparison continues where it was, finds every name that was added to the
 * list, and finds none twice.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { until } from '../acceptance/calling.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

/** More than two portions. */
const accountsInAll = 450
const openedAtOnce = 50
const rounds = Number(process.env.KILL_ROUNDS ?? 2)
const namedEach = 15
/** The range of the random time between the response of the load and the kill. */
const killMs = [0, 400] as const

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const random = makeRandom(seed)

const syllables = 'ba de fi go hu ja ke li mo nu pa re si to vu wa xe yi zo chu'.split(' ')
function word() {
  return Array.from({ length: 4 }, () => random.pick(syllables)).join('')
}

interface Holder {
  readonly accountNumber: string
  readonly firstName: string
  readonly lastName: string
  readonly birthDate: string
}

let service: ServiceProcess
const holders: Holder[] = []
before(async () => {
  service = await makeServiceProcess()
  await service.start()
  while (holders.length < accountsInAll) {
    const persons = Array.from({ length: openedAtOnce }, () => ({
      firstName: word(),
      lastName: word(),
      birthDate: `${random.whole(1940, 1999)}-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
    }))
    const { data } = await service.alpha.openAccounts({
      accounts: persons.map((person) => applicationOf({ ...person, taxIdNumber: newTaxId() })) as never,
    })
    assert.equal(data.rejected, 0, JSON.stringify(data).slice(0, 500))
    persons.forEach((person, at) => {
      holders.push({ ...person, accountNumber: data.results[at]?.accountNumber ?? '' })
    })
  }
  await until(
    async () =>
      (await service.query("select count(*)::integer from clearing.account where status <> 'Open'")).rows[0]
        .count,
    (others) => others === 0,
  )
})
after(() => service?.dispose())

const nulls = Array(7).fill('-0- ').join(',')
function entry({ firstName, lastName, birthDate }: Holder, id: number) {
  return `${id},"${lastName.toUpperCase()}, ${firstName}","individual","TEST",${nulls},"DOB ${birthDate.slice(0, 4)}."\r\n`
}

async function running(): Promise<number> {
  return (await service.query('select count(*)::integer from clearing.rescreening where ended_at is null'))
    .rows[0].count
}

describe(`killed ${rounds} times while names are compared (seed ${seed})`, { concurrency: 1 }, () => {
  const named = new Map<string, number>()
  let interrupted = 0

  for (let round = 1; round <= rounds; round++) {
    test(`round ${round}: every name that was added to the list is found once`, async () => {
      const free = holders.filter(({ accountNumber }) => !named.has(accountNumber))
      const lines: string[] = []
      for (let at = 0; at < namedEach; at++) {
        const holder = free.splice(random.whole(0, free.length - 1), 1)[0] as Holder
        const id = round * 1_000 + at
        named.set(holder.accountNumber, id)
        lines.push(entry(holder, id))
      }
      // The first comparison cannot end before the kill, on any machine.
      const isHeld = round === 1
      if (isHeld) await service.query('begin; lock table clearing.screening_match in share mode')
      await service.operations.operations.loadWatchList({
        listName: `ROUND${round}`,
        lines: { csv: lines.join('') },
      })
      if (!isHeld) await pause(random.whole(...killMs))
      const withDatabase = round % 2 === 0
      await service.kill(withDatabase)
      const wasInterrupted = !withDatabase && (await running()) > 0
      if (isHeld) await service.query('commit')
      await service.start()
      if (wasInterrupted) interrupted += 1
      await until(running, (left) => left === 0)
      const { rows } = await service.query(
        `select account_number, array_agg(entry_id) as entries, count(restriction_id)::integer as restricting
         from clearing.screening_match group by account_number`,
      )
      assert.deepEqual(
        new Map(rows.map((row) => [row.account_number, row.entries.join()])),
        new Map([...named].map(([accountNumber, id]) => [accountNumber, String(id)])),
      )
      assert.ok(rows.every(({ restricting }) => restricting === 1))
    })
  }

  test('the kills came while accounts were left to compare', () => assert.ok(interrupted > 0))

  test('each account was compared once with each list and restricted once, and the chains verify', async () => {
    const { rows } = await service.query('select accounts, matches, restricted from clearing.rescreening')
    assert.ok(
      rows.every(({ accounts }) => accounts === accountsInAll),
      JSON.stringify(rows),
    )
    assert.ok(rows.every(({ matches, restricted }) => matches === namedEach && restricted === namedEach))
    const { rows: placed } = await service.query('select count(*)::integer from clearing.restriction')
    assert.equal(placed[0].count, rounds * namedEach)
    const notified = await service.query(
      "select count(*)::integer from clearing.logged_event where type = 'account.restricted'",
    )
    assert.equal(notified.rows[0].count, rounds * namedEach)
    assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
  })
})
