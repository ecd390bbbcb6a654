-- Operations look at all deliveries of a firm, and give up what failed.

create index webhook_delivery_of_firm on clearing.webhook_delivery (firm_id, created_at, delivery_id);

-- The third door of the job queue: a job that failed is taken out for good.
create function clearing.give_up_job(job_id text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from graphile_worker.complete_jobs(array[give_up_job.job_id::bigint]));
end $$;
grant execute on function clearing.give_up_job(text) to clearing_operations;
