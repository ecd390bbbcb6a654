/**
 * kill -9 of the service, every second time with its database, during the daily review of open accounts: when it asks
 * for renewals, when it restricts accounts that did not respond, and when it lifts the restrictions of those that did.
 * Interrupted work continues after a restart, and each follow-up, restriction and event exists once.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { closeFrom } from '../acceptance/close-of-day.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const lookEveryMs = 5
/** Generous: the machine of the tests may be busy. */
const doneWithinMs = 180_000

export function testKillsDuringYear(settings: { accounts: number; killsEach: number }): void {
  const { accounts, killsEach } = settings
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  const random = makeRandom(seed)
  let service: ServiceProcess
  let begin: number
  let numbers: string[] = []
  let kills = 0

  const dayIn = (days: number) => addDays(easternDay(new Date(begin)), days)
  const passport = (idExpiration: string) => ({
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber: 'P8812345', idLocation: 'US', idExpiration },
    },
  })
  async function count(sql: string): Promise<number> {
    return (await service.query(`select count(*)::integer as count from clearing.${sql}`)).rows[0].count
  }
  async function until(sql: string, isDone: (count: number) => boolean): Promise<void> {
    const deadline = Date.now() + doneWithinMs
    for (;;) {
      const found = await count(sql)
      if (isDone(found)) return
      assert.ok(Date.now() < deadline, `${found} of ${sql}: ${service.output().slice(-1_500)}`)
      await pause(lookEveryMs)
    }
  }
  /** Kills the service when a random number of changes is done, and starts it again. Does so `killsEach` times. */
  async function killAt(sql: string, all: number): Promise<void> {
    for (let kill = 0; kill < killsEach; kill += 1) {
      const at = random.whole(
        Math.floor((all * kill) / killsEach),
        Math.floor((all * (kill + 1)) / killsEach) - 1,
      )
      await until(sql, (found) => found > at)
      kills += 1
      await service.kill(kills % 2 === 0)
      await service.start()
    }
  }
  async function isAt(instant: Date): Promise<boolean> {
    const { data } = await service.alpha.sandbox.getClock({})
    return Date.parse(data.now) >= instant.getTime()
  }
  /** Any call may be interrupted. A set clock names an instant, so the call is repeated until the clock shows it. */
  async function moveTo(instant: Date): Promise<void> {
    const deadline = Date.now() + doneWithinMs
    for (;;) {
      const moved = await service.alpha.sandbox.setClock({ now: instant.toISOString() }).then(
        () => true,
        () => isAt(instant).catch(() => false),
      )
      if (moved) return
      assert.ok(Date.now() < deadline, 'the clock did not move')
      await pause(100)
    }
  }

  before(async () => {
    service = await makeServiceProcess()
    await service.start()
    await service.alpha.sandbox.freezeClock({})
    begin = Date.parse((await service.alpha.sandbox.getClock({})).data.now)
    const { data } = await service.alpha.openAccounts({
      accounts: Array.from({ length: accounts }, () =>
        applicationOf({
          ...passport(dayIn(1)),
          taxIdNumber: newTaxId(),
          occupation: 'Retired',
          trustedContact: { name: 'Sana Haddad', email: 'sana.haddad@example.com' },
        }),
      ) as never,
    })
    assert.equal(data.rejected, 0, JSON.stringify(data.results[0]))
    numbers = data.results.map(({ accountNumber }) => accountNumber)
    await until("account where status = 'Open'", (found) => found === accounts)
  })
  after(() => service?.dispose())

  describe(`killed ${3 * killsEach} times in the year of ${accounts} accounts (seed ${seed})`, {
    concurrency: 1,
  }, () => {
    test('while renewals of expired identification are requested', async () => {
      const asked = "renewal where kind = 'IdentityDocument' and state = 'Asked' and follow_up_id <> ''"
      const moved = moveTo(closeFrom(dayIn(2)))
      await killAt(asked, accounts)
      await moved
      await until(asked, (found) => found === accounts)
      assert.equal(await count('restriction'), 0)
    })

    test('while accounts that did not respond are restricted', async () => {
      const { rows } = await service.query('select max(due_on)::text as due from clearing.renewal')
      const moved = moveTo(closeFrom(addDays(rows[0].due, 1)))
      await killAt('restriction', 2 * accounts)
      await moved
      await until('restriction', (found) => found === 2 * accounts)
      assert.equal(await count("account where status = 'Restricted'"), accounts)
    })

    test('while restrictions are lifted', async () => {
      const ended = 'restriction where ended_at is not null'
      const patience = { retries: Number.MAX_SAFE_INTEGER, retryForMs: doneWithinMs }
      const updates = Promise.all(
        numbers.map((accountNumber) =>
          service.alpha.updateAccount(
            { accountNumber, primaryOwner: passport(dayIn(3_000)) } as never,
            patience,
          ),
        ),
      )
      await killAt(ended, accounts)
      await updates
      await until(ended, (found) => found === accounts)
    })

    test('each follow-up, restriction and event exists once, and the audit chains verify', async () => {
      const { rows } = await service.query(
        `select account_number, type, content ->> 'code' as code, coalesce(content ->> 'inForce', '') as in_force,
           count(*)::integer as count
         from clearing.logged_event where type in ('followup.opened', 'followup.expired', 'followup.accepted', 'account.restricted')
         group by 1, 2, 3, 4`,
      )
      for (const accountNumber of numbers) {
        const found = rows
          .filter((row) => row.account_number === accountNumber)
          .map(({ type, code, in_force, count: times }) => `${times} ${type} ${code} ${in_force}`.trim())
        assert.deepEqual(found.sort(), [
          '1 account.restricted MissingDocument false',
          '1 account.restricted MissingDocument true',
          '1 account.restricted MissingTaxForm true',
          '1 followup.accepted IdentityDocument',
          '1 followup.expired IdentityDocument',
          '1 followup.expired W9Certification',
          '1 followup.opened IdentityDocument',
          '1 followup.opened W9Certification',
        ])
        const { data } = await service.alpha.onboardingResult({ accountNumber })
        assert.deepEqual(
          data.followUps.map(({ code, status }) => `${code} ${status}`),
          ['W9Certification Expired', 'IdentityDocument Accepted'],
        )
        assert.deepEqual(
          data.findings.map(({ rule, effect }) => `${effect} ${rule}`),
          ['restrict UsOwnerCertified', 'ask IdentityDocumentCurrent'],
        )
      }
      assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
    })
  })
}
