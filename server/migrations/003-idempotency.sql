-- Answers of writing operations, kept so that a request that comes again is answered like the first (Reading 1.12, 3.6).
-- A row is written in the transaction of the effect it speaks of: both are there, or neither.

create table clearing.idempotency (
  firm_id uuid not null references clearing.firm,
  client_id text not null,
  operation text not null,
  -- 'key': the caller's Idempotency-Key. 'repeat': the request itself, sent without one.
  kind text not null check (kind in ('key', 'repeat')),
  -- SHA-256 of the caller's key, or the keyed digest of the request.
  key_hash bytea not null check (length(key_hash) = 32),
  -- Keyed digest of the request, by which another body under the same key is recognised.
  request_digest bytea not null check (length(request_digest) = 32),
  -- The answer, sealed: it may hold personal data.
  answer bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (firm_id, client_id, operation, kind, key_hash)
);
create index idempotency_expiry on clearing.idempotency (expires_at);

alter table clearing.idempotency enable row level security;
alter table clearing.idempotency force row level security;
create policy firm_rows on clearing.idempotency to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.idempotency to clearing_operations using (true);
-- Rows are never changed: an expired one is deleted and written anew.
grant select, insert, delete on clearing.idempotency to clearing_app, clearing_operations;
