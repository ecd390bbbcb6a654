-- Extensions of the time in which a call is met, as operations granted them (12 CFR 220.4(c)(3)(ii), 220.8(d); FINRA Rule 4210(f)(6)).
create table clearing.call_extension (
  account_number text not null,
  kind text not null check (kind in ('Fed', 'Maintenance', 'Cash')),
  -- The day of the call; of a call of the cash account the day on which the payment period ends.
  issued_on date not null,
  until date not null,
  firm_id uuid not null,
  -- The due date that it moved.
  due_by date not null check (due_by < until),
  reason text not null,
  granted_by text not null,
  granted_at timestamptz not null,
  -- The business date on which it became known.
  entered_on date not null,
  primary key (account_number, kind, issued_on, until),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
alter table clearing.call_extension enable row level security;
alter table clearing.call_extension force row level security;
create policy firm_rows on clearing.call_extension to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.call_extension to clearing_operations using (true);
grant select on clearing.call_extension to clearing_app;
grant select, insert on clearing.call_extension to clearing_operations;
