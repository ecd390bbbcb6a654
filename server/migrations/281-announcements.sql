-- Announced corporate actions: facts of a security in every cell, as the feed gave them. Only the state changes.
create table clearing.announcement (
  -- The feed's own id.
  external_id text primary key,
  type text not null,
  sec_no bigint not null references clearing.security (sec_no),
  record_date date,
  -- Who holds the security at the beginning of this day is entitled.
  ex_date date not null,
  pay_date date not null,
  -- The business day on which the lines of the holders are booked.
  book_on date not null,
  -- The last business day on which holders can elect; null for a mandatory action.
  deadline date,
  default_option text not null,
  options jsonb not null,
  announced_at timestamptz not null,
  load_id uuid not null references clearing.load (load_id),
  state text not null default 'Announced' check (state in ('Announced', 'Booked', 'Cancelling', 'Cancelled')),
  -- The line that cancelled the announcement.
  cancelled_by text unique,
  cancelled_at timestamptz,
  -- The business day on which the holders were last compared with their lines.
  examined_on date,
  check ((cancelled_by is null) = (state in ('Announced', 'Booked')))
);
create index announcement_open on clearing.announcement (book_on) where state in ('Announced', 'Cancelling');
create index announcement_order on clearing.announcement (pay_date, external_id);
create index announcement_security on clearing.announcement (sec_no);
grant select, insert, update on clearing.announcement to clearing_operations;
grant select on clearing.announcement to clearing_app;

-- What each position is entitled to, what its owner elected, and the lines that were booked for it.
create table clearing.announced_entitlement (
  external_id text not null,
  account_number text not null,
  acct_type smallint not null check (acct_type in (1, 2, 3)),
  firm_id uuid not null,
  -- The position at the beginning of the ex-date; negative if it is short.
  quantity clearing.units not null,
  elections jsonb not null default '[]',
  elected_by text,
  elected_at timestamptz,
  state text not null default 'Expected'
    check (state in ('Expected', 'Booked', 'Nothing', 'ByFeed', 'Refused', 'Reversed')),
  -- Why the lines were refused, or the line of the feed that counts instead.
  reason text not null default '',
  -- The lines that count now, with their ids. A changed entitlement cancels them, and its new lines have the next version.
  lines jsonb not null default '[]',
  version integer not null default 0 check (version >= 0),
  primary key (external_id, account_number, acct_type),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index announced_entitlement_account on clearing.announced_entitlement (account_number, external_id);
alter table clearing.announced_entitlement enable row level security;
alter table clearing.announced_entitlement force row level security;
create policy firm_rows on clearing.announced_entitlement to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.announced_entitlement to clearing_operations using (true);
create policy moving_rows on clearing.announced_entitlement to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select, update on clearing.announced_entitlement to clearing_app;
grant select, insert, update on clearing.announced_entitlement to clearing_operations;
