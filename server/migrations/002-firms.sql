-- Client firms, what they own, their wrapped keys and their credentials; the keys that sign access tokens; and one
-- number that tells every instance that something of this changed.

create table clearing.firm (
  firm_id uuid primary key,
  name text not null check (length(name) between 1 and 60),
  -- Only what differs from the defaults (store/firms.ts).
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  disabled_at timestamptz,
  created_at timestamptz not null
);

create table clearing.entity (
  entity_number text primary key check (entity_number ~ '^[0-9]{3}$'),
  firm_id uuid not null references clearing.firm,
  created_at timestamptz not null,
  unique (firm_id, entity_number)
);

create table clearing.rep_code (
  rep_code text primary key check (rep_code ~ '^[A-Z0-9]{4}$'),
  firm_id uuid not null references clearing.firm,
  created_at timestamptz not null,
  unique (firm_id, rep_code)
);

-- The highest key_id of a purpose is the current key; older ones open what they sealed (encryption/firm-key.ts).
create table clearing.firm_key (
  firm_id uuid not null references clearing.firm,
  purpose text not null check (purpose in ('data', 'index')),
  key_id bigint not null check (key_id between 1 and 4294967295),
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamptz not null,
  primary key (firm_id, purpose, key_id)
);

create table clearing.credential (
  client_id text primary key check (client_id ~ '^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$'),
  firm_id uuid not null references clearing.firm,
  name text not null check (length(name) between 1 and 60),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- A JWK set: with it the client signs its token requests (private_key_jwt), and its secrets are refused.
  public_keys jsonb check (jsonb_typeof(public_keys -> 'keys') = 'array'),
  -- Stands in every token; a token of an earlier generation is dead. Raised by the triggers below.
  generation integer not null default 1 check (generation > 0),
  disabled_at timestamptz,
  created_at timestamptz not null,
  unique (firm_id, client_id)
);
-- `Alpha` beside `alpha` could only confuse people.
create unique index credential_client_id_folded on clearing.credential (lower(client_id));
create index credential_firm on clearing.credential (firm_id);

create table clearing.credential_secret (
  secret_id uuid primary key,
  client_id text not null,
  firm_id uuid not null,
  -- SHA-256 of the secret, which is 256 random bits; salted with secret_id (identity/client-secret.ts).
  secret_hash bytea not null check (length(secret_hash) = 32),
  created_at timestamptz not null,
  -- From then on it gives no tokens; those it gave live on.
  expires_at timestamptz,
  -- From then on it gives no tokens, and those of its client are dead.
  revoked_at timestamptz,
  foreign key (firm_id, client_id) references clearing.credential (firm_id, client_id)
);
create index credential_secret_client on clearing.credential_secret (firm_id, client_id);

-- A client's signed requests that were used already, until they expire.
create table clearing.client_assertion (
  assertion_hash text primary key,
  expires_at timestamptz not null
);
create index client_assertion_expiry on clearing.client_assertion (expires_at);

-- Published from created_at, signs from active_from until retired_at (when its successor does), verifies until the last
-- token it signed is dead; then the row goes.
create table clearing.signing_key (
  kid text primary key,
  public_jwk jsonb not null check (not public_jwk ? 'd'),
  -- Wrapped under the master key; null when the key signs no more.
  wrapped bytea,
  master_key_id text,
  created_at timestamptz not null,
  active_from timestamptz not null,
  retired_at timestamptz,
  check ((wrapped is null) = (master_key_id is null)),
  check (retired_at >= active_from)
);
-- At most one key has no successor.
create unique index signing_key_last on clearing.signing_key ((true)) where retired_at is null;

-- One row. Instances keep firms, credentials and signing keys in memory and read them again when the number moved.
create table clearing.identity_version (
  one boolean primary key default true check (one),
  version bigint not null,
  changed_by xid8 not null
);
insert into clearing.identity_version (version, changed_by) values (1, pg_current_xact_id());

-- Deferred to the end of the transaction: the row's lock is the last one taken, so it cannot be part of a deadlock.
create function clearing.note_identity_change() returns trigger language plpgsql as $$
begin
  update clearing.identity_version set version = version + 1, changed_by = pg_current_xact_id()
    where changed_by <> pg_current_xact_id();
  perform pg_notify('clearing_identity', '');
  return null;
end $$;

create constraint trigger changed after insert or update or delete on clearing.firm
  deferrable initially deferred for each row execute function clearing.note_identity_change();
create constraint trigger changed after insert or update or delete on clearing.entity
  deferrable initially deferred for each row execute function clearing.note_identity_change();
create constraint trigger changed after insert or update or delete on clearing.rep_code
  deferrable initially deferred for each row execute function clearing.note_identity_change();
create constraint trigger changed after insert or update or delete on clearing.credential
  deferrable initially deferred for each row execute function clearing.note_identity_change();
create constraint trigger changed after insert or update or delete on clearing.credential_secret
  deferrable initially deferred for each row execute function clearing.note_identity_change();
create constraint trigger changed after insert or update or delete on clearing.signing_key
  deferrable initially deferred for each row execute function clearing.note_identity_change();

-- The kill switch. It is here so that it works from every hand, also from psql in a bad night:
-- disabling a credential or its firm, or revoking a secret, ends the tokens given until then, for good.
create function clearing.end_tokens_of_credential() returns trigger language plpgsql as $$
begin
  new.generation := old.generation + 1;
  return new;
end $$;
create trigger end_tokens before update on clearing.credential
  for each row when (old.disabled_at is null and new.disabled_at is not null)
  execute function clearing.end_tokens_of_credential();

create function clearing.end_tokens_of_firm() returns trigger language plpgsql as $$
begin
  update clearing.credential set generation = generation + 1 where firm_id = new.firm_id;
  return null;
end $$;
create trigger end_tokens after update on clearing.firm
  for each row when (old.disabled_at is null and new.disabled_at is not null)
  execute function clearing.end_tokens_of_firm();

create function clearing.end_tokens_of_secret() returns trigger language plpgsql as $$
begin
  update clearing.credential set generation = generation + 1 where client_id = new.client_id;
  return null;
end $$;
create trigger end_tokens after update on clearing.credential_secret
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function clearing.end_tokens_of_secret();

alter table clearing.firm enable row level security;
alter table clearing.firm force row level security;
alter table clearing.entity enable row level security;
alter table clearing.entity force row level security;
alter table clearing.rep_code enable row level security;
alter table clearing.rep_code force row level security;
alter table clearing.firm_key enable row level security;
alter table clearing.firm_key force row level security;
alter table clearing.credential enable row level security;
alter table clearing.credential force row level security;
alter table clearing.credential_secret enable row level security;
alter table clearing.credential_secret force row level security;

create policy firm_rows on clearing.firm to clearing_app using (firm_id = clearing.current_firm());
-- Whether a number is somebody's is what ERR.1001 and ERR.1003 tell apart; whose it is stays hidden by the grant below.
create policy every_number on clearing.entity to clearing_app using (true);
create policy every_number on clearing.rep_code to clearing_app using (true);
create policy firm_rows on clearing.firm_key to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.firm to clearing_operations using (true);
create policy all_rows on clearing.entity to clearing_operations using (true);
create policy all_rows on clearing.rep_code to clearing_operations using (true);
create policy all_rows on clearing.firm_key to clearing_operations using (true);
create policy all_rows on clearing.credential to clearing_operations using (true);
create policy all_rows on clearing.credential_secret to clearing_operations using (true);

-- The role that serves firms reads its own firm and its keys; credentials and signing keys are closed to it.
grant select on clearing.firm, clearing.firm_key to clearing_app;
grant select (entity_number) on clearing.entity to clearing_app;
grant select (rep_code) on clearing.rep_code to clearing_app;
grant select, insert, update on clearing.firm, clearing.firm_key, clearing.credential, clearing.credential_secret
  to clearing_operations;
grant select, insert on clearing.entity, clearing.rep_code to clearing_operations;
grant select, insert, update, delete on clearing.signing_key to clearing_operations;
grant select, insert, delete on clearing.client_assertion to clearing_operations;
grant select, update on clearing.identity_version to clearing_operations;
