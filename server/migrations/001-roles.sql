-- The schema, the roles of the service, the firm of a transaction, and the door to the job queue.
-- The roles own nothing and cannot step over row-level security; what they may do with a table, the migration that makes the table says.

create schema if not exists clearing;

-- Roles belong to the server, not to the database: another database may have made them already, even at this moment.
do $$
declare
  wanted text;
  grant_options text := case when current_setting('server_version_num')::int >= 160000 then ' with set true, inherit false' else '' end;
begin
  foreach wanted in array array['clearing_app', 'clearing_operations'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls', wanted);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'role % is missing and % may not create roles: have an administrator run: create role % nologin; grant % to %',
            wanted, current_user, wanted, wanted, current_user;
      end;
    end if;
    -- So that the service, connected as the owner, can take the role on (option "role" of its pools).
    if not pg_catalog.pg_has_role(current_user, wanted, 'member') or grant_options <> '' then
      begin
        execute format('grant %I to %I', wanted, current_user) || grant_options;
      exception when insufficient_privilege then
        if not pg_catalog.pg_has_role(current_user, wanted, 'member') then raise; end if;
      end;
    end if;
  end loop;
end $$;

revoke all on schema clearing from public;
grant usage on schema clearing to clearing_app, clearing_operations;
revoke create on schema public from clearing_app, clearing_operations;
alter default privileges in schema clearing revoke all on tables from public;
alter default privileges in schema clearing revoke all on sequences from public;
-- Without "in schema": a default of the whole database cannot be taken back for one schema.
alter default privileges revoke execute on functions from public;

/* The firm whose rows the running transaction may see; null when none is set, and then policies show nothing. */
create function clearing.current_firm() returns uuid
  language sql stable parallel safe
  return nullif(pg_catalog.current_setting('clearing.firm', true), '')::uuid;

grant execute on function clearing.current_firm() to clearing_app, clearing_operations;

/*
  Queues a job in the caller's own transaction: a rollback takes it back. The queue's tables stay closed to the roles of the service.
  Returns the job's id.
*/
create function clearing.queue_job(
  task text,
  payload json,
  job_key text default null,
  run_at timestamptz default null,
  queue_name text default null,
  max_attempts integer default null
) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select job.id
    from graphile_worker.add_job(
      identifier => queue_job.task,
      payload => queue_job.payload,
      queue_name => queue_job.queue_name,
      run_at => queue_job.run_at,
      max_attempts => queue_job.max_attempts,
      job_key => queue_job.job_key
    ) as job
  );
end $$;

grant execute on function clearing.queue_job(text, json, text, timestamptz, text, integer) to clearing_app, clearing_operations;
