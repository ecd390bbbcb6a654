/*
  Queues a job in the caller's own transaction, locked for its holder: the process that will run it. A worker takes the job only after the
  lease of the holder has expired. Returns the job's id.
  The row is that of a job that a worker has just taken. The function of the queue would announce the job to all workers, and its row would have
  to be written a second time.
*/
create function clearing.queue_held_job(task text, payload json, job_key text, max_attempts integer, holder text) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
  held_id bigint;
begin
  insert into graphile_worker._private_jobs (task_id, payload, key, max_attempts, attempts, locked_at, locked_by)
  select id, queue_held_job.payload, job_key, queue_held_job.max_attempts, 1, now(), holder
  from graphile_worker._private_tasks where identifier = task
  on conflict (key) do nothing
  returning id into held_id;
  if found then
    return held_id;
  end if;
  -- The task has no row yet, or an earlier job has this key.
  select job.id into strict held_id
  from graphile_worker.add_job(
    identifier => queue_held_job.task,
    payload => queue_held_job.payload,
    max_attempts => queue_held_job.max_attempts,
    job_key => queue_held_job.job_key
  ) as job;
  update graphile_worker._private_jobs set locked_at = now(), locked_by = holder, attempts = 1 where id = held_id;
  return held_id;
end $$;

/* Removes a job in the transaction that does its work, unless a worker has it by now. */
create function clearing.end_held_job(job_id bigint, holder text) returns void
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  delete from graphile_worker._private_jobs where id = end_held_job.job_id and locked_by = end_held_job.holder
$$;

revoke execute on function clearing.queue_held_job(text, json, text, integer, text), clearing.end_held_job(bigint, text) from public;
grant execute on function clearing.queue_held_job(text, json, text, integer, text), clearing.end_held_job(bigint, text)
  to clearing_app, clearing_operations;
