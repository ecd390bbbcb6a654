-- A job that is queued again while it runs loses its key, and the later job does its work. Nobody has to handle the
-- earlier one when it fails or its process is killed.
create or replace function clearing.failed_jobs() returns table (
  job_id text, task text, account_number text, last_error text, attempts integer, max_attempts integer, since timestamptz
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select job.id::text, job.task_identifier, coalesce(substring(job.key from '^([A-Z0-9]{8}):'), ''), left(job.last_error, 500),
      job.attempts::integer, job.max_attempts::integer, job.created_at
    from graphile_worker.jobs as job
    where job.key is not null and job.last_error is not null and job.attempts >= least(job.max_attempts, 5)
      and job.locked_at is null;
end $$;

create function clearing.remove_superseded_jobs(most integer) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  removed bigint;
begin
  delete from graphile_worker._private_jobs where id in (
    select id from graphile_worker._private_jobs where key is null and attempts >= max_attempts and locked_at is null
    limit most for update skip locked);
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function clearing.remove_superseded_jobs(integer) from public;
grant execute on function clearing.remove_superseded_jobs(integer) to clearing_operations;
