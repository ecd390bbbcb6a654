import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dumpSchema } from './dump-schema.ts'
import type { TestDatabase } from './test-database.ts'
import { createBareDatabase } from './testing/parcels.ts'

const everything = `
  create type clearing.colour as enum ('red', 'blue');
  create domain clearing.percent as numeric(5, 2) check (value between 0 and 100);
  create type clearing.point as (x integer, y integer);
  create sequence clearing.ticket;
  grant usage on sequence clearing.ticket to clearing_app;
  create table clearing.box (
    number text collate "C" primary key,
    id bigint generated always as identity,
    made_at timestamptz not null default now(),
    side numeric(20, 8) not null check (side > 0),
    volume numeric generated always as (side * side * side) stored,
    colour clearing.colour,
    lid text references clearing.box deferrable initially deferred,
    unique (number, id)
  ) with (fillfactor = 90);
  comment on table clearing.box is 'A box, it''s square';
  comment on column clearing.box.side is 'in metres';
  create index box_colour on clearing.box (colour) where lid is null;
  alter table clearing.box enable row level security;
  alter table clearing.box force row level security;
  create policy seen on clearing.box for select to clearing_app, clearing_operations using (lid is null);
  create policy made on clearing.box for insert to clearing_app with check (side < 9);
  grant select, insert on clearing.box to clearing_app;
  grant update (colour, lid) on clearing.box to clearing_app;
  create table clearing.event (at date not null, what text) partition by range (at);
  create table clearing.event_2026_01 partition of clearing.event for values from ('2026-01-01') to ('2026-02-01');
  create index event_what on clearing.event (what);
  create function clearing.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
  create trigger box_stays before delete on clearing.box for each row execute function clearing.refuse();
  create view clearing.open_box with (security_invoker = true) as select number from clearing.box where lid is null;
  grant select on clearing.open_box to clearing_operations;`

async function run(db: TestDatabase, sql: string): Promise<void> {
  const client = await db.owner.acquire()
  try {
    await client.query(sql)
  } finally {
    client.release()
  }
}

test('the schema text contains every kind of object with its properties', async () => {
  await using db = await createBareDatabase()
  await run(db, everything)
  const text = await dumpSchema(db.owner)
  const expected = [
    "create type clearing.colour as enum ('red', 'blue');",
    'create domain clearing.percent as numeric(5,2) CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (100)::numeric)));',
    'create type clearing.point as (x integer, y integer);',
    'create sequence clearing.ticket;\ngrant usage on sequence clearing.ticket to clearing_app;',
    '  number text collate "C" not null,\n  id bigint generated always as identity not null,\n  made_at timestamp with time zone default now() not null,\n  side numeric(20,8) not null,\n  volume numeric generated always as (((side * side) * side)) stored,\n  colour clearing.colour,\n  lid text,\n  constraint box_pkey PRIMARY KEY (number),\n  constraint box_number_id_key UNIQUE (number, id),\n  constraint box_side_check CHECK ((side > (0)::numeric)),\n  constraint box_lid_fkey FOREIGN KEY (lid) REFERENCES clearing.box(number) DEFERRABLE INITIALLY DEFERRED\n) with (fillfactor=90);',
    'alter table clearing.box enable row level security;\nalter table clearing.box force row level security;',
    'CREATE INDEX box_colour ON clearing.box USING btree (colour) WHERE (lid IS NULL);',
    'create policy made on clearing.box for insert to clearing_app with check ((side < (9)::numeric));',
    'create policy seen on clearing.box for select to clearing_app, clearing_operations using ((lid IS NULL));',
    'CREATE TRIGGER box_stays BEFORE DELETE ON clearing.box FOR EACH ROW EXECUTE FUNCTION clearing.refuse();',
    "comment on table clearing.box is 'A box, it''s square';",
    "comment on column clearing.box.side is 'in metres';",
    'grant insert, select on clearing.box to clearing_app;',
    'grant update (colour) on clearing.box to clearing_app;',
    'create table clearing.event (\n  at date not null,\n  what text\n) partition by RANGE (at);',
    "create table clearing.event_2026_01 partition of clearing.event FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');",
    'CREATE INDEX event_what ON ONLY clearing.event USING btree (what);',
    'create view clearing.open_box with (security_invoker=true) as\nSELECT number\n   FROM clearing.box\n  WHERE lid IS NULL;',
    'CREATE OR REPLACE FUNCTION clearing.current_firm()',
    'grant execute on function clearing.current_firm() to clearing_app;\ngrant execute on function clearing.current_firm() to clearing_operations;',
    'grant usage on schema clearing to clearing_app;',
  ]
  for (const part of expected) assert.ok(text.includes(part), `missing:\n${part}\n\nin:\n${text}`)
})

test('two databases with the same schema give the same text, for every role that can read the schema', async () => {
  await using one = await createBareDatabase()
  await using other = await createBareDatabase()
  await run(one, everything)
  await run(other, 'create table clearing.passing (a int); drop table clearing.passing')
  await run(other, everything)
  const text = await dumpSchema(one.owner)
  assert.equal(await dumpSchema(other.owner), text)
  assert.equal(await dumpSchema(other.app), text)
})

test('every change of the schema changes the text', async () => {
  await using db = await createBareDatabase()
  await run(db, everything)
  let before = await dumpSchema(db.owner)
  const changes = [
    'alter table clearing.box add height int',
    'alter table clearing.box alter side drop not null',
    'alter table clearing.box drop constraint box_side_check',
    'drop index clearing.box_colour',
    'alter table clearing.box no force row level security',
    'alter policy seen on clearing.box using (true)',
    'revoke insert on clearing.box from clearing_app',
    'revoke update (lid) on clearing.box from clearing_app',
    'alter table clearing.box disable trigger box_stays',
    "alter type clearing.colour add value 'green'",
    "create table clearing.event_2026_02 partition of clearing.event for values from ('2026-02-01') to ('2026-03-01')",
    'grant execute on function clearing.refuse() to clearing_app',
    'alter function clearing.refuse() security definer',
    'grant create on schema clearing to clearing_operations',
  ]
  for (const change of changes) {
    await run(db, change)
    const after = await dumpSchema(db.owner)
    assert.notEqual(after, before, change)
    before = after
  }
})
