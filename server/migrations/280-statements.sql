-- Statements and confirmations of accounts. A corrected one is another version; none is changed or removed.
create table clearing.statement (
  account_number text not null,
  kind text not null check (kind in ('Statement', 'Confirmation')),
  -- The business day whose close ends the period.
  period_to date not null,
  version integer not null check (version > 0),
  firm_id uuid not null,
  period_from date not null check (period_from <= period_to),
  delivery text not null check (delivery in ('Electronic', 'Paper')),
  made_by text not null,
  made_at timestamptz not null,
  -- SHA-256 of the content. Equal content is not stored again.
  digest bytea not null check (length(digest) = 32),
  -- The content, from which the PDF is drawn: compressed and sealed.
  content bytea not null,
  primary key (account_number, kind, period_to, version),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
alter table clearing.statement enable row level security;
alter table clearing.statement force row level security;
create policy firm_rows on clearing.statement to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.statement to clearing_operations using (true);
create policy moving_rows on clearing.statement to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select, insert on clearing.statement to clearing_app, clearing_operations;
-- A firm sees which days were closed, and the day after each; not the checklist and the persons who accepted it.
grant select (close_date, next_date, step) on clearing.business_day_close to clearing_app;
