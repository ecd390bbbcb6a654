/** Statements whose job runs late, after the next days or months have changed the books. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays, addMarketDays, previousMarketDay } from '@clearing/domain/market'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const depositors = 12

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { operations } = service.operations
  await operations.loadSecurities({ lines: { ndjson: [{ symbol: 'HBR', secTypeName: 'Common Stock' }] } })
})
after(() => service?.stop())

async function openAccounts(count: number) {
  const accounts: string[] = []
  for (let at = 0; at < count; at++)
    accounts.push(await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() })))
  return accounts
}
let ids = 0
async function book(...lines: Record<string, unknown>[]) {
  const tradeDate = await businessDate()
  const ndjson = lines.map((line) => ({ externalId: `L${++ids}`, tradeDate, ...line }))
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
/** The last business day of the month of a day. */
function monthEnd(day: string): string {
  const next = addMarketDays(day, 1)
  return next.slice(0, 7) === day.slice(0, 7) ? monthEnd(next) : day
}
function quarterEnd(day: string): string {
  const end = monthEnd(day)
  return Number(end.slice(5, 7)) % 3 === 0 ? end : quarterEnd(addMarketDays(end, 1))
}
async function statementsOf(accountNumber: string) {
  const { data } = await service.alpha.listStatements({ accountNumber, kind: 'Statement' })
  return data.statements
}
function workIsDone() {
  return until(
    async () =>
      (
        await service.query(
          `select 1 from graphile_worker.jobs where task_identifier = 'make-statements' and run_at < now() + interval '1 day'`,
        )
      ).rows.length,
    (waiting) => waiting === 0,
  )
}
async function closeThrough(day: string) {
  await goPastClose(service, day)
  await workIsDone()
}
const jobsOfStatements = `graphile_worker._private_jobs as job set run_at = now()
  from graphile_worker._private_tasks as task where task.id = job.task_id and task.identifier = 'make-statements'`
/** Jobs of statements that are queued meanwhile wait until `release`. */
async function hold() {
  await service.query(`
    create or replace function public.hold_statements() returns trigger language plpgsql security definer as $$
    begin
      if (select identifier from graphile_worker._private_tasks where id = new.task_id) = 'make-statements' then
        new.run_at := now() + interval '20 years';
      end if;
      return new;
    end $$`)
  await service.query(`create or replace trigger hold_statements before insert on graphile_worker._private_jobs
    for each row execute function public.hold_statements()`)
}
async function release(...days: string[]) {
  await service.query('drop trigger if exists hold_statements on graphile_worker._private_jobs')
  await service.query(`update ${jobsOfStatements} and job.payload ->> 'day' = any ($1)`, [days])
  await workIsDone()
}

test('who gets a statement of a quarter is decided by the positions at its end', async () => {
  const [emptied = '', holding = '', funded = ''] = await openAccounts(3)
  await closeThrough(quarterEnd(await businessDate()))
  const day = await businessDate()
  await book(
    { acctNo: emptied, transType: 'Deposit', netAmount: '50' },
    { acctNo: holding, transType: 'Deposit', netAmount: '50' },
    { acctNo: holding, transType: 'Trade', buySell: 'BUY', symbol: 'HBR', quantity: '10', price: '5' },
  )
  await closeThrough(monthEnd(day))
  const end = quarterEnd(day)
  await closeThrough(previousMarketDay(end))
  await hold()
  await goPastClose(service, end)
  await book(
    { acctNo: emptied, transType: 'Withdrawal', netAmount: '-50' },
    { acctNo: funded, transType: 'Deposit', netAmount: '70' },
  )
  await release(end)
  for (const account of [emptied, holding]) {
    const ends = (await statementsOf(account)).map(({ periodTo }) => periodTo)
    assert.deepEqual(ends, [end, monthEnd(day)])
  }
  assert.deepEqual(await statementsOf(funded), [])
})

test('no day is in two statements when those of two months are made late, in either order or at once', async () => {
  const accounts = await openAccounts(depositors)
  const deposits = accounts.map((acctNo) => ({ acctNo, transType: 'Deposit', netAmount: '10' }))
  const day = await businessDate()
  const ends: string[] = []
  const makeLate = async (months: number) => {
    await hold()
    const late: string[] = []
    for (let month = 0; month < months; month++) {
      await book(...deposits)
      late.push(monthEnd(await businessDate()))
      await goPastClose(service, late.at(-1) as string)
    }
    ends.push(...late)
    return late
  }
  const [first = '', second = ''] = await makeLate(2)
  await release(second)
  await release(first)
  await release(...(await makeLate(2)))
  for (const account of accounts) {
    const made = (await statementsOf(account)).reverse()
    assert.deepEqual(
      [made[0]?.periodFrom.slice(0, 7), made[0]?.periodTo],
      [day.slice(0, 7), second],
      'the late month is in the next statement',
    )
    for (const [at, { periodFrom, periodTo }] of made.entries()) {
      assert.ok(ends.includes(periodTo))
      if (at > 0) assert.equal(periodFrom, addDays(made[at - 1]?.periodTo ?? '', 1))
    }
    assert.equal(made.at(-1)?.periodTo, ends.at(-1))
  }
})
