-- A job after its last attempt waits in the inbox for a person. It is not due.
create or replace function clearing.job_figures() returns table (waiting bigint, oldest timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select count(*), min(job.run_at) from graphile_worker.jobs as job
    where job.run_at <= now() and job.attempts < job.max_attempts;
end $$;
