-- What falls due of an open account in its course, beside it: the business day reads only accounts of which something does.

create table clearing.renewal (
  account_number text not null,
  firm_id uuid not null,
  kind text not null,
  -- Customer id of the party.
  subject text not null,
  field text not null,
  -- The first day on which something is missing. Of a birthday, which is sealed with the record, the first of its month.
  listed_on date not null,
  state text not null check (state in ('Coming', 'Asked', 'Overdue', 'Settled')),
  follow_up_id text not null default '',
  due_on date,
  -- Operations asked for it, whatever the record says.
  requested boolean not null default false,
  -- The restriction that was placed when no answer had come.
  restriction_id uuid,
  primary key (account_number, kind, subject),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index renewal_listed on clearing.renewal (listed_on, account_number, kind, subject);

-- When an account is to be looked at again; null: when something of it changes.
create table clearing.account_review (
  account_number text primary key,
  firm_id uuid not null,
  review_on date,
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index account_review_due on clearing.account_review (review_on, account_number) where review_on is not null;

-- How far accounts that were open before are entered there; the business day goes on with it.
create table clearing.review_entry (
  only_row boolean primary key default true check (only_row),
  after_account text not null default '',
  ended_at timestamptz
);
insert into clearing.review_entry default values;

alter table clearing.renewal enable row level security;
alter table clearing.renewal force row level security;
alter table clearing.account_review enable row level security;
alter table clearing.account_review force row level security;
alter table clearing.review_entry enable row level security;
alter table clearing.review_entry force row level security;
create policy firm_rows on clearing.renewal to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.account_review to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.renewal to clearing_operations using (true);
create policy all_rows on clearing.account_review to clearing_operations using (true);
create policy all_rows on clearing.review_entry to clearing_operations using (true);
grant select, insert, update, delete on clearing.renewal to clearing_app, clearing_operations;
grant select, insert, update on clearing.account_review to clearing_app, clearing_operations;
grant select, update on clearing.review_entry to clearing_operations;
