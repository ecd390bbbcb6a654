-- What became of an account, change by change, from its application on: who asked for it and when. The record that each version had is
-- in account_version, or for the present one in account. Nothing here is ever changed (17 CFR 240.17a-4(f)(2)(i)(A)).

create table clearing.account_change (
  account_number text not null,
  firm_id uuid not null,
  -- Counts the changes of the account, from 1.
  sequence integer not null check (sequence > 0),
  -- The version and the status that the change left.
  version integer not null check (version > 0),
  status text not null,
  at timestamptz not null,
  -- The credential that asked for it, or the service.
  actor text not null,
  operation text not null,
  trace_id text not null,
  primary key (account_number, sequence),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);

-- Accounts of before: their versions, whose times and actors the audit trail has.
alter table clearing.account no force row level security;
alter table clearing.account_version no force row level security;
alter table clearing.audit no force row level security;
insert into clearing.account_change (account_number, firm_id, sequence, version, status, at, actor, operation, trace_id)
select account_number, firm_id, row_number() over (partition by account_number order by at, version), version, status, at,
  actor, operation, trace_id
from (
  select account_number, firm_id, 1 as version, 'Pending' as status, created_at as at,
    coalesce(audit.actor, '') as actor, 'new-account' as operation, coalesce(audit.trace_id, '') as trace_id
  from clearing.account left join lateral (
    select actor, trace_id from clearing.audit
    where audit.firm_id = account.firm_id and audit.account_number = account.account_number and action = 'new-account'
    order by audit.sequence desc limit 1
  ) as audit on true
  where status <> 'Reserved'
  union all
  select account_number, firm_id, replaced.version + 1, replaced.status, replaced.valid_to,
    coalesce(audit.actor, ''), 'update-account', coalesce(audit.trace_id, '')
  from clearing.account_version as replaced left join lateral (
    select actor, trace_id from clearing.audit
    where audit.firm_id = replaced.firm_id and audit.account_number = replaced.account_number
      and action = 'update-account' and audit.at = replaced.valid_to
    order by audit.sequence limit 1
  ) as audit on true
  union all
  select account_number, firm_id,
    1 + (select count(*) from clearing.account_version as replaced
         where replaced.account_number = account.account_number and replaced.valid_to <= opened_at),
    'Open', opened_at, 'service', 'onboarding', ''
  from clearing.account where opened_at is not null
  union all
  select account_number, firm_id, version, 'Rejected', updated_at, 'service', 'onboarding', ''
  from clearing.account where status = 'Rejected'
) as change;
alter table clearing.account force row level security;
alter table clearing.account_version force row level security;
alter table clearing.audit force row level security;

alter table clearing.account_change enable row level security;
alter table clearing.account_change force row level security;
create policy firm_rows on clearing.account_change to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.account_change to clearing_operations using (true);
grant select, insert on clearing.account_change to clearing_app, clearing_operations;
