-- The clearing firm's own people: how they sign in, their sessions, and what the sign-in keeps while it is under way.

create table clearing.staff (
  staff_id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 70),
  name text not null check (length(name) between 1 and 60),
  role text not null check (role in ('viewer', 'operator', 'principal', 'admin')),
  -- Argon2id in PHC form; null for a person whom an outside provider signs in.
  password_hash text,
  -- To be replaced at the next sign-in.
  password_temporary boolean not null default false,
  -- The TOTP secret, sealed under the clearing firm's key, and the last time step that was used.
  second_factor bytea,
  second_factor_step bigint not null default 0,
  -- Shown, and not confirmed with a code yet.
  second_factor_offered bytea,
  disabled_at timestamptz,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);
create unique index staff_email on clearing.staff (email);

create table clearing.staff_session (
  -- SHA-256 of the cookie, which is 256 random bits.
  session_hash bytea primary key check (length(session_hash) = 32),
  staff_id uuid not null references clearing.staff,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index staff_session_staff on clearing.staff_session (staff_id);
create index staff_session_expiry on clearing.staff_session (expires_at);

-- It is here so that it works from every hand: another role or password, or disabling, ends the person's sessions.
create function clearing.end_staff_sessions() returns trigger language plpgsql as $$
begin
  delete from clearing.staff_session where staff_id = new.staff_id;
  return null;
end $$;
create trigger end_sessions after update on clearing.staff
  for each row when (
    old.role <> new.role
    or old.password_hash is distinct from new.password_hash
    or (old.disabled_at is null and new.disabled_at is not null)
    or (old.second_factor is not null and new.second_factor is null)
  )
  execute function clearing.end_staff_sessions();

-- Guesses of a password or code by e-mail address, and by e-mail and network address: hashes, so that it lists nobody.
create table clearing.sign_in_guess (
  key_hash bytea primary key check (length(key_hash) = 32),
  failures integer not null,
  last_at timestamptz not null
);
create index sign_in_guess_age on clearing.sign_in_guess (last_at);

-- What the OpenID provider keeps for minutes: interactions, codes, grants.
create table clearing.sign_in_state (
  model text not null,
  id_hash bytea not null check (length(id_hash) = 32),
  payload jsonb not null,
  uid text,
  grant_id text,
  expires_at timestamptz not null,
  primary key (model, id_hash)
);
create index sign_in_state_uid on clearing.sign_in_state (uid) where uid is not null;
create index sign_in_state_grant on clearing.sign_in_state (grant_id) where grant_id is not null;
create index sign_in_state_expiry on clearing.sign_in_state (expires_at);

do $$
declare
  closed text;
begin
  foreach closed in array array['staff', 'staff_session', 'sign_in_guess', 'sign_in_state'] loop
    execute format('alter table clearing.%I enable row level security', closed);
    execute format('alter table clearing.%I force row level security', closed);
    execute format('create policy all_rows on clearing.%I to clearing_operations using (true)', closed);
  end loop;
end $$;

grant select, insert, update on clearing.staff to clearing_operations;
grant select, insert, update, delete on clearing.staff_session, clearing.sign_in_guess, clearing.sign_in_state
  to clearing_operations;
grant execute on function clearing.end_staff_sessions() to clearing_operations;
