/** Work on all accounts of a cell, before the end of which no firm moves to another cell. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { applicationOf } from '../acceptance/applications.ts'
import { open, until } from '../acceptance/calling.ts'
import type { RunningService } from '../acceptance/running-service.ts'

interface Cell {
  readonly service: Pick<RunningService, 'operations' | 'beta'>
  readonly superuser: pg.Client
}

async function isBusy({ superuser }: Cell): Promise<boolean> {
  const { rowCount } = await superuser.query(
    "select from graphile_worker.jobs where task_identifier in ('make-statements', 'rescreen-accounts') and run_at <= now()",
  )
  return rowCount !== 0
}

function loadList({ service }: Cell) {
  const fields = Array(8).fill('-0-').join(',')
  const csv = `1,"ZHUKOVSKY, Orlando","individual","TEST",${fields}\r\n`
  return service.operations.operations.loadWatchList({ listName: 'MOVING', lines: { csv } })
}

const name = { firstName: 'Orlando', lastName: 'Zhukovsky' }
/** An application of a person on the list. */
export const listed = applicationOf(name)

/** The person has an account at a firm of the new cell too, and is confirmed there. */
async function confirm({ service, superuser }: Cell) {
  const ofBeta = { ...listed, entityNumber: '302', main: { repCode: 'BB01' } }
  const { accountNumber } = await open(service.beta, ofBeta)
  const { operations } = service.operations
  const matches = () => operations.listMatches({ accountNumber })
  const found = await until(matches, ({ data }) => data.matches.length > 0)
  const matchId = found.data.matches[0]?.matchId ?? ''
  const reason = 'Compared with the passport.'
  await operations.decideMatch({ accountNumber, matchId, decision: 'Confirmed', reason })
  await until(
    async () =>
      (await superuser.query('select from clearing.listed_person where ended_at is not null')).rowCount,
    (count) => count !== 0,
  )
}

/** The persons who were confirmed in the new cell are searched at the firm that came. */
export async function isBlocked({ superuser }: Pick<Cell, 'superuser'>, accountNumber: string) {
  const sanctions =
    "select from clearing.restriction where account_number = $1 and code = 'Sanctions' and ended_at is null"
  await until(
    async () => (await superuser.query(sanctions, [accountNumber])).rowCount,
    (count) => count === 1,
  )
}

/** Operations cannot write to an account that arrives: the next copy would remove what they wrote. */
export async function refusesWrites({ service, superuser }: ArrivedAt, firmId: string): Promise<void> {
  const { rows } = await superuser.query(
    'select account_number from clearing.account where firm_id = $1 limit 1',
    [firmId],
  )
  const token = await service.token('operations')
  const answer = await service.send('/operations-api/v1/add-note', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber: rows[0].account_number, text: 'Called by the owner.' }),
  })
  assert.deepEqual([answer.status, answer.json.errors[0].code], [503, 'ERR.5003'], answer.text)
}

interface ArrivedAt {
  readonly service: Pick<RunningService, 'send' | 'token'>
  readonly superuser: pg.Client
}

/** A confirmation of a person, as an earlier release stores it: without a search for the person's other accounts. */
async function refuseUnsearched(move: () => Promise<unknown>, { superuser }: Cell) {
  const { rowCount } = await superuser.query(
    `update clearing.screening_match set decision = 'Confirmed', decided_by = 'operations', decided_at = now()
     where list_name = 'MOVING' and decision = 'Open'`,
  )
  assert.equal(rowCount, 1)
  await assert.rejects(move(), /cell-0 has not blocked all accounts of a person who was confirmed as listed/)
  await superuser.query(
    `update clearing.screening_match set decision = 'Open', decided_by = null, decided_at = null
     where list_name = 'MOVING' and decision = 'Confirmed'`,
  )
}

/** An action that is paid in the future, of a security that the firm holds. */
async function announce({ service }: Cell) {
  const action = { symbol: 'MOVE', type: 'Dividend', exDate: '2099-02-02', payDate: '2099-02-16' }
  const { data } = await service.operations.operations.loadCorporateActions({
    lines: { ndjson: [{ externalId: 'MOVE-1', ...action, cashPerShare: '1' }] },
  })
  assert.deepEqual([data.accepted, data.rejects], [1, []])
}

/**
 * The move is refused while documents of a closed day are to be made, and while the cells have different watch lists or
 * corporate actions. Returns when all is done.
 */
export async function refuseUntilDone(move: () => Promise<unknown>, old: Cell, fresh: Cell): Promise<void> {
  await old.superuser.query(
    `select clearing.queue_job('make-statements', '{"day": "2026-11-20"}', 'later', now() + interval '1 hour')`,
  )
  await assert.rejects(move(), /cell-0 has not made all statements and confirmations of .*2026-11-20/)
  await old.superuser.query("select graphile_worker.remove_job('later')")
  while (await isBusy(old)) await pause(50)
  await loadList(fresh)
  while (await isBusy(fresh)) await pause(50)
  await assert.rejects(move(), /cell-0 and cell-1 have different versions of these watch lists: MOVING\./)
  await loadList(old)
  while (await isBusy(old)) await pause(50)
  await refuseUnsearched(move, old)
  await confirm(fresh)
  await announce(old)
  await assert.rejects(
    move(),
    /cell-0 and cell-1 have different versions of these corporate actions: MOVE-1\./,
  )
  await announce(fresh)
}
