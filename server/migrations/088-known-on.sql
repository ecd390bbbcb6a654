-- Two dates for every fact: the day that it is for, and the business date on which it became known here (`entered_on`). A fact
-- without one was known before. Closed days are read with what was known at their close. No row is rewritten.

alter table clearing.price add column entered_on date;
alter table clearing.fx_rate add column entered_on date;
alter table clearing.held_away add column entered_on date;
create index price_entered on clearing.price (entered_on) where entered_on is not null;
create index fx_rate_entered on clearing.fx_rate (entered_on) where entered_on is not null;
create index held_away_entered on clearing.held_away (entered_on) where entered_on is not null;

-- The facts of a security from a business date on, as the last load of that date left them. The first row of one that was there
-- before has the date -infinity; one without rows has not changed since.
create table clearing.security_version (
  sec_no bigint not null references clearing.security,
  entered_on date not null,
  facts jsonb not null,
  primary key (sec_no, entered_on)
);
create index security_version_entered on clearing.security_version (entered_on);
create index security_version_symbol on clearing.security_version ((facts ->> 'symbol'));

-- The same of the terms of an account's books.
create table clearing.account_terms_version (
  account_number text not null,
  entered_on date not null,
  firm_id uuid not null,
  lot_method text not null,
  house_long_percent clearing.rate,
  house_short_percent clearing.rate,
  primary key (account_number, entered_on),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);
create index account_terms_version_entered on clearing.account_terms_version (entered_on);
alter table clearing.account_terms_version enable row level security;
alter table clearing.account_terms_version force row level security;
create policy firm_rows on clearing.account_terms_version to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.account_terms_version to clearing_operations using (true);
grant select on clearing.security_version, clearing.account_terms_version to clearing_app;
grant select, insert, update on clearing.security_version, clearing.account_terms_version to clearing_operations;

-- The business date on which a later version of the record took its place.
alter table clearing.account_version add column superseded_on date;

-- The close that a day belongs to, when it began, and how many lines of the account were known at it; no row for a day before the
-- first close. A firm asks for its own account, and may not see the tables of the closes.
create function clearing.known_at_close(account text, day date, out close_date date, out started_at timestamptz, out lines bigint)
  returns setof record
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select closed.close_date, closed.started_at, coalesce((
      select day_account.line_count
      from clearing.business_day_close as earlier
      join clearing.day_account on day_account.close_date = earlier.close_date and day_account.account_number = account
      where earlier.close_date <= closed.close_date order by earlier.close_date desc limit 1
    ), 0)
  from clearing.business_day_close as closed where closed.close_date <= day order by closed.close_date desc limit 1
$$;
revoke execute on function clearing.known_at_close(text, date) from public;
grant execute on function clearing.known_at_close(text, date) to clearing_app, clearing_operations;
