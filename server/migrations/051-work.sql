-- The work of the clearing firm's people: who has taken what, notes, and changes that a second person approves.

-- What waits is found in the tables that it is of, oldest first.
create index document_waiting on clearing.document (created_at, document_id) where status = 'PendingApproval';
create index screening_match_open on clearing.screening_match (created_at, match_id) where decision = 'Open';
create index books_break_waiting on clearing.books_break (raised_at, break_id) where resolved_at is null;
create index margin_call_waiting on clearing.margin_call (issued_on, account_number, kind) where met_on is null;
create index webhook_delivery_failed on clearing.webhook_delivery (ended_at, delivery_id) where status = 'Failed';
create index account_newest on clearing.account (created_at, account_number);
create index restriction_in_force on clearing.restriction (account_number) where ended_at is null;
create index restriction_newest on clearing.restriction (placed_at, restriction_id);

-- `work_id` is the queue and the key of the item in it: `Document.0198…`.
create table clearing.work_assignment (
  work_id text primary key check (length(work_id) <= 120),
  assigned_to text not null,
  assigned_by text not null,
  assigned_at timestamptz not null
);
create index work_assignment_of on clearing.work_assignment (assigned_to);

-- Items that are over by a person's word, because nothing else ends them.
create table clearing.work_settlement (
  work_id text primary key check (length(work_id) <= 120),
  settled_by text not null,
  settled_at timestamptz not null,
  reason text not null
);

-- What staff write about an account; client firms do not see it.
create table clearing.note (
  note_id uuid primary key,
  account_number text not null,
  firm_id uuid not null,
  content text not null check (length(content) between 1 and 2000),
  written_by text not null,
  written_at timestamptz not null,
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index note_account on clearing.note (account_number, written_at);

-- A change that was asked for and takes effect when a second person approves it: an operation with its request.
create table clearing.change_request (
  change_id uuid primary key,
  firm_id uuid not null references clearing.firm,
  account_number text not null default '',
  operation text not null,
  -- What it touches (code list approvalSubject).
  subjects text[] not null check (cardinality(subjects) > 0),
  -- The request, sealed under the firm's key: it may hold personal numbers and hashes of secrets.
  request bytea not null,
  -- [{field, before, after}], personal numbers masked.
  fields jsonb not null,
  -- Version of the account's record that the change was seen against; null where there is none.
  version integer,
  reason text not null,
  state text not null default 'Requested' check (state in ('Requested', 'Approved', 'Rejected', 'Withdrawn')),
  requested_by text not null,
  requested_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  trace_id text not null,
  check ((state = 'Requested') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  -- Maker and checker are two (FINRA 4515); only who asked takes it back.
  constraint maker_is_not_checker check (
    case when state = 'Withdrawn' then decided_by = requested_by
      else decided_by is null or lower(decided_by) <> lower(requested_by) end
  )
);
create index change_request_waiting on clearing.change_request (requested_at, change_id) where state = 'Requested';
create index change_request_newest on clearing.change_request (requested_at, change_id);
create index change_request_account on clearing.change_request (account_number, requested_at) where account_number <> '';

-- A decision is not taken twice and not taken back, from whatever hand.
create function clearing.keep_change_decided() returns trigger language plpgsql as $$
begin
  raise exception 'change % was decided already', old.change_id using errcode = 'check_violation';
end $$;
create trigger keep_decided before update on clearing.change_request
  for each row when (old.state <> 'Requested') execute function clearing.keep_change_decided();

do $$
declare
  tabled text;
begin
  foreach tabled in array array['work_assignment', 'work_settlement', 'note', 'change_request'] loop
    execute format('alter table clearing.%I enable row level security', tabled);
    execute format('alter table clearing.%I force row level security', tabled);
    execute format('create policy all_rows on clearing.%I to clearing_operations using (true)', tabled);
  end loop;
end $$;
-- A client firm's own request for a change is stored in its own sight.
create policy firm_rows on clearing.change_request to clearing_app using (firm_id = clearing.current_firm());

grant select, insert, update, delete on clearing.work_assignment to clearing_operations;
grant select, insert on clearing.work_settlement, clearing.note to clearing_operations;
grant select, insert, update on clearing.change_request to clearing_operations;
grant select, insert on clearing.change_request to clearing_app;
grant execute on function clearing.keep_change_decided() to clearing_operations, clearing_app;

-- The job queue is closed to the roles; these two doors show what failed, and try it again.
create function clearing.failed_jobs() returns table (
  job_id text, task text, account_number text, last_error text, attempts integer, max_attempts integer, since timestamptz
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select job.id::text, job.task_identifier, coalesce(substring(job.key from '^([A-Z0-9]{8}):'), ''), left(job.last_error, 500),
      job.attempts::integer, job.max_attempts::integer, job.created_at
    from graphile_worker.jobs as job
    where job.last_error is not null and job.attempts >= least(job.max_attempts, 5) and job.locked_at is null;
end $$;

create function clearing.retry_job(job_id text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from graphile_worker.reschedule_jobs(array[retry_job.job_id::bigint], run_at => now(), attempts => 0)
  );
end $$;

create function clearing.job_figures() returns table (waiting bigint, oldest timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query select count(*), min(job.run_at) from graphile_worker.jobs as job where job.run_at <= now();
end $$;

grant execute on function clearing.failed_jobs(), clearing.retry_job(text), clearing.job_figures() to clearing_operations;
