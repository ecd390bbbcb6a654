-- Accounts: the current record, its earlier versions, and its persons for finding them again.

create table clearing.account (
  account_number text primary key check (account_number ~ '^[A-Z0-9]{8}$'),
  firm_id uuid not null references clearing.firm,
  entity_number text not null,
  rep_code text not null,
  registration_type text not null,
  status text not null
    check (status in ('Reserved', 'Pending', 'Open', 'Restricted', 'Closed', 'Rejected')),
  account_name text not null default '',
  version integer not null default 1 check (version > 0),
  -- The record without personal numbers, and these sealed under the firm's key.
  record jsonb,
  sealed bytea,
  event_sequence bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opened_at timestamptz,
  unique (firm_id, account_number),
  foreign key (firm_id, entity_number) references clearing.entity (firm_id, entity_number),
  foreign key (firm_id, rep_code) references clearing.rep_code (firm_id, rep_code),
  check ((status = 'Reserved') = (record is null)),
  -- Nothing is Open that was never approved (31 CFR 1023.220).
  check (status not in ('Open', 'Restricted') or opened_at is not null)
);
create index account_firm_status on clearing.account (firm_id, status, created_at);

-- A version of the record that a later one has replaced (17 CFR 240.17a-4(f)(2)(i)(A): every interim version).
create table clearing.account_version (
  account_number text not null,
  firm_id uuid not null,
  version integer not null,
  status text not null,
  account_name text not null,
  record jsonb not null,
  sealed bytea,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  primary key (account_number, version),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);

-- One row a person: blind indexes of tax id and of tax id with birth date, keyed per firm.
create table clearing.party (
  account_number text not null,
  firm_id uuid not null,
  customer_id text not null check (customer_id ~ '^[0-9]{18}$'),
  capacity text not null check (capacity in ('PrimaryOwner', 'AssociatedParty', 'Beneficiary')),
  name text not null,
  tax_id_index bytea,
  person_index bytea,
  primary key (account_number, customer_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index party_tax_id on clearing.party (firm_id, tax_id_index) where tax_id_index is not null;
create index party_person on clearing.party (firm_id, person_index) where person_index is not null;

create table clearing.restriction (
  restriction_id uuid not null,
  account_number text not null,
  firm_id uuid not null,
  code text not null,
  reason text not null,
  placed_by text not null,
  placed_at timestamptz not null,
  ended_by text,
  ended_at timestamptz,
  primary key (account_number, restriction_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number),
  check ((ended_by is null) = (ended_at is null))
);

alter table clearing.account enable row level security;
alter table clearing.account force row level security;
alter table clearing.account_version enable row level security;
alter table clearing.account_version force row level security;
alter table clearing.party enable row level security;
alter table clearing.party force row level security;
alter table clearing.restriction enable row level security;
alter table clearing.restriction force row level security;

create policy firm_rows on clearing.account to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.account_version to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.party to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.restriction to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.account to clearing_operations using (true);
create policy all_rows on clearing.account_version to clearing_operations using (true);
create policy all_rows on clearing.party to clearing_operations using (true);
create policy all_rows on clearing.restriction to clearing_operations using (true);

grant select, insert, update on clearing.account, clearing.party, clearing.restriction to clearing_app, clearing_operations;
grant select, insert on clearing.account_version to clearing_app, clearing_operations;
