-- Corrections of exchange rates, prices, positions held away and positions at locations. The fact remains as it was loaded, and each correction is
-- a further row: the last one known in a view counts in it. `correction_id` is the feed's own id, by which a correction that is sent again is found.
create table clearing.fx_rate_correction (
  currency text not null,
  rate_date date not null,
  -- The corrections of one fact count from 1.
  version integer not null check (version > 0),
  correction_id text not null check (length(correction_id) between 1 and 100),
  rate clearing.rate not null,
  load_id uuid not null,
  entered_on date not null,
  primary key (currency, rate_date, version),
  constraint fx_rate_correction_id unique (currency, rate_date, correction_id),
  foreign key (currency, rate_date) references clearing.fx_rate (currency, rate_date)
);
create index fx_rate_correction_entered on clearing.fx_rate_correction (entered_on);
grant select on clearing.fx_rate_correction to clearing_app;
grant select, insert on clearing.fx_rate_correction to clearing_operations;

create table clearing.price_correction (
  sec_no bigint not null,
  priced_at timestamptz not null,
  price_type text not null,
  version integer not null check (version > 0),
  correction_id text not null check (length(correction_id) between 1 and 100),
  price clearing.unit_price not null,
  yield numeric check (yield >= 0 and yield < 1000 and scale(yield) <= 10),
  load_id uuid not null,
  entered_on date not null,
  primary key (sec_no, priced_at, price_type, version),
  constraint price_correction_id unique (sec_no, priced_at, price_type, correction_id),
  foreign key (sec_no, priced_at, price_type) references clearing.price (sec_no, priced_at, price_type)
);
create index price_correction_entered on clearing.price_correction (entered_on);
grant select on clearing.price_correction to clearing_app;
grant select, insert on clearing.price_correction to clearing_operations;

create table clearing.location_position_correction (
  as_of date not null,
  location text not null,
  sec_no bigint not null,
  version integer not null check (version > 0),
  correction_id text not null check (length(correction_id) between 1 and 100),
  quantity clearing.units not null,
  load_id uuid not null,
  entered_on date not null,
  primary key (as_of, location, sec_no, version),
  constraint location_position_correction_id unique (as_of, location, sec_no, correction_id),
  foreign key (as_of, location, sec_no) references clearing.location_position (as_of, location, sec_no)
);
grant select, insert on clearing.location_position_correction to clearing_operations;

create table clearing.held_away_correction (
  account_number text not null,
  sec_no bigint not null,
  acct_type smallint not null,
  custodian text not null,
  as_of date not null,
  version integer not null check (version > 0),
  correction_id text not null check (length(correction_id) between 1 and 100),
  firm_id uuid not null,
  quantity clearing.units not null check (quantity >= 0),
  cost clearing.money check (cost >= 0),
  open_date date,
  load_id uuid not null,
  entered_on date not null,
  primary key (account_number, sec_no, acct_type, custodian, as_of, version),
  constraint held_away_correction_id unique (account_number, sec_no, acct_type, custodian, as_of, correction_id),
  foreign key (account_number, sec_no, acct_type, custodian, as_of)
    references clearing.held_away (account_number, sec_no, acct_type, custodian, as_of)
);
create index held_away_correction_entered on clearing.held_away_correction (entered_on);
alter table clearing.held_away_correction enable row level security;
alter table clearing.held_away_correction force row level security;
create policy firm_rows on clearing.held_away_correction to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.held_away_correction to clearing_operations using (true);
create policy moving_rows on clearing.held_away_correction to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select on clearing.held_away_correction to clearing_app;
grant select, insert on clearing.held_away_correction to clearing_operations;

create trigger note_insert after insert on clearing.fx_rate_correction referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_insert after insert on clearing.price_correction referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_insert after insert on clearing.held_away_correction referencing new table as written
  for each statement execute function clearing.note_market_change();
