-- Applications on their way: state, stages, follow-ups, watch lists and matches.

create table clearing.onboarding (
  account_number text primary key,
  firm_id uuid not null,
  correlation_id uuid not null unique,
  current_state text not null,
  -- The whole state as the rules keep it (domain, OnboardingState).
  state jsonb not null,
  -- Counts the transitions.
  step integer not null default 0,
  -- The blocks as submitted, masked.
  request jsonb not null,
  -- Accounts with the same person and registration when it was submitted.
  possible_duplicates text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index onboarding_waiting on clearing.onboarding (current_state, updated_at);

create table clearing.onboarding_transition (
  account_number text not null,
  firm_id uuid not null,
  step integer not null,
  from_state text not null,
  to_state text not null,
  at timestamptz not null,
  actor text not null,
  reason text not null,
  primary key (account_number, step),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);

-- The lists that names are screened against, and the files that each is made of, as they were loaded.
create table clearing.watch_list (
  list_name text primary key check (list_name ~ '^[A-Z0-9_-]{1,40}$'),
  list_version text not null,
  entries integer not null,
  loaded_at timestamptz not null
);

create table clearing.watch_list_part (
  list_name text not null,
  part text not null check (part in ('sdn', 'alt', 'add')),
  content bytea not null,
  loaded_at timestamptz not null,
  primary key (list_name, part)
);

create table clearing.screening_match (
  account_number text not null,
  match_id uuid not null,
  firm_id uuid not null,
  customer_id text not null,
  list_name text not null,
  list_version text not null,
  entry_id text not null,
  entry_version text not null,
  score integer not null,
  matched_name text not null,
  reasons jsonb not null,
  -- Keyed digest of the person: what a remembered decision is about, with the entry.
  party_fingerprint text not null,
  decision text not null default 'Open' check (decision in ('Open', 'Cleared', 'Confirmed')),
  decided_by text,
  decided_at timestamptz,
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (account_number, match_id),
  unique (account_number, customer_id, list_name, entry_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number),
  check ((decision = 'Open') = (decided_by is null))
);
create index screening_match_decided on clearing.screening_match (firm_id, party_fingerprint) where decision <> 'Open';

alter table clearing.onboarding enable row level security;
alter table clearing.onboarding force row level security;
alter table clearing.onboarding_transition enable row level security;
alter table clearing.onboarding_transition force row level security;
alter table clearing.screening_match enable row level security;
alter table clearing.screening_match force row level security;

create policy firm_rows on clearing.onboarding to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.onboarding_transition to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.screening_match to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.onboarding to clearing_operations using (true);
create policy all_rows on clearing.onboarding_transition to clearing_operations using (true);
create policy all_rows on clearing.screening_match to clearing_operations using (true);

grant select, insert, update on clearing.onboarding, clearing.screening_match
  to clearing_app, clearing_operations;
grant select, insert on clearing.onboarding_transition to clearing_app, clearing_operations;
grant select on clearing.watch_list, clearing.watch_list_part to clearing_app;
grant select, insert, update on clearing.watch_list, clearing.watch_list_part to clearing_operations;
