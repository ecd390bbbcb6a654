-- What each Interest line took of the accrued margin interest, US dollars: positive for a charge, negative for a payment of a refund.
-- The cancel of a line gives back what it took.
create table clearing.interest_line (
  account_number text not null,
  external_id text not null,
  firm_id uuid not null,
  -- The close that counted the line.
  close_date date not null,
  taken numeric not null check (abs(taken) < 'Infinity' and scale(taken) <= 4),
  primary key (account_number, external_id),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);
alter table clearing.interest_line enable row level security;
alter table clearing.interest_line force row level security;
create policy firm_rows on clearing.interest_line to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.interest_line to clearing_operations using (true);
create policy moving_rows on clearing.interest_line to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select on clearing.interest_line to clearing_app;
grant select, insert on clearing.interest_line to clearing_operations;

-- Only nights whose interest was computed by a release with late nights are computed again.
alter table clearing.business_day_close add column counts_late_nights boolean not null default false;
