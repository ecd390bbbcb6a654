-- What every write leaves behind in its own transaction: an audit row in the firm's hash chain and an event.

create table clearing.audit (
  firm_id uuid not null references clearing.firm,
  sequence bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  account_number text not null default '',
  target text not null default '',
  trace_id text not null,
  -- JSON text, kept byte for byte since the hash is over it; personal numbers are masked before they come here.
  detail text not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (firm_id, sequence)
);
create index audit_account on clearing.audit (firm_id, account_number, sequence) where account_number <> '';

create table clearing.audit_head (
  firm_id uuid primary key references clearing.firm,
  sequence bigint not null,
  hash bytea not null
);

-- The bytes that a row's hash is over: lengths before texts, so that no two rows have the same bytes.
create function clearing.audit_bytes(
  firm_id uuid, sequence bigint, at timestamptz, actor text, action text, account_number text, target text,
  trace_id text, detail text, previous_hash bytea
) returns bytea language sql immutable as $$
  select convert_to(string_agg(length(part) || ':' || part, ',' order by position), 'UTF8')
  from unnest(array[
    firm_id::text, sequence::text,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor, action, account_number, target, trace_id, detail, encode(previous_hash, 'hex')
  ]) with ordinality as parts (part, position)
$$;

-- Appends a row to the firm's chain. It locks the chain's head until the transaction ends, so it is called last.
create function clearing.append_audit(
  firm uuid, row_at timestamptz, row_actor text, row_action text, row_account text, row_target text, row_trace text,
  row_detail text
) returns bigint language plpgsql as $$
declare
  head clearing.audit_head;
  row_hash bytea;
begin
  select * into head from clearing.audit_head where firm_id = firm for update;
  if not found then
    insert into clearing.audit_head (firm_id, sequence, hash) values (firm, 0, '\x') on conflict do nothing;
    select * into head from clearing.audit_head where firm_id = firm for update;
  end if;
  row_hash := sha256(clearing.audit_bytes(
    firm, head.sequence + 1, row_at, row_actor, row_action, row_account, row_target, row_trace, row_detail, head.hash));
  insert into clearing.audit
    (firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash)
  values
    (firm, head.sequence + 1, row_at, row_actor, row_action, row_account, row_target, row_trace, row_detail,
     head.hash, row_hash);
  update clearing.audit_head set sequence = head.sequence + 1, hash = row_hash where firm_id = firm;
  return head.sequence + 1;
end
$$;

-- The event log: append-only, in the transaction that changes the state. `transaction_id` lets a reader stop before
-- transactions that are still open, so that no event is skipped.
create table clearing.event (
  event_id uuid primary key,
  firm_id uuid not null references clearing.firm,
  account_number text not null default '',
  sequence bigint not null,
  type text not null,
  at timestamptz not null,
  trace_id text not null,
  content jsonb not null,
  position bigint generated always as identity,
  transaction_id xid8 not null default pg_current_xact_id()
);
create unique index event_sequence on clearing.event (account_number, sequence) where account_number <> '';
create index event_cursor on clearing.event (firm_id, transaction_id, position);

-- Who read whose personal numbers, and when (17 CFR 248.30: whose data was exposed must be answerable).
create table clearing.access_record (
  firm_id uuid not null references clearing.firm,
  account_number text not null,
  at timestamptz not null,
  client_id text not null,
  operation text not null,
  trace_id text not null
);
create index access_record_account on clearing.access_record (firm_id, account_number, at);
create index access_record_client on clearing.access_record (client_id, at);

alter table clearing.audit enable row level security;
alter table clearing.audit force row level security;
alter table clearing.audit_head enable row level security;
alter table clearing.audit_head force row level security;
alter table clearing.event enable row level security;
alter table clearing.event force row level security;
alter table clearing.access_record enable row level security;
alter table clearing.access_record force row level security;

create policy firm_rows on clearing.audit to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.audit_head to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.event to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.access_record to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.audit to clearing_operations using (true);
create policy all_rows on clearing.audit_head to clearing_operations using (true);
create policy all_rows on clearing.event to clearing_operations using (true);
create policy all_rows on clearing.access_record to clearing_operations using (true);

grant select, insert on clearing.audit, clearing.event, clearing.access_record to clearing_app, clearing_operations;
grant select, insert, update on clearing.audit_head to clearing_app, clearing_operations;
grant execute on function
  clearing.audit_bytes(uuid, bigint, timestamptz, text, text, text, text, text, text, bytea),
  clearing.append_audit(uuid, timestamptz, text, text, text, text, text, text)
  to clearing_app, clearing_operations;
