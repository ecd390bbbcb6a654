/**
 * The audit trail: every write adds its row, the chain verifies, and one changed byte is found and reported with its
 * row.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { repetitions } from '../repetitions.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, refusalOf, rejectionsOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const alpha = '00000000-0000-4000-8000-000000000301'
async function verify() {
  return (await service.operations.operations.verifyAudit({})).data
}
async function rowsOf(accountNumber: string) {
  return (
    await service.query(
      'select actor, action, trace_id, detail from clearing.audit where account_number = $1 order by sequence',
      [accountNumber],
    )
  ).rows
}

describe('every write', () => {
  test('adds a row with actor, action and trace of the call; a refused write adds none', async () => {
    const { data, traceId } = await service.alpha.newAccount(applicationFor('Individual'))
    assert.ok('message' in data)
    const { accountNumber } = data.message
    await follow(service.alpha, accountNumber)
    const count = (await rowsOf(accountNumber)).length
    const [first] = await rowsOf(accountNumber)
    assert.deepEqual([first.actor, first.action, first.trace_id], ['alpha', 'new-account', traceId])
    const change = await service.alpha.updateAccount({
      accountNumber,
      primaryOwner: { jobTitle: 'Clerk', birthDate: '1986-04-18' },
    })
    const changed = (await rowsOf(accountNumber)).at(-1)
    assert.deepEqual(
      [changed.actor, changed.action, changed.trace_id],
      ['alpha', 'update-account', change.traceId],
    )
    const detail = JSON.parse(changed.detail)
    assert.deepEqual(detail, [
      { field: 'primaryOwner.birthDate', from: '****-**-**', to: '****-**-**' },
      { field: 'primaryOwner.jobTitle', to: 'CLERK' },
    ])
    await rejectionsOf(service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: '' } }))
    assert.equal((await rowsOf(accountNumber)).length, count + 1)
    await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      accountNumber,
      file: { name: 'bill.pdf', content: samplePdf() },
    })
    assert.equal((await rowsOf(accountNumber)).at(-1).action, 'add-document')
    assert.equal((await rowsOf(accountNumber)).length, count + 2)
  })

  test('of the service that takes several steps at once adds one row, which lists them', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    const [, work, ...others] = await rowsOf(accountNumber)
    assert.deepEqual([work.actor, work.action, others], ['service', 'onboarding.stage-ended', []])
    const { from, to, steps } = JSON.parse(work.detail)
    assert.deepEqual([from, to], ['Submitted', 'CreationComplete'])
    assert.deepEqual(
      steps.map(({ step, to }: { step: string; to: string }) => [step, to]),
      [
        ['work-began', 'Screening'],
        ['IdentityCheck', 'Screening'],
        ['WatchlistCheck', 'AccountCreation'],
        ['AccountCreation', 'AccountCreation'],
        ['MailingAddress', 'AccountCreation'],
        ['TrustedContact', 'AccountCreation'],
        ['ElectronicDelivery', 'CreationComplete'],
      ],
    )
    const { rows } = await service.query(
      'select from_state, to_state from clearing.onboarding_transition where account_number = $1 order by step',
      [accountNumber],
    )
    assert.deepEqual(
      rows.map(({ from_state, to_state }) => `${from_state} to ${to_state}`),
      ['Submitted to Screening', 'Screening to AccountCreation', 'AccountCreation to CreationComplete'],
    )
  })

  test('of operations is in the chain of the firm that it concerns', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
    await follow(service.alpha, accountNumber)
    await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
    const decided = (await rowsOf(accountNumber)).find(({ action }) => action === 'onboarding.approved')
    assert.equal(decided?.actor, 'operations')
  })
})

/** The number of calls while the firm writes. */
const looks = Number(process.env.AUDIT_LOOKS ?? repetitions(60, 200))
const writers = 4

describe('the chain', () => {
  test('raises no alarm while the firm writes', async () => {
    let over = false
    const write = async () => {
      const asked = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' } as const
      while (!over) await service.alpha.accountNumber(asked)
    }
    const before = await verify()
    const writing = Promise.all(Array.from({ length: writers }, write))
    writing.catch(() => {})
    try {
      for (let look = 1; look <= looks; look += 1) {
        const { verified, firms } = await verify()
        assert.equal(verified, true, `look ${look}: ${JSON.stringify(firms)}`)
      }
    } finally {
      over = true
      await writing
    }
    const rows = ({ firms }: Awaited<ReturnType<typeof verify>>) =>
      firms.find(({ firmId }) => firmId === alpha)?.rows ?? 0
    assert.ok(rows(await verify()) > rows(before) + looks / 10, 'the firm wrote meanwhile')
  })

  test('verifies after many concurrent writes', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () => openAndFollow(service.alpha, applicationFor('Individual'))),
    )
    const { verified, firms } = await verify()
    assert.equal(verified, true)
    assert.ok(firms.some(({ rows }) => rows > 100))
    for (const { firstBreak, head } of firms) {
      assert.equal(firstBreak, null)
      assert.match(head, /^([0-9a-f]{64})?$/)
    }
    const { data: one } = await service.operations.operations.verifyAudit({ firmId: firms[0]?.firmId ?? '' })
    assert.equal(one.firms.length, 1)
    // A mistyped id must not look verified.
    const none = service.operations.operations.verifyAudit({ firmId: '0198b4e2-0000-7000-8000-000000000000' })
    assert.ok((await refusalOf(none)).has('ERR.2013'))
  })

  /** Changes that a superuser of the database can make, and the row in which each shows. */
  const crimes: [what: string, sql: string, firstBreak: number][] = [
    ['one byte of a detail', "set detail = overlay(detail placing '#' from 2 for 1) where sequence = 17", 17],
    ['who acted', "set actor = 'somebody' where sequence = 40", 40],
    ['when', "set at = at + interval '1 microsecond' where sequence = 3", 3],
    ['a hash', "set hash = sha256('x') where sequence = 25", 25],
    ['a link', "set previous_hash = sha256('x') where sequence = 26", 26],
  ]
  const inDisguise = async (sql: string, body: () => Promise<void>) => {
    await service.query('create table public.kept as select * from clearing.audit')
    await service.query('create table public.kept_head as select * from clearing.audit_head')
    await service.query(sql)
    try {
      await body()
    } finally {
      await service.query(`delete from clearing.audit; insert into clearing.audit select * from public.kept;
        delete from clearing.audit_head; insert into clearing.audit_head select * from public.kept_head;
        drop table public.kept; drop table public.kept_head`)
    }
    assert.equal((await verify()).verified, true)
  }
  const breakOf = async () => (await verify()).firms.find(({ firmId }) => firmId === alpha)?.firstBreak

  for (const [what, sql, sequence] of crimes) {
    test(`shows that ${what} was changed, and in which row`, async () => {
      await inDisguise(`update clearing.audit ${sql} and firm_id = '${alpha}'`, async () => {
        assert.equal((await verify()).verified, false)
        assert.equal((await breakOf())?.sequence, sequence)
      })
    })
  }

  test('is verified every night with the books: the heads go to the log, a break into the inbox', async () => {
    const { rows: known } = await service.query(
      'select identifier from graphile_worker._private_known_crontabs',
    )
    assert.deepEqual(known, [{ identifier: 'prove-records' }])
    // The job is queued as the schedule queues it.
    const prove = () =>
      service.query(
        "select graphile_worker.add_job('prove-records', max_attempts => 1, job_key => 'prove-records')",
      )
    const reports = async () =>
      service
        .log()
        .split('\n')
        .filter((line) => line.includes('the records hold'))
    // At the time of the schedule there is a report already.
    const { length: before } = await reports()
    const { firms } = await verify()
    await prove()
    const logged = await until(reports, ({ length }) => length > before)
    assert.deepEqual(
      JSON.parse(logged.at(-1) ?? '').heads,
      firms.map(({ firmId, rows, head }) => ({ firmId, rows, head })),
    )
    const failed = async () => (await service.operations.operations.listWork({ queues: ['Job'] })).data.work
    await inDisguise(
      `update clearing.audit set actor = 'somebody' where sequence = 12 and firm_id = '${alpha}'`,
      async () => {
        await prove()
        const [item] = await until(failed, ({ length }) => length === 1)
        assert.match(item?.detail ?? '', /audit of firm .*301, row 12: The content of the row was changed/)
      },
    )
    // The failed job waits for a person. Tried again on the corrected rows, it leaves the inbox.
    const workIds = (await failed()).map(({ workId }) => workId)
    await service.operations.operations.settleWork({ workIds, settlement: 'Again', reason: 'Put back.' })
    await until(failed, ({ length }) => length === 0)
  })

  test('is verified during writes without an alarm', async () => {
    let over = false
    const asked = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' } as const
    const writing = (async () => {
      while (!over) await service.alpha.accountNumber(asked)
    })()
    writing.catch(() => {})
    const proofs = async () =>
      Number((await service.query('select count(*) from clearing.audit_proof')).rows[0].count)
    try {
      for (let proof = 1; proof <= 5; proof += 1) {
        const before = await proofs()
        await service.query(
          "select graphile_worker.add_job('prove-records', max_attempts => 1, job_key => 'prove-records')",
        )
        await until(proofs, (count) => count > before)
      }
    } finally {
      over = true
      await writing
    }
    const { proof } = (await service.operations.operations.listAuditHeads({})).data
    assert.equal(proof?.reason, '')
    assert.equal(proof?.verified, true)
    const { work } = (await service.operations.operations.listWork({ queues: ['Job'] })).data
    assert.deepEqual(work, [])
  })

  test('shows that a row in its middle, or its end, is missing', async () => {
    await inDisguise(`delete from clearing.audit where firm_id = '${alpha}' and sequence = 33`, async () => {
      assert.equal((await breakOf())?.sequence, 33)
    })
    const { rows } = await service.query(
      `select sequence from clearing.audit_head where firm_id = '${alpha}'`,
    )
    const last = Number(rows[0].sequence)
    await inDisguise(
      `delete from clearing.audit where firm_id = '${alpha}' and sequence > ${last - 10}`,
      async () => {
        assert.equal((await breakOf())?.sequence, last - 9)
      },
    )
  })

  test('can be neither changed nor shortened by the roles of the service', async () => {
    for (const role of ['clearing_app', 'clearing_operations']) {
      for (const sql of [
        'update clearing.audit set actor = actor',
        'delete from clearing.audit',
        'truncate clearing.audit',
      ]) {
        const attempt = service.query(`begin; set local role ${role}; ${sql}; rollback`)
        await assert.rejects(attempt, /permission denied/)
      }
    }
  })
})
