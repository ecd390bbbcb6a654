-- Calls of firms, for their engineers to look back at. Bodies come here without personal numbers and secrets, and cut. It is
-- no audit trail: rows are written after their answers, some at a time, and removed when they are old.

create table clearing.request (
  firm_id uuid not null,
  -- When it came, by the wall clock.
  at timestamptz not null,
  request_id uuid not null,
  trace_id text not null,
  client_id text not null,
  operation text not null,
  -- Of the caller.
  address text not null,
  status integer not null,
  error_codes text[] not null,
  duration_ms integer not null,
  idempotency_key text,
  replayed boolean not null,
  request_body text,
  answer_body text,
  primary key (firm_id, at, request_id)
);
-- One trace may hold several calls, so they are found by its id alone.
create index request_trace on clearing.request (firm_id, substr(trace_id, 4, 32));

alter table clearing.request enable row level security;
alter table clearing.request force row level security;
create policy firm_rows on clearing.request to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.request to clearing_operations using (true);
grant select on clearing.request to clearing_app;
grant select, insert, delete on clearing.request to clearing_operations;
