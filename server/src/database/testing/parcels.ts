// A small table for the tests of this folder, protected like the tables of the service, in a database without them.
import { readMigrations } from '../migrate.ts'
import { type Statement, statement } from '../statement.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

export interface Parcel {
  number: string
  weight: number
}

export const firmA = 'aaaaaaaa-0000-4000-8000-000000000001'
export const firmB = 'bbbbbbbb-0000-4000-8000-000000000002'

export const insertParcel: Statement<never> = statement(
  'insert-parcel',
  'insert into clearing.parcel (firm_id, number, weight) values (clearing.current_firm(), $1, $2)',
)
export const selectParcels: Statement<Parcel> = statement(
  'select-parcels',
  'select number, weight from clearing.parcel order by number',
)
export const selectParcel: Statement<Parcel> = statement(
  'select-parcel',
  'select number, weight from clearing.parcel where number = $1',
)
export const lockParcel: Statement<Parcel> = statement(
  'lock-parcel',
  'select number, weight from clearing.parcel where number = $1 for update',
)
export const weighParcel: Statement<never> = statement(
  'weigh-parcel',
  'update clearing.parcel set weight = $2 where number = $1',
)
export const selectFirms: Statement<{ firm: string }> = statement(
  'select-firms-of-parcels',
  'select distinct firm_id as firm from clearing.parcel',
)

/** Makes a database with the base roles and functions, and no table. */
export async function createBareDatabase(): Promise<TestDatabase> {
  return createTestDatabase({ migrations: (await readMigrations()).slice(0, 1) })
}

/** Makes a database with the empty table. The `depot` of a parcel must exist when the transaction ends. */
export async function createParcelDatabase(): Promise<TestDatabase> {
  const db = await createBareDatabase()
  const client = await db.owner.acquire()
  await client.query(`
    create table clearing.depot (name text primary key);
    create table clearing.parcel (
      firm_id uuid not null,
      number text not null,
      weight integer not null check (weight >= 0),
      depot text references clearing.depot deferrable initially deferred,
      primary key (firm_id, number)
    );
    alter table clearing.parcel enable row level security;
    alter table clearing.parcel force row level security;
    create policy of_firm on clearing.parcel to clearing_app using (firm_id = clearing.current_firm());
    create policy of_all on clearing.parcel to clearing_operations using (true);
    grant select, insert, update on clearing.parcel to clearing_app, clearing_operations;
  `)
  client.release()
  return db
}
