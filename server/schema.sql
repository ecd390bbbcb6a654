-- The schema of the service as the migrations make it. Written from the database, for reading and review; never run, never edited.

create schema clearing;
grant usage on schema clearing to clearing_app;
grant usage on schema clearing to clearing_operations;

create type clearing.ledger as enum ('customer', 'street:clearing', 'street:issuer', 'street:options', 'street:transfer', 'street:tax', 'street:regulator', 'firm:commission', 'firm:fees', 'firm:interest', 'firm:journal', 'location:bank', 'location:depository');

create domain clearing.money as numeric CHECK (((abs(VALUE) < '1000000000000000000'::numeric) AND (scale(VALUE) <= 4)));

create domain clearing.rate as numeric CHECK (((VALUE > (0)::numeric) AND (VALUE < '1000000000000000000'::numeric) AND (scale(VALUE) <= 10)));

create domain clearing.unit_price as numeric CHECK (((VALUE >= (0)::numeric) AND (VALUE < '1000000000000000000'::numeric) AND (scale(VALUE) <= 8)));

create domain clearing.units as numeric CHECK (((abs(VALUE) < '1000000000000000000'::numeric) AND (scale(VALUE) <= 8)));

CREATE OR REPLACE FUNCTION clearing.announce_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('clearing_event', '');
  return null;
end $function$;
grant execute on function clearing.announce_events() to clearing_app;
grant execute on function clearing.announce_events() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.append_audit(firm uuid, row_at timestamp with time zone, row_actor text, row_action text, row_account text, row_target text, row_trace text, row_detail text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  head clearing.audit_head;
  row_hash bytea;
begin
  select * into head from clearing.audit_head where firm_id = firm for update;
  if not found then
    insert into clearing.audit_head (firm_id, sequence, hash) values (firm, 0, '\x') on conflict do nothing;
    select * into head from clearing.audit_head where firm_id = firm for update;
  end if;
  row_hash := sha256(clearing.audit_bytes(
    firm, head.sequence + 1, row_at, row_actor, row_action, row_account, row_target, row_trace, row_detail, head.hash));
  insert into clearing.audit
    (firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash)
  values
    (firm, head.sequence + 1, row_at, row_actor, row_action, row_account, row_target, row_trace, row_detail,
     head.hash, row_hash);
  update clearing.audit_head set sequence = head.sequence + 1, hash = row_hash where firm_id = firm;
  return head.sequence + 1;
end
$function$;
grant execute on function clearing.append_audit(uuid,timestamp with time zone,text,text,text,text,text,text) to clearing_app;
grant execute on function clearing.append_audit(uuid,timestamp with time zone,text,text,text,text,text,text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.append_audit_rows(firm uuid, row_at timestamp with time zone[], row_actor text[], row_action text[], row_account text[], row_target text[], row_trace text[], row_detail text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  head clearing.audit_head;
  previous bytea;
begin
  select * into head from clearing.audit_head where firm_id = firm for update;
  if not found then
    insert into clearing.audit_head (firm_id, sequence, hash) values (firm, 0, '\x') on conflict do nothing;
    select * into head from clearing.audit_head where firm_id = firm for update;
  end if;
  for place in 1 .. cardinality(row_at) loop
    previous := head.hash;
    head.sequence := head.sequence + 1;
    head.hash := sha256(clearing.audit_bytes(
      firm, head.sequence, row_at[place], row_actor[place], row_action[place], row_account[place], row_target[place],
      row_trace[place], row_detail[place], previous));
    insert into clearing.audit
      (firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash)
    values
      (firm, head.sequence, row_at[place], row_actor[place], row_action[place], row_account[place], row_target[place],
       row_trace[place], row_detail[place], previous, head.hash);
  end loop;
  update clearing.audit_head set sequence = head.sequence, hash = head.hash where firm_id = firm;
  return head.sequence;
end
$function$;
grant execute on function clearing.append_audit_rows(uuid,timestamp with time zone[],text[],text[],text[],text[],text[],text[]) to clearing_app;
grant execute on function clearing.append_audit_rows(uuid,timestamp with time zone[],text[],text[],text[],text[],text[],text[]) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.audit_bytes(firm_id uuid, sequence bigint, at timestamp with time zone, actor text, action text, account_number text, target text, trace_id text, detail text, previous_hash bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select convert_to(string_agg(length(part) || ':' || part, ',' order by position), 'UTF8')
  from unnest(array[
    firm_id::text, sequence::text,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor, action, account_number, target, trace_id, detail, encode(previous_hash, 'hex')
  ]) with ordinality as parts (part, position)
$function$;
grant execute on function clearing.audit_bytes(uuid,bigint,timestamp with time zone,text,text,text,text,text,text,bytea) to clearing_app;
grant execute on function clearing.audit_bytes(uuid,bigint,timestamp with time zone,text,text,text,text,text,text,bytea) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.balance_digest(balance clearing.sealed_balance)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN sha256(convert_to(concat_ws('|'::text, (balance).account_number, (balance).asset, (balance).acct_type, (balance).close_date, trim_scale((balance).quantity), trim_scale((balance).cost)), 'UTF8'::name));
grant execute on function clearing.balance_digest(clearing.sealed_balance) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.balances(asset text[], amount numeric[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (cardinality(asset) = 2) THEN (((asset)[1] = (asset)[2]) AND (((amount)[1] + (amount)[2]) = (0)::numeric)) WHEN (((cardinality(asset) < 4) OR (cardinality(asset) > 6)) OR ((asset)[1] <> (asset)[2]) OR ((asset)[2] = (asset)[3]) OR ((asset)[3] <> (asset)[4])) THEN clearing.balances_by_leg(asset, amount) WHEN (cardinality(asset) = 4) THEN ((((amount)[1] + (amount)[2]) = (0)::numeric) AND (((amount)[3] + (amount)[4]) = (0)::numeric)) WHEN ((cardinality(asset) = 5) AND ((asset)[4] = (asset)[5])) THEN ((((amount)[1] + (amount)[2]) = (0)::numeric) AND ((((amount)[3] + (amount)[4]) + (amount)[5]) = (0)::numeric)) WHEN ((cardinality(asset) = 6) AND ((asset)[4] = (asset)[5]) AND ((asset)[5] = (asset)[6])) THEN ((((amount)[1] + (amount)[2]) = (0)::numeric) AND (((((amount)[3] + (amount)[4]) + (amount)[5]) + (amount)[6]) = (0)::numeric)) ELSE clearing.balances_by_leg(asset, amount) END;
grant execute on function clearing.balances(text[],numeric[]) to clearing_app;
grant execute on function clearing.balances(text[],numeric[]) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.balances_by_leg(asset text[], amount numeric[])
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  total numeric := 0;
begin
  for leg in 1 .. cardinality(asset) loop
    if leg > 1 and asset[leg] <> asset[leg - 1] then
      if total <> 0 then return false; end if;
      total := 0;
    end if;
    total := total + amount[leg];
  end loop;
  return total = 0;
end $function$;
grant execute on function clearing.balances_by_leg(text[],numeric[]) to clearing_app;
grant execute on function clearing.balances_by_leg(text[],numeric[]) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.check_owners()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from (select distinct account_number, firm_id from written) as owned
    left join clearing.account_books as books using (account_number, firm_id)
    where books.account_number is null
  ) then
    raise foreign_key_violation using
      message = format('a row of %I names an account and a firm that do not belong together', tg_table_name),
      table = tg_table_name;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION clearing.complete_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.account_number <> '' and new.entity_number = '' then
    select entity_number, rep_code, greatest(event_order, pg_current_xact_id())
      into strict new.entity_number, new.rep_code, new.transaction_id
      from clearing.account where account_number = new.account_number;
  end if;
  return new;
end $function$;
grant execute on function clearing.complete_event() to clearing_app;
grant execute on function clearing.complete_event() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.current_firm()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('clearing.firm'::text, true), ''::text))::uuid;
grant execute on function clearing.current_firm() to clearing_app;
grant execute on function clearing.current_firm() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.end_held_job(job_id bigint, holder text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from graphile_worker._private_jobs where id = end_held_job.job_id and locked_by = end_held_job.holder
$function$;
grant execute on function clearing.end_held_job(bigint,text) to clearing_app;
grant execute on function clearing.end_held_job(bigint,text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.end_staff_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from clearing.staff_session where staff_id = new.staff_id;
  return null;
end $function$;
grant execute on function clearing.end_staff_sessions() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.end_tokens_of_credential()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.generation := old.generation + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION clearing.end_tokens_of_firm()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update clearing.credential set generation = generation + 1 where firm_id = new.firm_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION clearing.end_tokens_of_secret()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update clearing.credential set generation = generation + 1 where client_id = new.client_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION clearing.event_row_id(event_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (OVERLAY((event_id)::text PLACING '0'::text FROM 36))::uuid;
grant execute on function clearing.event_row_id(uuid) to clearing_app;
grant execute on function clearing.event_row_id(uuid) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.failed_jobs()
 RETURNS TABLE(job_id text, task text, account_number text, last_error text, attempts integer, max_attempts integer, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return query
    select job.id::text, job.task_identifier, coalesce(substring(job.key from '^([A-Z0-9]{8}):'), ''), left(job.last_error, 500),
      job.attempts::integer, job.max_attempts::integer, job.created_at
    from graphile_worker.jobs as job
    where job.key is not null and job.last_error is not null and job.attempts >= least(job.max_attempts, 5)
      and job.locked_at is null;
end $function$;
grant execute on function clearing.failed_jobs() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.fill_parties()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update clearing.party set account_name = new.account_name, account_created_at = new.created_at
  where party.account_number = new.account_number;
  return null;
end $function$;
grant execute on function clearing.fill_parties() to clearing_app;
grant execute on function clearing.fill_parties() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.fill_party()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select account.account_name, account.created_at into new.account_name, new.account_created_at
  from clearing.account where account.account_number = new.account_number;
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  new.last_word_first := clearing.last_word_first(new.name, new.last_first);
  return new;
end $function$;
grant execute on function clearing.fill_party() to clearing_app;
grant execute on function clearing.fill_party() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.fill_plain_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  new.last_word_first := clearing.last_word_first(new.name, new.last_first);
  return new;
end $function$;
grant execute on function clearing.fill_plain_names() to clearing_app;
grant execute on function clearing.fill_plain_names() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.give_up_job(job_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return exists (select from graphile_worker.complete_jobs(array[give_up_job.job_id::bigint]));
end $function$;
grant execute on function clearing.give_up_job(text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.insert_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content,
    transaction_id, entity_number, rep_code, written_at)
  values (new.event_id, new.firm_id, coalesce(new.account_number, ''), new.sequence, new.type, new.at, new.trace_id, new.content,
    coalesce(new.transaction_id, pg_current_xact_id()), coalesce(new.entity_number, ''), coalesce(new.rep_code, ''),
    coalesce(new.written_at, clock_timestamp()));
  return new;
end $function$;
grant execute on function clearing.insert_event() to clearing_app;
grant execute on function clearing.insert_event() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.job_figures()
 RETURNS TABLE(waiting bigint, oldest timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return query select count(*), min(job.run_at) from graphile_worker.jobs as job
    where job.run_at <= now() and job.attempts < job.max_attempts;
end $function$;
grant execute on function clearing.job_figures() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.keep_change_decided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'change % was decided already', old.change_id using errcode = 'check_violation';
end $function$;
grant execute on function clearing.keep_change_decided() to clearing_app;
grant execute on function clearing.keep_change_decided() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.keep_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  return null;
end $function$;
grant execute on function clearing.keep_event() to clearing_app;
grant execute on function clearing.keep_event() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.keep_step_of_close()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from clearing.business_day_portion
    where close_date = old.close_date and step = old.step and done_at is null
  ) then
    raise exception 'step % of the close of % has portions that are not done', old.step, old.close_date;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION clearing.known_at_close(account text, day date, OUT close_date date, OUT started_at timestamp with time zone, OUT lines bigint)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select closed.close_date, closed.started_at, coalesce((
      select day_account.line_count
      from clearing.business_day_close as earlier
      join clearing.day_account on day_account.close_date = earlier.close_date and day_account.account_number = account
      where earlier.close_date <= closed.close_date order by earlier.close_date desc limit 1
    ), 0)
  from clearing.business_day_close as closed where closed.close_date <= day order by closed.close_date desc limit 1
$function$;
grant execute on function clearing.known_at_close(text,date) to clearing_app;
grant execute on function clearing.known_at_close(text,date) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.last_word_first(name text, last_first text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  words text[] := string_to_array(name, ' ');
  total integer := cardinality(words);
  form text;
begin
  for size in 2 .. total - 1 loop
    for start in 2 .. total - size + 1 loop
      if array_to_string(words[start:start + size - 1] || words[1:start - 1] || words[start + size:], ' ') = last_first then
        form := array_to_string(words[start + size - 1] || words[1:start - 1], ' ');
        return coalesce(clearing.plain_letters(form), form);
      end if;
    end loop;
  end loop;
  return '';
end $function$;
grant execute on function clearing.last_word_first(text,text) to clearing_app;
grant execute on function clearing.last_word_first(text,text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.make_month_partition(parent text, day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  early constant date := '1970-01-01';
  first text := case when day < early then 'minvalue' else quote_literal(date_trunc('month', day)::date) end;
  past date := case when day < early then early else (date_trunc('month', day) + interval '1 month')::date end;
  child text := parent || case when day < early then '_before_1970' else to_char(day, '_YYYY_MM') end;
begin
  if parent not in ('activity', 'entry') then
    raise invalid_parameter_value using message = format('%s is not partitioned by month', parent);
  end if;
  if to_regclass('clearing.' || child) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('clearing.' || parent));
  if exists (select from pg_class where relnamespace = 'clearing'::regnamespace and relname = child) then return; end if;
  execute format('create table clearing.%I (like clearing.%I including all)', child, parent);
  execute format('alter table clearing.%I attach partition clearing.%I for values from (%s) to (%L)', parent, child, first, past);
end $function$;
grant execute on function clearing.make_month_partition(text,date) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.note_identity_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update clearing.identity_version set version = version + 1, changed_by = pg_current_xact_id()
    where changed_by <> pg_current_xact_id();
  perform pg_notify('clearing_identity', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION clearing.note_market_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from written) then
    insert into clearing.market_change default values on conflict do nothing;
  end if;
  return null;
end $function$;
grant execute on function clearing.note_market_change() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.note_password()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' or new.password_hash is distinct from old.password_hash then
    new.password_set_at := now();
    new.password_used_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION clearing.order_account_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.event_order := greatest(old.event_order, pg_current_xact_id());
  return new;
end $function$;
grant execute on function clearing.order_account_events() to clearing_app;
grant execute on function clearing.order_account_events() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.plain_letters(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(name) <> length(name)) THEN translate(replace(replace(replace(replace(regexp_replace(NORMALIZE(name, NFD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), 'Æ'::text, 'AE'::text), 'Œ'::text, 'OE'::text), 'Þ'::text, 'TH'::text), 'ẞ'::text, 'SS'::text), 'ØŁĐÐĦŦŊƏ`´ʼ‘’‛′＇‐‑‒–−－'::text, 'OLDDHTNA''''''''''''''''------'::text) ELSE NULL::text END;
grant execute on function clearing.plain_letters(text) to clearing_app;
grant execute on function clearing.plain_letters(text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.queue_held_job(task text, payload json, job_key text, max_attempts integer, holder text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
grant execute on function clearing.queue_held_job(text,json,text,integer,text) to clearing_app;
grant execute on function clearing.queue_held_job(text,json,text,integer,text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.queue_job(task text, payload json, job_key text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, queue_name text DEFAULT NULL::text, max_attempts integer DEFAULT NULL::integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
grant execute on function clearing.queue_job(text,json,text,timestamp with time zone,text,integer) to clearing_app;
grant execute on function clearing.queue_job(text,json,text,timestamp with time zone,text,integer) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.refuse_close_while_moving()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from clearing.moving_firm where state <> 'Moved') then
    raise lock_not_available using message = 'a firm is being moved to another cell', table = tg_table_name;
  end if;
  return new;
end $function$;
grant execute on function clearing.refuse_close_while_moving() to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.refuse_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise lock_not_available using message = 'the firm is being moved to another cell', table = tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION clearing.remove_access_records(before timestamp with time zone, most integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with removed as (
    delete from clearing.access_record
    where ctid = any (array(
        select ctid from clearing.access_record
        where at < least(before, clock_timestamp() - interval '3 years') order by at limit most))
      and at < least(before, clock_timestamp() - interval '3 years')
    returning 1
  )
  select count(*) from removed
$function$;
grant execute on function clearing.remove_access_records(timestamp with time zone,integer) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.remove_superseded_jobs(most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  removed bigint;
begin
  delete from graphile_worker._private_jobs where id in (
    select id from graphile_worker._private_jobs where key is null and attempts >= max_attempts and locked_at is null
    limit most for update skip locked);
  get diagnostics removed = row_count;
  return removed;
end $function$;
grant execute on function clearing.remove_superseded_jobs(integer) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.retry_job(job_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return exists (
    select from graphile_worker.reschedule_jobs(array[retry_job.job_id::bigint], run_at => now(), attempts => 0)
  );
end $function$;
grant execute on function clearing.retry_job(text) to clearing_operations;

CREATE OR REPLACE FUNCTION clearing.wall_time_of(instant timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  clock clearing.sandbox_clock;
begin
  if instant is null then return null; end if;
  select * into clock from clearing.sandbox_clock for share;
  if not found then return instant; end if;
  if clock.frozen_at is null then return instant - clock.offset_ms * interval '1 ms'; end if;
  return case when instant <= clock.frozen_at then clock_timestamp() else 'infinity' end;
end $function$;
grant execute on function clearing.wall_time_of(timestamp with time zone) to clearing_app;
grant execute on function clearing.wall_time_of(timestamp with time zone) to clearing_operations;

create table clearing.access_record (
  firm_id uuid not null,
  account_number text not null,
  at timestamp with time zone not null,
  client_id text not null,
  operation text not null,
  trace_id text not null,
  reason text default ''::text not null,
  constraint access_record_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.access_record enable row level security;
alter table clearing.access_record force row level security;
CREATE INDEX access_record_account ON clearing.access_record USING btree (firm_id, account_number, at);
CREATE INDEX access_record_client ON clearing.access_record USING btree (client_id, at);
CREATE INDEX access_record_time ON clearing.access_record USING btree (at);
create policy all_rows on clearing.access_record for all to clearing_operations using (true);
create policy firm_rows on clearing.access_record for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.access_record for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
create policy old_rows on clearing.access_record for all to clearing_owner using ((at < (clock_timestamp() - 'P3Y'::interval)));
grant insert, select on clearing.access_record to clearing_app;
grant insert, select on clearing.access_record to clearing_operations;

create table clearing.account (
  account_number text not null,
  firm_id uuid not null,
  entity_number text not null,
  rep_code text not null,
  registration_type text not null,
  status text not null,
  account_name text default ''::text not null,
  version integer default 1 not null,
  record jsonb,
  sealed bytea,
  event_sequence bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  event_order xid8 default pg_current_xact_id() not null,
  constraint account_pkey PRIMARY KEY (account_number),
  constraint account_firm_id_account_number_key UNIQUE (firm_id, account_number),
  constraint account_account_number_check CHECK ((account_number ~ '^[A-Z0-9]{8}$'::text)),
  constraint account_check1 CHECK (((status <> ALL (ARRAY['Open'::text, 'Restricted'::text])) OR (opened_at IS NOT NULL))),
  constraint account_status_check CHECK ((status = ANY (ARRAY['Reserved'::text, 'Pending'::text, 'Open'::text, 'Restricted'::text, 'Closed'::text, 'Rejected'::text]))),
  constraint account_version_check CHECK ((version > 0)),
  constraint account_firm_id_entity_number_fkey FOREIGN KEY (firm_id, entity_number) REFERENCES clearing.entity(firm_id, entity_number),
  constraint account_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id),
  constraint account_firm_id_rep_code_fkey FOREIGN KEY (firm_id, rep_code) REFERENCES clearing.rep_code(firm_id, rep_code)
) with (fillfactor=50);
alter table clearing.account enable row level security;
alter table clearing.account force row level security;
CREATE INDEX account_created ON clearing.account USING btree (firm_id, created_at, account_number);
CREATE INDEX account_firm_status ON clearing.account USING btree (firm_id, status, created_at);
CREATE INDEX account_newest ON clearing.account USING btree (created_at, account_number);
CREATE INDEX account_opened ON clearing.account USING btree (firm_id, opened_at, account_number) WHERE (opened_at IS NOT NULL);
CREATE INDEX account_registration ON clearing.account USING btree (firm_id, registration_type, created_at, account_number);
CREATE INDEX account_rep_code ON clearing.account USING btree (firm_id, rep_code, created_at, account_number);
CREATE INDEX account_title ON clearing.account USING btree (firm_id, account_name COLLATE "C", account_number);
CREATE INDEX account_updated ON clearing.account USING btree (firm_id, updated_at, account_number);
create policy all_rows on clearing.account for all to clearing_operations using (true);
create policy firm_rows on clearing.account for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER fill_parties AFTER UPDATE OF account_name, created_at ON clearing.account FOR EACH ROW WHEN (((old.status <> 'Reserved'::text) AND ((old.account_name IS DISTINCT FROM new.account_name) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION clearing.fill_parties();
CREATE TRIGGER order_events BEFORE UPDATE OF event_sequence ON clearing.account FOR EACH ROW WHEN ((new.event_order IS DISTINCT FROM GREATEST(old.event_order, pg_current_xact_id()))) EXECUTE FUNCTION clearing.order_account_events();
grant insert, select, update on clearing.account to clearing_app;
grant insert, select, update on clearing.account to clearing_operations;

create table clearing.account_books (
  account_number text not null,
  firm_id uuid not null,
  lot_method text default 'FIFO'::text not null,
  house_long_percent clearing.rate,
  house_short_percent clearing.rate,
  line_count bigint default 0 not null,
  entry_count bigint default 0 not null,
  has_links boolean default false not null,
  sealed_lines bigint default 0 not null,
  constraint account_books_pkey PRIMARY KEY (account_number),
  constraint account_books_firm_id_account_number_key UNIQUE (firm_id, account_number),
  constraint account_books_lot_method_check CHECK ((lot_method = ANY (ARRAY['FIFO'::text, 'LIFO'::text, 'HIFO'::text, 'Average'::text]))),
  constraint account_books_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
) with (fillfactor=50);
alter table clearing.account_books enable row level security;
alter table clearing.account_books force row level security;
create policy all_rows on clearing.account_books for all to clearing_operations using (true);
create policy firm_rows on clearing.account_books for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account_books for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.account_books to clearing_operations;
grant select on clearing.account_books to clearing_app;

create table clearing.account_change (
  account_number text not null,
  firm_id uuid not null,
  sequence integer not null,
  version integer not null,
  status text not null,
  at timestamp with time zone not null,
  actor text not null,
  operation text not null,
  trace_id text not null,
  sent bytea,
  reason text,
  requested_by text,
  constraint account_change_pkey PRIMARY KEY (account_number, sequence),
  constraint account_change_sequence_check CHECK ((sequence > 0)),
  constraint account_change_version_check CHECK ((version > 0)),
  constraint account_change_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.account_change enable row level security;
alter table clearing.account_change force row level security;
create policy all_rows on clearing.account_change for all to clearing_operations using (true);
create policy firm_rows on clearing.account_change for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account_change for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.account_change to clearing_app;
grant insert, select on clearing.account_change to clearing_operations;

create table clearing.account_review (
  account_number text not null,
  firm_id uuid not null,
  review_on date,
  constraint account_review_pkey PRIMARY KEY (account_number),
  constraint account_review_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.account_review enable row level security;
alter table clearing.account_review force row level security;
CREATE INDEX account_review_due ON clearing.account_review USING btree (review_on, account_number) WHERE (review_on IS NOT NULL);
create policy all_rows on clearing.account_review for all to clearing_operations using (true);
create policy firm_rows on clearing.account_review for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account_review for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.account_review to clearing_app;
grant insert, select, update on clearing.account_review to clearing_operations;

create table clearing.account_terms_version (
  account_number text not null,
  entered_on date not null,
  firm_id uuid not null,
  lot_method text not null,
  house_long_percent clearing.rate,
  house_short_percent clearing.rate,
  constraint account_terms_version_pkey PRIMARY KEY (account_number, entered_on),
  constraint account_terms_version_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.account_terms_version enable row level security;
alter table clearing.account_terms_version force row level security;
CREATE INDEX account_terms_version_entered ON clearing.account_terms_version USING btree (entered_on);
create policy all_rows on clearing.account_terms_version for all to clearing_operations using (true);
create policy firm_rows on clearing.account_terms_version for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account_terms_version for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.account_terms_version to clearing_operations;
grant select on clearing.account_terms_version to clearing_app;

create table clearing.account_version (
  account_number text not null,
  firm_id uuid not null,
  version integer not null,
  status text not null,
  account_name text not null,
  record jsonb not null,
  sealed bytea,
  valid_from timestamp with time zone not null,
  valid_to timestamp with time zone not null,
  superseded_on date,
  constraint account_version_pkey PRIMARY KEY (account_number, version),
  constraint account_version_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.account_version enable row level security;
alter table clearing.account_version force row level security;
create policy all_rows on clearing.account_version for all to clearing_operations using (true);
create policy firm_rows on clearing.account_version for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.account_version for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.account_version to clearing_app;
grant insert, select on clearing.account_version to clearing_operations;
grant update (status) on clearing.account_version to clearing_app;
grant update (status) on clearing.account_version to clearing_operations;
grant update (valid_from) on clearing.account_version to clearing_app;
grant update (valid_from) on clearing.account_version to clearing_operations;
grant update (valid_to) on clearing.account_version to clearing_app;
grant update (valid_to) on clearing.account_version to clearing_operations;
grant update (superseded_on) on clearing.account_version to clearing_app;
grant update (superseded_on) on clearing.account_version to clearing_operations;

create table clearing.activity (
  account_number text not null,
  firm_id uuid not null,
  process_date date not null,
  sequence bigint not null,
  external_id text not null,
  acct_type smallint not null,
  trans_type text not null,
  buy_sell text,
  sec_no bigint,
  to_sec_no bigint,
  quantity clearing.units not null,
  price clearing.unit_price,
  commission clearing.money not null,
  sec_fee clearing.money not null,
  interest clearing.money not null,
  net_amount clearing.money,
  currency text not null,
  trade_date date not null,
  settle_date date not null,
  as_of_date date,
  lot_id text,
  order_id text,
  correction "char",
  tag_no text,
  fx_rate clearing.rate,
  terms jsonb,
  load_id uuid not null,
  entered_on date not null,
  record text not null,
  entry_no bigint,
  ledger clearing.ledger[],
  asset text[],
  amount numeric[],
  constraint activity_pkey PRIMARY KEY (account_number, process_date, sequence),
  constraint activity_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint activity_amounts CHECK (((entry_no IS NULL) OR (('100000000000000000000'::numeric > ALL (amount)) AND ('-100000000000000000000'::numeric < ALL (amount)) AND (array_position(asset, NULL::text) IS NULL) AND (array_position(amount, NULL::numeric) IS NULL)))),
  constraint activity_balances CHECK (clearing.balances(asset, amount)),
  constraint activity_buy_sell_check CHECK ((buy_sell = ANY (ARRAY['BUY'::text, 'SEL'::text, 'SSL'::text, 'BCV'::text]))),
  constraint activity_check CHECK (((correction IS NULL) = (tag_no IS NULL))),
  constraint activity_correction_check CHECK ((correction = ANY (ARRAY['C'::"char", 'R'::"char"]))),
  constraint activity_entry_no_check CHECK (((entry_no > 0) AND (num_nulls(entry_no, ledger, asset, amount) = ANY (ARRAY[0, 4])))),
  constraint activity_legs CHECK (((cardinality(ledger) >= 2) AND (cardinality(ledger) = cardinality(asset)) AND (cardinality(ledger) = cardinality(amount)))),
  constraint activity_sequence_check CHECK ((sequence > 0))
) partition by RANGE (process_date);
alter table clearing.activity enable row level security;
alter table clearing.activity force row level security;
CREATE INDEX activity_entered ON ONLY clearing.activity USING btree (entered_on, account_number);
CREATE INDEX activity_security ON ONLY clearing.activity USING btree (account_number, sec_no);
CREATE INDEX activity_security_received ON ONLY clearing.activity USING btree (account_number, to_sec_no) WHERE (to_sec_no IS NOT NULL);
create policy all_rows on clearing.activity for all to clearing_operations using (true);
create policy firm_rows on clearing.activity for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.activity for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.activity REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.activity to clearing_operations;
grant select on clearing.activity to clearing_app;

create table clearing.activity_key (
  firm_id uuid not null,
  external_id text not null,
  account_number text not null,
  process_date date not null,
  sequence bigint not null,
  constraint activity_key_pkey PRIMARY KEY (firm_id, external_id)
);
alter table clearing.activity_key enable row level security;
alter table clearing.activity_key force row level security;
create policy all_rows on clearing.activity_key for all to clearing_operations using (true);
create policy firm_rows on clearing.activity_key for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.activity_key for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.activity_key REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.activity_key to clearing_operations;
grant select on clearing.activity_key to clearing_app;

create table clearing.announced_entitlement (
  external_id text not null,
  account_number text not null,
  acct_type smallint not null,
  firm_id uuid not null,
  quantity clearing.units not null,
  elections jsonb default '[]'::jsonb not null,
  elected_by text,
  elected_at timestamp with time zone,
  state text default 'Expected'::text not null,
  reason text default ''::text not null,
  lines jsonb default '[]'::jsonb not null,
  version integer default 0 not null,
  constraint announced_entitlement_pkey PRIMARY KEY (external_id, account_number, acct_type),
  constraint announced_entitlement_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint announced_entitlement_state_check CHECK ((state = ANY (ARRAY['Expected'::text, 'Booked'::text, 'Nothing'::text, 'ByFeed'::text, 'Refused'::text, 'Reversed'::text]))),
  constraint announced_entitlement_version_check CHECK ((version >= 0)),
  constraint announced_entitlement_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.announced_entitlement enable row level security;
alter table clearing.announced_entitlement force row level security;
CREATE INDEX announced_entitlement_account ON clearing.announced_entitlement USING btree (account_number, external_id);
CREATE INDEX announced_entitlement_refused ON clearing.announced_entitlement USING btree (external_id, account_number) WHERE (state = 'Refused'::text);
create policy all_rows on clearing.announced_entitlement for all to clearing_operations using (true);
create policy firm_rows on clearing.announced_entitlement for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.announced_entitlement for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.announced_entitlement to clearing_app;
grant insert, select, update on clearing.announced_entitlement to clearing_operations;

create table clearing.announcement (
  external_id text not null,
  type text not null,
  sec_no bigint not null,
  record_date date,
  ex_date date not null,
  pay_date date not null,
  book_on date not null,
  deadline date,
  default_option text not null,
  options jsonb not null,
  announced_at timestamp with time zone not null,
  load_id uuid not null,
  state text default 'Announced'::text not null,
  cancelled_by text,
  cancelled_at timestamp with time zone,
  examined_on date,
  version integer default 1 not null,
  amended_at timestamp with time zone,
  constraint announcement_pkey PRIMARY KEY (external_id),
  constraint announcement_cancelled_by_key UNIQUE (cancelled_by),
  constraint announcement_check CHECK (((cancelled_by IS NULL) = (state = ANY (ARRAY['Announced'::text, 'Booked'::text, 'Amending'::text])))) NOT VALID,
  constraint announcement_state_check CHECK ((state = ANY (ARRAY['Announced'::text, 'Booked'::text, 'Amending'::text, 'Cancelling'::text, 'Cancelled'::text]))) NOT VALID,
  constraint announcement_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id),
  constraint announcement_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
CREATE INDEX announcement_order ON clearing.announcement USING btree (pay_date, external_id);
CREATE INDEX announcement_security ON clearing.announcement USING btree (sec_no);
CREATE INDEX announcement_with_work ON clearing.announcement USING btree (ex_date, external_id) WHERE (state = ANY (ARRAY['Announced'::text, 'Amending'::text, 'Cancelling'::text]));
grant insert, select, update on clearing.announcement to clearing_operations;
grant select on clearing.announcement to clearing_app;

create table clearing.announcement_amendment (
  external_id text not null,
  amends text not null,
  version integer not null,
  replaced jsonb not null,
  terms jsonb not null,
  amended_at timestamp with time zone not null,
  load_id uuid not null,
  constraint announcement_amendment_pkey PRIMARY KEY (external_id),
  constraint announcement_amendment_amends_version_key UNIQUE (amends, version),
  constraint announcement_amendment_version_check CHECK ((version > 1)),
  constraint announcement_amendment_amends_fkey FOREIGN KEY (amends) REFERENCES clearing.announcement(external_id),
  constraint announcement_amendment_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id)
);
grant insert, select on clearing.announcement_amendment to clearing_operations;
grant select on clearing.announcement_amendment to clearing_app;

create table clearing.audit (
  firm_id uuid not null,
  sequence bigint not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  account_number text default ''::text not null,
  target text default ''::text not null,
  trace_id text not null,
  detail text not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_pkey PRIMARY KEY (firm_id, sequence),
  constraint audit_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.audit enable row level security;
alter table clearing.audit force row level security;
CREATE INDEX audit_account ON clearing.audit USING btree (firm_id, account_number, sequence) WHERE (account_number <> ''::text);
CREATE INDEX audit_time ON clearing.audit USING btree (at, firm_id, sequence);
create policy all_rows on clearing.audit for all to clearing_operations using (true);
create policy firm_rows on clearing.audit for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.audit for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.audit to clearing_app;
grant insert, select on clearing.audit to clearing_operations;

create table clearing.audit_head (
  firm_id uuid not null,
  sequence bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (firm_id),
  constraint audit_head_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.audit_head enable row level security;
alter table clearing.audit_head force row level security;
create policy all_rows on clearing.audit_head for all to clearing_operations using (true);
create policy firm_rows on clearing.audit_head for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.audit_head for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.audit_head to clearing_app;
grant insert, select, update on clearing.audit_head to clearing_operations;

create table clearing.audit_proof (
  proof_id bigint generated always as identity not null,
  at timestamp with time zone not null,
  verified boolean not null,
  firms integer not null,
  rows bigint not null,
  reason text not null,
  constraint audit_proof_pkey PRIMARY KEY (proof_id)
);
grant insert, select on clearing.audit_proof to clearing_operations;

create table clearing.audit_signed_head (
  firm_id uuid not null,
  number bigint not null,
  sequence bigint not null,
  hash text not null,
  at text not null,
  previous text not null,
  keeps bigint,
  key_id text not null,
  signature text not null,
  copied_at timestamp with time zone default clock_timestamp() not null,
  constraint audit_signed_head_pkey PRIMARY KEY (firm_id, number)
);
alter table clearing.audit_signed_head enable row level security;
alter table clearing.audit_signed_head force row level security;
CREATE INDEX audit_signed_head_number ON clearing.audit_signed_head USING btree (number, firm_id);
create policy all_rows on clearing.audit_signed_head for all to clearing_operations using (true);
grant insert, select on clearing.audit_signed_head to clearing_operations;

create table clearing.books_break (
  break_id uuid not null,
  account_number text not null,
  firm_id uuid not null,
  kind text not null,
  external_id text default ''::text not null,
  sec_no bigint,
  acct_type smallint,
  quantity numeric,
  reason text not null,
  raised_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint books_break_pkey PRIMARY KEY (account_number, break_id),
  constraint books_break_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint books_break_quantity_check CHECK ((abs(quantity) < '1000000000000000000'::numeric))
);
alter table clearing.books_break enable row level security;
alter table clearing.books_break force row level security;
CREATE INDEX books_break_open ON clearing.books_break USING btree (account_number) WHERE (resolved_at IS NULL);
CREATE INDEX books_break_open_firm ON clearing.books_break USING btree (firm_id, raised_at, break_id) WHERE (resolved_at IS NULL);
CREATE INDEX books_break_rebill ON clearing.books_break USING btree (firm_id) WHERE ((resolved_at IS NULL) AND (kind = ANY (ARRAY['UnknownOriginal'::text, 'RebillWithoutCancel'::text])));
CREATE INDEX books_break_waiting ON clearing.books_break USING btree (raised_at, break_id) WHERE (resolved_at IS NULL);
create policy all_rows on clearing.books_break for all to clearing_operations using (true);
create policy firm_rows on clearing.books_break for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.books_break for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.books_break REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select, update on clearing.books_break to clearing_operations;
grant select on clearing.books_break to clearing_app;

create table clearing.books_proof (
  account_number text not null,
  line_count bigint not null,
  entry_count bigint not null,
  proved_at timestamp with time zone not null,
  constraint books_proof_pkey PRIMARY KEY (account_number)
);
alter table clearing.books_proof enable row level security;
alter table clearing.books_proof force row level security;
create policy all_rows on clearing.books_proof for all to clearing_operations using (true);
create policy moving_rows on clearing.books_proof for all to clearing_owner using ((account_number IN ( SELECT account.account_number
   FROM (clearing.account
     JOIN clearing.moving_firm USING (firm_id))
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.books_proof to clearing_operations;

create table clearing.business_day (
  one boolean default true not null,
  business_date date not null,
  constraint business_day_pkey PRIMARY KEY (one),
  constraint business_day_one_check CHECK (one)
);
grant insert, select, update on clearing.business_day to clearing_operations;
grant select on clearing.business_day to clearing_app;

create table clearing.business_day_close (
  close_date date not null,
  next_date date not null,
  marked_at timestamp with time zone not null,
  portions text[] not null,
  step text not null,
  portion integer default 0 not null,
  accounts bigint not null,
  positions bigint default 0 not null,
  calls_issued bigint default 0 not null,
  calls_met bigint default 0 not null,
  durations jsonb default '{}'::jsonb not null,
  trace_id text not null,
  started_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  checklist jsonb,
  accepted jsonb,
  counts_late_nights boolean default false not null,
  constraint business_day_close_pkey PRIMARY KEY (close_date),
  constraint business_day_close_check CHECK ((next_date > close_date)),
  constraint business_day_close_check1 CHECK (((step = 'Closed'::text) = (closed_at IS NOT NULL)))
);
CREATE UNIQUE INDEX business_day_closing ON clearing.business_day_close USING btree ((true)) WHERE (closed_at IS NULL);
CREATE TRIGGER keep_step BEFORE UPDATE ON clearing.business_day_close FOR EACH ROW WHEN ((old.step <> new.step)) EXECUTE FUNCTION clearing.keep_step_of_close();
CREATE TRIGGER refuse_while_moving BEFORE INSERT ON clearing.business_day_close FOR EACH ROW EXECUTE FUNCTION clearing.refuse_close_while_moving();
grant insert, select, update on clearing.business_day_close to clearing_operations;
grant select (close_date) on clearing.business_day_close to clearing_app;
grant select (next_date) on clearing.business_day_close to clearing_app;
grant select (step) on clearing.business_day_close to clearing_app;

create table clearing.business_day_portion (
  close_date date not null,
  step text not null,
  portion integer not null,
  positions bigint default 0 not null,
  calls_issued bigint default 0 not null,
  calls_met bigint default 0 not null,
  duration_ms bigint default 0 not null,
  done_at timestamp with time zone,
  by_firm boolean,
  constraint business_day_portion_pkey PRIMARY KEY (close_date, step, portion),
  constraint business_day_portion_close_date_fkey FOREIGN KEY (close_date) REFERENCES clearing.business_day_close(close_date)
);
CREATE INDEX business_day_portion_open ON clearing.business_day_portion USING btree (close_date, step, portion) WHERE (done_at IS NULL);
grant insert, select, update on clearing.business_day_portion to clearing_operations;

create table clearing.call_extension (
  account_number text not null,
  kind text not null,
  issued_on date not null,
  until date not null,
  firm_id uuid not null,
  due_by date not null,
  reason text not null,
  granted_by text not null,
  granted_at timestamp with time zone not null,
  entered_on date not null,
  constraint call_extension_pkey PRIMARY KEY (account_number, kind, issued_on, until),
  constraint call_extension_check CHECK ((due_by < until)),
  constraint call_extension_kind_check CHECK ((kind = ANY (ARRAY['Fed'::text, 'Maintenance'::text, 'Cash'::text]))),
  constraint call_extension_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.call_extension enable row level security;
alter table clearing.call_extension force row level security;
create policy all_rows on clearing.call_extension for all to clearing_operations using (true);
create policy firm_rows on clearing.call_extension for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.call_extension for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.call_extension to clearing_operations;
grant select on clearing.call_extension to clearing_app;

create table clearing.cash_balance (
  account_number text not null,
  acct_type smallint not null,
  currency text not null,
  firm_id uuid not null,
  amount clearing.money not null,
  constraint cash_balance_pkey PRIMARY KEY (account_number, acct_type, currency),
  constraint cash_balance_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3])))
) with (fillfactor=50);
alter table clearing.cash_balance enable row level security;
alter table clearing.cash_balance force row level security;
create policy all_rows on clearing.cash_balance for all to clearing_operations using (true);
create policy firm_rows on clearing.cash_balance for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.cash_balance for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.cash_balance REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select, update on clearing.cash_balance to clearing_operations;
grant select on clearing.cash_balance to clearing_app;

create table clearing.cash_ledger (
  account_number text not null,
  close_date date not null,
  firm_id uuid not null,
  unpaid jsonb not null,
  violations jsonb not null,
  look_on date,
  frozen_from date,
  frozen_until date,
  restriction_id uuid,
  constraint cash_ledger_pkey PRIMARY KEY (account_number, close_date),
  constraint cash_ledger_check CHECK (((frozen_from IS NULL) = (frozen_until IS NULL))),
  constraint cash_ledger_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.cash_ledger enable row level security;
alter table clearing.cash_ledger force row level security;
create policy all_rows on clearing.cash_ledger for all to clearing_operations using (true);
create policy firm_rows on clearing.cash_ledger for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.cash_ledger for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.cash_ledger to clearing_operations;
grant select on clearing.cash_ledger to clearing_app;

create table clearing.cell_signing_key (
  kid text not null,
  cell text not null,
  public_jwk jsonb not null,
  active_from timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint cell_signing_key_pkey PRIMARY KEY (kid),
  constraint cell_signing_key_public_jwk_check CHECK ((NOT (public_jwk ? 'd'::text)))
);
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.cell_signing_key DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
grant delete, insert, select, update on clearing.cell_signing_key to clearing_operations;

create table clearing.change_request (
  change_id uuid not null,
  firm_id uuid not null,
  account_number text default ''::text not null,
  operation text not null,
  subjects text[] not null,
  request bytea not null,
  fields jsonb not null,
  version integer,
  reason text not null,
  state text default 'Requested'::text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  decided_by text,
  decided_at timestamp with time zone,
  decision_reason text,
  trace_id text not null,
  approval_needed boolean default true not null,
  approved_by text,
  approved_at timestamp with time zone,
  approval_reason text,
  customer_ids text[],
  constraint change_request_pkey PRIMARY KEY (change_id),
  constraint approver_is_not_maker CHECK (((approved_by IS NULL) OR (lower(approved_by) <> lower(requested_by)))) NOT VALID,
  constraint change_request_check CHECK ((((state = 'Requested'::text) = (decided_by IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)))),
  constraint change_request_state_check CHECK ((state = ANY (ARRAY['Requested'::text, 'Approved'::text, 'Rejected'::text, 'Withdrawn'::text]))),
  constraint change_request_subjects_check CHECK ((cardinality(subjects) > 0)),
  constraint maker_is_not_checker CHECK (
CASE
    WHEN (state = 'Withdrawn'::text) THEN ((decided_by = requested_by) OR ((decided_by || requested_by) !~~ '%@%'::text))
    ELSE ((decided_by IS NULL) OR (lower(decided_by) <> lower(requested_by)))
END) NOT VALID,
  constraint change_request_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.change_request enable row level security;
alter table clearing.change_request force row level security;
CREATE INDEX change_request_account ON clearing.change_request USING btree (account_number, requested_at) WHERE (account_number <> ''::text);
CREATE INDEX change_request_newest ON clearing.change_request USING btree (requested_at, change_id);
CREATE INDEX change_request_waiting ON clearing.change_request USING btree (requested_at, change_id) WHERE (state = 'Requested'::text);
CREATE INDEX change_request_waiting_account ON clearing.change_request USING btree (account_number, requested_at) WHERE (state = 'Requested'::text);
CREATE INDEX change_request_waiting_firm ON clearing.change_request USING btree (firm_id, requested_at, change_id) WHERE (state = 'Requested'::text);
create policy all_rows on clearing.change_request for all to clearing_operations using (true);
create policy firm_rows on clearing.change_request for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy firm_withdraws on clearing.change_request as restrictive for update to clearing_app using (true) with check (((state = 'Withdrawn'::text) OR ((state = 'Rejected'::text) AND (decided_by = 'service'::text) AND (operation = 'decide-match'::text))));
create policy moving_rows on clearing.change_request for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER keep_decided BEFORE UPDATE ON clearing.change_request FOR EACH ROW WHEN ((old.state <> 'Requested'::text)) EXECUTE FUNCTION clearing.keep_change_decided();
grant insert, select on clearing.change_request to clearing_app;
grant insert, select, update on clearing.change_request to clearing_operations;
grant update (state) on clearing.change_request to clearing_app;
grant update (decided_by) on clearing.change_request to clearing_app;
grant update (decided_at) on clearing.change_request to clearing_app;
grant update (decision_reason) on clearing.change_request to clearing_app;

create table clearing.client_assertion (
  assertion_hash text not null,
  expires_at timestamp with time zone not null,
  constraint client_assertion_pkey PRIMARY KEY (assertion_hash)
);
CREATE INDEX client_assertion_expiry ON clearing.client_assertion USING btree (expires_at);
grant delete, insert, select on clearing.client_assertion to clearing_operations;

create table clearing.close_acceptance (
  close_date date not null,
  reason text not null,
  accepted_by text not null,
  approved_by text not null,
  approved_at timestamp with time zone not null,
  constraint close_acceptance_pkey PRIMARY KEY (close_date),
  constraint close_acceptance_check CHECK ((lower(accepted_by) <> lower(approved_by)))
);
grant insert, select, update on clearing.close_acceptance to clearing_operations;

create table clearing.closing (
  account_number text not null,
  external_id text not null,
  ordinal integer not null,
  revision bigint not null,
  firm_id uuid not null,
  gone boolean default false not null,
  kind text not null,
  sec_no bigint not null,
  acct_type smallint not null,
  lot_id text not null,
  opened_by text not null,
  quantity clearing.units not null,
  open_date date not null,
  holding_start date not null,
  close_date date not null,
  settle_date date not null,
  proceeds clearing.money not null,
  cost clearing.money not null,
  wash_added clearing.money not null,
  gain clearing.money not null,
  cost_known boolean not null,
  term text not null,
  open_fx_rate clearing.rate,
  close_fx_rate clearing.rate,
  constraint closing_pkey PRIMARY KEY (account_number, external_id, ordinal, revision),
  constraint closing_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint closing_term_check CHECK ((term = ANY (ARRAY['Long'::text, 'Short'::text])))
);
alter table clearing.closing enable row level security;
alter table clearing.closing force row level security;
create policy all_rows on clearing.closing for all to clearing_operations using (true);
create policy firm_rows on clearing.closing for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.closing for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.closing REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.closing to clearing_operations;
grant select on clearing.closing to clearing_app;

create table clearing.conversion_terms (
  sec_no bigint not null,
  converts_to text not null,
  conversion_ratio numeric not null,
  constraint conversion_terms_pkey PRIMARY KEY (sec_no),
  constraint conversion_terms_conversion_ratio_check CHECK (((conversion_ratio > (0)::numeric) AND (conversion_ratio < '1000000000000000000'::numeric) AND (scale(conversion_ratio) <= 10))),
  constraint conversion_terms_converts_to_check CHECK (((length(converts_to) >= 1) AND (length(converts_to) <= 12))) NOT VALID,
  constraint conversion_terms_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
grant delete, insert, select, update on clearing.conversion_terms to clearing_operations;
grant select on clearing.conversion_terms to clearing_app;

create table clearing.corporate_action (
  sec_no bigint not null,
  trans_type text not null,
  effective_date date not null,
  firm_id uuid not null,
  external_id text not null,
  entered_on date not null,
  constraint corporate_action_pkey PRIMARY KEY (sec_no, trans_type, effective_date),
  constraint corporate_action_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id),
  constraint corporate_action_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
alter table clearing.corporate_action enable row level security;
alter table clearing.corporate_action force row level security;
CREATE INDEX corporate_action_entered ON clearing.corporate_action USING btree (entered_on);
CREATE INDEX corporate_action_line ON clearing.corporate_action USING btree (external_id);
create policy all_rows on clearing.corporate_action for all to clearing_operations using (true);
create policy market_rows on clearing.corporate_action for select to clearing_app using (true);
CREATE TRIGGER note_delete AFTER DELETE ON clearing.corporate_action REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
CREATE TRIGGER note_insert AFTER INSERT ON clearing.corporate_action REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant delete, insert, select on clearing.corporate_action to clearing_operations;
grant select (sec_no) on clearing.corporate_action to clearing_app;
grant select (trans_type) on clearing.corporate_action to clearing_app;
grant select (effective_date) on clearing.corporate_action to clearing_app;
grant select (entered_on) on clearing.corporate_action to clearing_app;

create table clearing.correction (
  account_number text not null,
  tag_no text not null,
  sequence bigint not null,
  firm_id uuid not null,
  correction "char" not null,
  sec_no bigint not null,
  constraint correction_pkey PRIMARY KEY (account_number, tag_no, sequence),
  constraint correction_correction_check CHECK ((correction = ANY (ARRAY['C'::"char", 'R'::"char"])))
);
alter table clearing.correction enable row level security;
alter table clearing.correction force row level security;
create policy all_rows on clearing.correction for all to clearing_operations using (true);
create policy firm_rows on clearing.correction for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.correction for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.correction REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.correction to clearing_operations;
grant select on clearing.correction to clearing_app;

create table clearing.credential (
  client_id text not null,
  firm_id uuid not null,
  name text not null,
  scopes text[] not null,
  public_keys jsonb,
  generation integer default 1 not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  address_ranges text[] default '{}'::text[] not null,
  bound_tokens boolean default false not null,
  constraint credential_pkey PRIMARY KEY (client_id),
  constraint credential_firm_id_client_id_key UNIQUE (firm_id, client_id),
  constraint credential_client_id_check CHECK ((client_id ~ '^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$'::text)),
  constraint credential_generation_check CHECK ((generation > 0)),
  constraint credential_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint credential_public_keys_check CHECK ((jsonb_typeof((public_keys -> 'keys'::text)) = 'array'::text)),
  constraint credential_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint credential_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.credential enable row level security;
alter table clearing.credential force row level security;
CREATE UNIQUE INDEX credential_client_id_folded ON clearing.credential USING btree (lower(client_id));
CREATE INDEX credential_firm ON clearing.credential USING btree (firm_id);
create policy all_rows on clearing.credential for all to clearing_operations using (true);
create policy moving_rows on clearing.credential for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.credential DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
CREATE TRIGGER end_tokens BEFORE UPDATE ON clearing.credential FOR EACH ROW WHEN (((old.disabled_at IS NULL) AND (new.disabled_at IS NOT NULL))) EXECUTE FUNCTION clearing.end_tokens_of_credential();
grant insert, select, update on clearing.credential to clearing_operations;

create table clearing.credential_secret (
  secret_id uuid not null,
  client_id text not null,
  firm_id uuid not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint credential_secret_pkey PRIMARY KEY (secret_id),
  constraint credential_secret_secret_hash_check CHECK ((length(secret_hash) = 32)),
  constraint credential_secret_firm_id_client_id_fkey FOREIGN KEY (firm_id, client_id) REFERENCES clearing.credential(firm_id, client_id)
);
alter table clearing.credential_secret enable row level security;
alter table clearing.credential_secret force row level security;
CREATE INDEX credential_secret_client ON clearing.credential_secret USING btree (firm_id, client_id);
create policy all_rows on clearing.credential_secret for all to clearing_operations using (true);
create policy moving_rows on clearing.credential_secret for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.credential_secret DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
CREATE TRIGGER end_tokens AFTER UPDATE ON clearing.credential_secret FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION clearing.end_tokens_of_secret();
grant insert, select, update on clearing.credential_secret to clearing_operations;

create table clearing.day_account (
  close_date date not null,
  account_number text not null,
  line_count bigint not null,
  constraint day_account_pkey PRIMARY KEY (close_date, account_number),
  constraint day_account_account_number_fkey FOREIGN KEY (account_number) REFERENCES clearing.account_books(account_number)
);
grant insert, select on clearing.day_account to clearing_operations;

create table clearing.day_accrual (
  account_number text not null,
  close_date date not null,
  firm_id uuid not null,
  margin_interest numeric not null,
  margin_accrued numeric not null,
  bond_interest numeric not null,
  constraint day_accrual_pkey PRIMARY KEY (account_number, close_date),
  constraint day_accrual_figures CHECK (((GREATEST(abs(margin_interest), abs(margin_accrued), abs(bond_interest)) < 'Infinity'::numeric) AND (GREATEST(scale(margin_interest), scale(margin_accrued), scale(bond_interest)) <= 4))) NOT VALID,
  constraint day_accrual_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.day_accrual enable row level security;
alter table clearing.day_accrual force row level security;
create policy all_rows on clearing.day_accrual for all to clearing_operations using (true);
create policy firm_rows on clearing.day_accrual for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.day_accrual for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.day_accrual to clearing_operations;
grant select on clearing.day_accrual to clearing_app;

create table clearing.day_firms (
  close_date date not null,
  since date,
  facts bigint not null,
  facts_digest bytea not null,
  firms bigint not null,
  digest bytea not null,
  key_id text not null,
  signature bytea not null,
  constraint day_firms_pkey PRIMARY KEY (close_date),
  constraint day_firms_digest_check CHECK ((length(digest) = 32)),
  constraint day_firms_signature_check CHECK ((length(signature) = 64)),
  constraint day_firms_close_date_fkey FOREIGN KEY (close_date) REFERENCES clearing.day_seal(close_date),
  constraint day_firms_key_id_fkey FOREIGN KEY (key_id) REFERENCES clearing.seal_key(key_id)
);
grant insert, select on clearing.day_firms to clearing_operations;

create table clearing.day_seal (
  close_date date not null,
  previous_digest bytea not null,
  entries bigint not null,
  balances bigint not null,
  digest bytea not null,
  key_id text not null,
  signature bytea not null,
  facts bigint,
  facts_digest bytea,
  constraint day_seal_pkey PRIMARY KEY (close_date),
  constraint day_seal_digest_check CHECK ((length(digest) = 32)),
  constraint day_seal_facts CHECK ((num_nulls(facts, facts_digest) = ANY (ARRAY[0, 2]))),
  constraint day_seal_signature_check CHECK ((length(signature) = 64)),
  constraint day_seal_close_date_fkey FOREIGN KEY (close_date) REFERENCES clearing.business_day_close(close_date),
  constraint day_seal_key_id_fkey FOREIGN KEY (key_id) REFERENCES clearing.seal_key(key_id)
);
grant insert, select on clearing.day_seal to clearing_operations;

create table clearing.day_seal_portion (
  close_date date not null,
  portion integer not null,
  entries bigint not null,
  entries_digest bytea not null,
  balances bigint not null,
  balances_digest bytea not null,
  lines bigint,
  lines_digest bytea,
  constraint day_seal_portion_pkey PRIMARY KEY (close_date, portion),
  constraint day_seal_portion_lines CHECK ((num_nulls(lines, lines_digest) = ANY (ARRAY[0, 2]))),
  constraint day_seal_portion_close_date_fkey FOREIGN KEY (close_date) REFERENCES clearing.business_day_close(close_date)
);
grant insert, select on clearing.day_seal_portion to clearing_operations;

create table clearing.document (
  account_number text not null,
  document_id uuid not null,
  firm_id uuid not null,
  type_name text not null,
  reference text not null,
  catalogued boolean not null,
  display_name text not null,
  comments text not null,
  file_name text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  status text not null,
  rejection_code text,
  reason text,
  decided_by text,
  follow_up_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone,
  signed_on date,
  constraint document_pkey PRIMARY KEY (account_number, document_id),
  constraint document_document_id_key UNIQUE (document_id),
  constraint document_check CHECK (((status = 'Rejected'::text) = (rejection_code IS NOT NULL))),
  constraint document_size_bytes_check CHECK ((size_bytes > 0)),
  constraint document_status_check CHECK ((status = ANY (ARRAY['PendingApproval'::text, 'Approved'::text, 'Rejected'::text]))),
  constraint document_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.document enable row level security;
alter table clearing.document force row level security;
CREATE INDEX document_created ON clearing.document USING btree (account_number, created_at);
CREATE INDEX document_waiting ON clearing.document USING btree (created_at, document_id) WHERE (status = 'PendingApproval'::text);
CREATE INDEX document_waiting_account ON clearing.document USING btree (account_number, created_at) WHERE (status = 'PendingApproval'::text);
CREATE INDEX document_waiting_firm ON clearing.document USING btree (firm_id, created_at, document_id) WHERE (status = 'PendingApproval'::text);
create policy all_rows on clearing.document for all to clearing_operations using (true);
create policy firm_rows on clearing.document for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.document for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.document to clearing_app;
grant insert, select, update on clearing.document to clearing_operations;

create table clearing.document_store (
  only_one boolean default true not null,
  store_id uuid not null,
  noted_at timestamp with time zone default now() not null,
  constraint document_store_pkey PRIMARY KEY (only_one),
  constraint document_store_only_one_check CHECK (only_one)
);
grant insert, select on clearing.document_store to clearing_operations;

create table clearing.entity (
  entity_number text not null,
  firm_id uuid not null,
  created_at timestamp with time zone not null,
  constraint entity_pkey PRIMARY KEY (entity_number),
  constraint entity_firm_id_entity_number_key UNIQUE (firm_id, entity_number),
  constraint entity_entity_number_check CHECK ((entity_number ~ '^[0-9]{3}$'::text)),
  constraint entity_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.entity enable row level security;
alter table clearing.entity force row level security;
create policy all_rows on clearing.entity for all to clearing_operations using (true);
create policy every_number on clearing.entity for all to clearing_app using (true);
create policy moving_rows on clearing.entity for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.entity DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
grant insert, select on clearing.entity to clearing_operations;
grant select (entity_number) on clearing.entity to clearing_app;

create table clearing.entry (
  account_number text not null,
  firm_id uuid not null,
  entry_date date not null,
  entry_no bigint not null,
  of_line bigint not null,
  caused_by bigint not null,
  kind "char" not null,
  acct_type smallint not null,
  ledger clearing.ledger[] not null,
  asset text[] not null,
  amount numeric[] not null,
  constraint entry_pkey PRIMARY KEY (account_number, of_line, entry_no, entry_date),
  constraint entry_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint entry_balances CHECK (clearing.balances(asset, amount)),
  constraint entry_check CHECK (((cardinality(ledger) >= 2) AND (cardinality(ledger) = cardinality(asset)) AND (cardinality(ledger) = cardinality(amount)))),
  constraint entry_check1 CHECK ((('100000000000000000000'::numeric > ALL (amount)) AND ('-100000000000000000000'::numeric < ALL (amount)) AND (array_position(asset, NULL::text) IS NULL) AND (array_position(amount, NULL::numeric) IS NULL))),
  constraint entry_entry_no_check CHECK ((entry_no > 0)),
  constraint entry_kind_check CHECK ((kind = ANY (ARRAY['P'::"char", 'C'::"char", 'A'::"char", 'S'::"char"])))
) partition by RANGE (entry_date);
alter table clearing.entry enable row level security;
alter table clearing.entry force row level security;
create policy all_rows on clearing.entry for all to clearing_operations using (true);
create policy firm_rows on clearing.entry for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.entry for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.entry REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.entry to clearing_operations;
grant select on clearing.entry to clearing_app;

create view clearing.event with (security_invoker=true) as
SELECT event_row.event_id,
    event_row.firm_id,
    event_row.account_number,
    event_row.sequence,
    event_row.type,
    event_row.at,
    event_row.trace_id,
    event_row.content,
    event_row."position",
    event_row.transaction_id,
    event_row.entity_number,
    event_row.rep_code,
    event_row.written_at
   FROM clearing.event_row
UNION ALL
 SELECT OVERLAY(stored.event_id::text PLACING to_hex(one.k::integer) FROM 36)::uuid AS event_id,
    stored.firm_id,
    stored.account_number,
    stored.sequence + one.k AS sequence,
    one.next ->> 'type'::text AS type,
    stored.at,
    stored.trace_id,
    one.next -> 'content'::text AS content,
    stored."position" + one.k AS "position",
    stored.transaction_id,
    stored.entity_number,
    stored.rep_code,
    stored.written_at
   FROM clearing.event_row stored
     CROSS JOIN LATERAL unnest(stored.more) WITH ORDINALITY one(next, k)
  WHERE stored.more IS NOT NULL;
CREATE TRIGGER insert_event INSTEAD OF INSERT ON clearing.event FOR EACH ROW EXECUTE FUNCTION clearing.insert_event();
CREATE TRIGGER keep_event INSTEAD OF DELETE ON clearing.event FOR EACH ROW EXECUTE FUNCTION clearing.keep_event();
grant delete, insert, select on clearing.event to clearing_operations;
grant insert, select on clearing.event to clearing_app;

create table clearing.event_line (
  number integer generated always as identity not null,
  mark integer not null,
  parted_at xid8 not null,
  cluster text,
  begun_at timestamp with time zone default clock_timestamp() not null,
  constraint event_line_pkey PRIMARY KEY (number),
  constraint event_line_mark_key UNIQUE (mark),
  constraint event_line_mark_check CHECK ((mark >= 0))
);
grant insert, select, update on clearing.event_line to clearing_operations;
grant select on clearing.event_line to clearing_app;

create table clearing.event_log_before (
  firm_id uuid not null,
  moves integer not null,
  removed_transaction xid8 not null,
  removed_position bigint not null,
  transaction_id xid8 not null,
  "position" bigint not null,
  constraint event_log_before_pkey PRIMARY KEY (firm_id, moves),
  constraint event_log_before_moves_check CHECK (((moves >= 0) AND (moves <= 200))),
  constraint event_log_before_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.event_log_before enable row level security;
alter table clearing.event_log_before force row level security;
create policy all_rows on clearing.event_log_before for all to clearing_operations using (true);
create policy firm_rows on clearing.event_log_before for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.event_log_before for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant select on clearing.event_log_before to clearing_app;
grant select on clearing.event_log_before to clearing_operations;

create table clearing.event_place_before (
  firm_id uuid not null,
  moves integer not null,
  transaction_id xid8 not null,
  "position" bigint not null,
  event_id uuid not null,
  constraint event_place_before_pkey PRIMARY KEY (firm_id, moves, transaction_id, "position"),
  constraint event_place_before_event_id_fkey FOREIGN KEY (event_id) REFERENCES clearing.event_row(event_id) ON DELETE CASCADE
);
alter table clearing.event_place_before enable row level security;
alter table clearing.event_place_before force row level security;
CREATE INDEX event_place_before_event ON clearing.event_place_before USING btree (event_id);
create policy all_rows on clearing.event_place_before for all to clearing_operations using (true);
create policy firm_rows on clearing.event_place_before for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.event_place_before for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant select on clearing.event_place_before to clearing_app;
grant select on clearing.event_place_before to clearing_operations;

create table clearing.event_removal (
  one boolean default true not null,
  transaction_id xid8 not null,
  "position" bigint not null,
  constraint event_removal_pkey PRIMARY KEY (one),
  constraint event_removal_one_check CHECK (one)
);
grant select on clearing.event_removal to clearing_app;
grant select, update on clearing.event_removal to clearing_operations;

create table clearing.event_row (
  event_id uuid not null,
  firm_id uuid not null,
  account_number text default ''::text not null,
  sequence bigint not null,
  type text not null,
  at timestamp with time zone not null,
  trace_id text not null,
  content jsonb not null,
  "position" bigint generated always as identity not null,
  transaction_id xid8 default pg_current_xact_id() not null,
  entity_number text default ''::text not null,
  rep_code text default ''::text not null,
  written_at timestamp with time zone default clock_timestamp() not null,
  more jsonb[],
  constraint event_pkey PRIMARY KEY (event_id),
  constraint event_more CHECK (((more IS NULL) OR (((cardinality(more) >= 1) AND (cardinality(more) <= 15)) AND ((event_id)::text ~~ '%0'::text)))) NOT VALID
);
alter table clearing.event_row enable row level security;
alter table clearing.event_row force row level security;
CREATE INDEX event_cursor ON clearing.event_row USING btree (firm_id, transaction_id, "position");
CREATE UNIQUE INDEX event_sequence ON clearing.event_row USING btree (account_number, sequence) WHERE (account_number <> ''::text);
CREATE INDEX event_with_more ON clearing.event_row USING btree (firm_id, transaction_id) WHERE (more IS NOT NULL);
create policy all_rows on clearing.event_row for all to clearing_operations using (true);
create policy firm_rows on clearing.event_row for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.event_row for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER announce AFTER INSERT ON clearing.event_row FOR EACH STATEMENT EXECUTE FUNCTION clearing.announce_events();
CREATE TRIGGER complete BEFORE INSERT ON clearing.event_row FOR EACH ROW WHEN (((new.account_number <> ''::text) AND (new.entity_number = ''::text))) EXECUTE FUNCTION clearing.complete_event();
grant delete, insert, select on clearing.event_row to clearing_operations;
grant insert, select on clearing.event_row to clearing_app;

create table clearing.firm (
  firm_id uuid not null,
  name text not null,
  settings jsonb default '{}'::jsonb not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint firm_pkey PRIMARY KEY (firm_id),
  constraint firm_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint firm_settings_check CHECK ((jsonb_typeof(settings) = 'object'::text))
);
alter table clearing.firm enable row level security;
alter table clearing.firm force row level security;
create policy all_rows on clearing.firm for all to clearing_operations using (true);
create policy firm_rows on clearing.firm for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.firm for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.firm DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
CREATE TRIGGER end_tokens AFTER UPDATE ON clearing.firm FOR EACH ROW WHEN (((old.disabled_at IS NULL) AND (new.disabled_at IS NOT NULL))) EXECUTE FUNCTION clearing.end_tokens_of_firm();
grant insert, select, update on clearing.firm to clearing_operations;
grant select on clearing.firm to clearing_app;

create table clearing.firm_key (
  firm_id uuid not null,
  purpose text not null,
  key_id bigint not null,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamp with time zone not null,
  constraint firm_key_pkey PRIMARY KEY (firm_id, purpose, key_id),
  constraint firm_key_key_id_check CHECK (((key_id >= 1) AND (key_id <= '4294967295'::bigint))),
  constraint firm_key_purpose_check CHECK ((purpose = ANY (ARRAY['data'::text, 'index'::text]))),
  constraint firm_key_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.firm_key enable row level security;
alter table clearing.firm_key force row level security;
create policy all_rows on clearing.firm_key for all to clearing_operations using (true);
create policy firm_rows on clearing.firm_key for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.firm_key for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.firm_key to clearing_operations;
grant select on clearing.firm_key to clearing_app;

create table clearing.firm_move (
  firm_id uuid not null,
  moved_at timestamp with time zone not null,
  from_cell text not null,
  to_cell text not null,
  close_date date,
  seals_digest bytea not null,
  key_id text not null,
  signature bytea not null,
  constraint firm_move_pkey PRIMARY KEY (firm_id, moved_at),
  constraint firm_move_seals_digest_check CHECK ((length(seals_digest) = 32)),
  constraint firm_move_signature_check CHECK ((length(signature) = 64))
);
grant insert, select on clearing.firm_move to clearing_operations;

create table clearing.firm_seal (
  firm_id uuid not null,
  close_date date not null,
  since date,
  afterwards boolean not null,
  previous_digest bytea not null,
  digest bytea not null,
  key_id text not null,
  signature bytea not null,
  constraint firm_seal_pkey PRIMARY KEY (firm_id, close_date),
  constraint firm_seal_digest_check CHECK ((length(digest) = 32)),
  constraint firm_seal_signature_check CHECK ((length(signature) = 64))
);
CREATE INDEX firm_seal_day ON clearing.firm_seal USING btree (close_date, firm_id);
create policy moving_rows on clearing.firm_seal for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.firm_seal to clearing_operations;

create table clearing.firm_seal_portion (
  firm_id uuid not null,
  close_date date not null,
  up_to text collate "C" not null,
  entries bigint not null,
  entries_digest bytea not null,
  balances bigint not null,
  balances_digest bytea not null,
  lines bigint not null,
  lines_digest bytea not null,
  facts bigint not null,
  facts_digest bytea not null,
  constraint firm_seal_portion_pkey PRIMARY KEY (close_date, up_to, firm_id)
);
CREATE INDEX firm_seal_portion_firm ON clearing.firm_seal_portion USING btree (firm_id, close_date, up_to);
create policy moving_rows on clearing.firm_seal_portion for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.firm_seal_portion to clearing_operations;

create table clearing.fund_accrual (
  account_number text not null,
  sec_no bigint not null,
  close_date date not null,
  firm_id uuid not null,
  interest numeric not null,
  constraint fund_accrual_pkey PRIMARY KEY (account_number, sec_no, close_date),
  constraint fund_accrual_figures CHECK (((abs(interest) < 'Infinity'::numeric) AND (scale(interest) <= 4))) NOT VALID,
  constraint fund_accrual_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number),
  constraint fund_accrual_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
alter table clearing.fund_accrual enable row level security;
alter table clearing.fund_accrual force row level security;
create policy all_rows on clearing.fund_accrual for all to clearing_operations using (true);
create policy firm_rows on clearing.fund_accrual for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.fund_accrual for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.fund_accrual to clearing_operations;
grant select on clearing.fund_accrual to clearing_app;

create table clearing.fx_rate (
  currency text not null,
  rate_date date not null,
  rate clearing.rate not null,
  entered_on date,
  constraint fx_rate_pkey PRIMARY KEY (currency, rate_date),
  constraint fx_rate_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE INDEX fx_rate_entered ON clearing.fx_rate USING btree (entered_on) WHERE (entered_on IS NOT NULL);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.fx_rate REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
CREATE TRIGGER note_update AFTER UPDATE ON clearing.fx_rate REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select, update on clearing.fx_rate to clearing_operations;
grant select on clearing.fx_rate to clearing_app;

create table clearing.fx_rate_correction (
  currency text not null,
  rate_date date not null,
  version integer not null,
  correction_id text not null,
  rate clearing.rate not null,
  load_id uuid not null,
  entered_on date not null,
  constraint fx_rate_correction_pkey PRIMARY KEY (currency, rate_date, version),
  constraint fx_rate_correction_id UNIQUE (currency, rate_date, correction_id),
  constraint fx_rate_correction_correction_id_check CHECK (((length(correction_id) >= 1) AND (length(correction_id) <= 100))),
  constraint fx_rate_correction_version_check CHECK ((version > 0)),
  constraint fx_rate_correction_currency_rate_date_fkey FOREIGN KEY (currency, rate_date) REFERENCES clearing.fx_rate(currency, rate_date)
);
CREATE INDEX fx_rate_correction_entered ON clearing.fx_rate_correction USING btree (entered_on);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.fx_rate_correction REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select on clearing.fx_rate_correction to clearing_operations;
grant select on clearing.fx_rate_correction to clearing_app;

create table clearing.held_away (
  account_number text not null,
  sec_no bigint not null,
  acct_type smallint not null,
  custodian text not null,
  as_of date not null,
  firm_id uuid not null,
  quantity clearing.units not null,
  cost clearing.money,
  open_date date,
  load_id uuid not null,
  entered_on date,
  constraint held_away_pkey PRIMARY KEY (account_number, sec_no, acct_type, custodian, as_of),
  constraint held_away_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint held_away_cost_check CHECK (((cost)::numeric >= (0)::numeric)),
  constraint held_away_quantity_check CHECK (((quantity)::numeric >= (0)::numeric)),
  constraint held_away_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number),
  constraint held_away_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
alter table clearing.held_away enable row level security;
alter table clearing.held_away force row level security;
CREATE INDEX held_away_entered ON clearing.held_away USING btree (entered_on) WHERE (entered_on IS NOT NULL);
create policy all_rows on clearing.held_away for all to clearing_operations using (true);
create policy firm_rows on clearing.held_away for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.held_away for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER note_insert AFTER INSERT ON clearing.held_away REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select on clearing.held_away to clearing_operations;
grant select on clearing.held_away to clearing_app;

create table clearing.held_away_correction (
  account_number text not null,
  sec_no bigint not null,
  acct_type smallint not null,
  custodian text not null,
  as_of date not null,
  version integer not null,
  correction_id text not null,
  firm_id uuid not null,
  quantity clearing.units not null,
  cost clearing.money,
  open_date date,
  load_id uuid not null,
  entered_on date not null,
  constraint held_away_correction_pkey PRIMARY KEY (account_number, sec_no, acct_type, custodian, as_of, version),
  constraint held_away_correction_id UNIQUE (account_number, sec_no, acct_type, custodian, as_of, correction_id),
  constraint held_away_correction_correction_id_check CHECK (((length(correction_id) >= 1) AND (length(correction_id) <= 100))),
  constraint held_away_correction_cost_check CHECK (((cost)::numeric >= (0)::numeric)),
  constraint held_away_correction_quantity_check CHECK (((quantity)::numeric >= (0)::numeric)),
  constraint held_away_correction_version_check CHECK ((version > 0)),
  constraint held_away_correction_account_number_sec_no_acct_type_custo_fkey FOREIGN KEY (account_number, sec_no, acct_type, custodian, as_of) REFERENCES clearing.held_away(account_number, sec_no, acct_type, custodian, as_of)
);
alter table clearing.held_away_correction enable row level security;
alter table clearing.held_away_correction force row level security;
CREATE INDEX held_away_correction_entered ON clearing.held_away_correction USING btree (entered_on);
create policy all_rows on clearing.held_away_correction for all to clearing_operations using (true);
create policy firm_rows on clearing.held_away_correction for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.held_away_correction for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER note_insert AFTER INSERT ON clearing.held_away_correction REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select on clearing.held_away_correction to clearing_operations;
grant select on clearing.held_away_correction to clearing_app;

create table clearing.holding (
  account_number text not null,
  sec_no bigint not null,
  firm_id uuid not null,
  pending_losses jsonb,
  in_transit jsonb,
  parts integer default 0 not null,
  restated_on date,
  quantity_cash clearing.units not null,
  quantity_margin clearing.units not null,
  quantity_short clearing.units not null,
  last_date date not null,
  last_at_day_end boolean not null,
  lots json,
  constraint holding_pkey PRIMARY KEY (account_number, sec_no)
) with (fillfactor=50);
alter table clearing.holding enable row level security;
alter table clearing.holding force row level security;
CREATE INDEX holding_security ON clearing.holding USING btree (sec_no, account_number);
create policy all_rows on clearing.holding for all to clearing_operations using (true);
create policy firm_rows on clearing.holding for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.holding for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.holding REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select, update on clearing.holding to clearing_operations;
grant select on clearing.holding to clearing_app;

create table clearing.idempotency (
  firm_id uuid not null,
  client_id text not null,
  operation text not null,
  kind text not null,
  key_hash bytea not null,
  request_digest bytea not null,
  answer bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (firm_id, client_id, operation, kind, key_hash),
  constraint idempotency_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint idempotency_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'repeat'::text]))),
  constraint idempotency_request_digest_check CHECK ((length(request_digest) = 32)),
  constraint idempotency_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
) with (toast_tuple_target=8160);
alter table clearing.idempotency enable row level security;
alter table clearing.idempotency force row level security;
CREATE INDEX idempotency_expiry ON clearing.idempotency USING btree (expires_at);
create policy all_rows on clearing.idempotency for all to clearing_operations using (true);
create policy firm_rows on clearing.idempotency for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.idempotency for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select on clearing.idempotency to clearing_app;
grant delete, insert, select on clearing.idempotency to clearing_operations;

create table clearing.identity_version (
  one boolean default true not null,
  version bigint not null,
  changed_by xid8 not null,
  constraint identity_version_pkey PRIMARY KEY (one),
  constraint identity_version_one_check CHECK (one)
);
grant select, update on clearing.identity_version to clearing_operations;

create table clearing.incident (
  incident_id uuid not null,
  title text not null,
  components text[] not null,
  impact text not null,
  state text not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint incident_pkey PRIMARY KEY (incident_id),
  constraint incident_check CHECK (((state = 'Resolved'::text) = (resolved_at IS NOT NULL))),
  constraint incident_components_check CHECK ((cardinality(components) > 0))
);
CREATE INDEX incident_in_order ON clearing.incident USING btree (opened_at, incident_id);
grant insert, select, update on clearing.incident to clearing_operations;

create table clearing.incident_update (
  incident_id uuid not null,
  number integer not null,
  state text not null,
  impact text not null,
  text text not null,
  at timestamp with time zone not null,
  constraint incident_update_pkey PRIMARY KEY (incident_id, number),
  constraint incident_update_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES clearing.incident(incident_id)
);
grant insert, select on clearing.incident_update to clearing_operations;

create table clearing.interest_line (
  account_number text not null,
  external_id text not null,
  firm_id uuid not null,
  close_date date not null,
  taken numeric not null,
  constraint interest_line_pkey PRIMARY KEY (account_number, external_id),
  constraint interest_line_taken_check CHECK (((abs(taken) < 'Infinity'::numeric) AND (scale(taken) <= 4))),
  constraint interest_line_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.interest_line enable row level security;
alter table clearing.interest_line force row level security;
create policy all_rows on clearing.interest_line for all to clearing_operations using (true);
create policy firm_rows on clearing.interest_line for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.interest_line for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.interest_line to clearing_operations;
grant select on clearing.interest_line to clearing_app;

create view clearing.journal with (security_invoker=true) as
SELECT activity.account_number,
    activity.firm_id,
    activity.entered_on AS entry_date,
    activity.entry_no,
    activity.sequence AS of_line,
    activity.sequence AS caused_by,
    'P'::"char" AS kind,
    activity.acct_type,
    activity.ledger,
    activity.asset,
    activity.amount
   FROM clearing.activity
  WHERE activity.entry_no IS NOT NULL
UNION ALL
 SELECT entry.account_number,
    entry.firm_id,
    entry.entry_date,
    entry.entry_no,
    entry.of_line,
    entry.caused_by,
    entry.kind,
    entry.acct_type,
    entry.ledger,
    entry.asset,
    entry.amount
   FROM clearing.entry;
grant select on clearing.journal to clearing_app;
grant select on clearing.journal to clearing_operations;

create table clearing.list_view (
  view_id uuid not null,
  owner text not null,
  screen text not null,
  name text not null,
  shared boolean not null,
  search text not null,
  saved_at timestamp with time zone not null,
  constraint list_view_pkey PRIMARY KEY (view_id),
  constraint list_view_owner_screen_name_key UNIQUE (owner, screen, name),
  constraint list_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint list_view_screen_check CHECK (((length(screen) >= 1) AND (length(screen) <= 60))),
  constraint list_view_search_check CHECK ((length(search) <= 2000))
);
CREATE INDEX list_view_shared ON clearing.list_view USING btree (screen, owner) WHERE shared;
grant delete, insert, select, update on clearing.list_view to clearing_operations;

create table clearing.listed_person (
  match_id uuid not null,
  part smallint not null,
  list_name text not null,
  list_version text not null,
  entry_id text not null,
  entry_version text not null,
  matched_name text not null,
  person_index bytea,
  name_index bytea,
  facts bytea not null,
  confirmed_at timestamp with time zone not null,
  trace_id text not null,
  after_firm uuid,
  accounts integer default 0 not null,
  ended_at timestamp with time zone,
  constraint listed_person_pkey PRIMARY KEY (match_id, part)
);
alter table clearing.listed_person enable row level security;
alter table clearing.listed_person force row level security;
CREATE INDEX listed_person_name ON clearing.listed_person USING btree (name_index) WHERE (name_index IS NOT NULL);
CREATE INDEX listed_person_person ON clearing.listed_person USING btree (person_index) WHERE (person_index IS NOT NULL);
CREATE INDEX listed_person_running ON clearing.listed_person USING btree (confirmed_at) WHERE (ended_at IS NULL);
create policy all_rows on clearing.listed_person for all to clearing_operations using (true);
create policy known_rows on clearing.listed_person for select to clearing_app using (true);
CREATE TRIGGER refuse_while_moving BEFORE INSERT ON clearing.listed_person FOR EACH ROW EXECUTE FUNCTION clearing.refuse_close_while_moving();
grant insert, select, update on clearing.listed_person to clearing_operations;
grant select (list_name) on clearing.listed_person to clearing_app;
grant select (entry_id) on clearing.listed_person to clearing_app;
grant select (person_index) on clearing.listed_person to clearing_app;
grant select (name_index) on clearing.listed_person to clearing_app;
grant select (confirmed_at) on clearing.listed_person to clearing_app;

create table clearing.load (
  load_id uuid not null,
  kind text not null,
  state text default 'Running'::text not null,
  client_id text not null,
  trace_id text not null,
  received bigint default 0 not null,
  accepted bigint default 0 not null,
  duplicates bigint default 0 not null,
  rejected bigint default 0 not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  pending bigint default 0 not null,
  conflicts bigint default 0 not null,
  looked_at timestamp with time zone,
  looked_by text default ''::text not null,
  source text default ''::text not null,
  constraint load_pkey PRIMARY KEY (load_id),
  constraint load_adds_up CHECK ((received = (((accepted + duplicates) + conflicts) + rejected))) NOT VALID,
  constraint load_check1 CHECK (((state = 'Running'::text) = (ended_at IS NULL))),
  constraint load_state_check CHECK ((state = ANY (ARRAY['Running'::text, 'Complete'::text, 'CutOff'::text])))
);
CREATE INDEX load_to_look_at ON clearing.load USING btree (started_at) WHERE ((looked_by = ''::text) AND ((rejected > 0) OR (state <> 'Complete'::text)));
grant insert, select, update on clearing.load to clearing_operations;

create table clearing.load_part (
  load_id uuid not null,
  part smallint not null,
  received bigint default 0 not null,
  constraint load_part_pkey PRIMARY KEY (load_id, part),
  constraint load_part_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id)
);
grant insert, select, update on clearing.load_part to clearing_operations;

create table clearing.load_reject (
  load_id uuid not null,
  line bigint not null,
  ordinal smallint not null,
  code text not null,
  field text not null,
  reason text not null,
  constraint load_reject_pkey PRIMARY KEY (load_id, line, ordinal),
  constraint load_reject_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id)
);
grant insert, select on clearing.load_reject to clearing_operations;

create table clearing.load_reject_line (
  load_id uuid not null,
  line bigint not null,
  sent text not null,
  constraint load_reject_line_pkey PRIMARY KEY (load_id, line),
  constraint load_reject_line_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id)
);
grant insert, select on clearing.load_reject_line to clearing_operations;

create table clearing.location_position (
  as_of date not null,
  location text not null,
  sec_no bigint not null,
  quantity clearing.units not null,
  load_id uuid not null,
  entered_on date not null,
  constraint location_position_pkey PRIMARY KEY (as_of, location, sec_no),
  constraint location_position_location_check CHECK (((length(location) >= 1) AND (length(location) <= 60))),
  constraint location_position_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
grant insert, select on clearing.location_position to clearing_operations;

create table clearing.location_position_correction (
  as_of date not null,
  location text not null,
  sec_no bigint not null,
  version integer not null,
  correction_id text not null,
  quantity clearing.units not null,
  load_id uuid not null,
  entered_on date not null,
  constraint location_position_correction_pkey PRIMARY KEY (as_of, location, sec_no, version),
  constraint location_position_correction_id UNIQUE (as_of, location, sec_no, correction_id),
  constraint location_position_correction_correction_id_check CHECK (((length(correction_id) >= 1) AND (length(correction_id) <= 100))),
  constraint location_position_correction_version_check CHECK ((version > 0)),
  constraint location_position_correction_as_of_location_sec_no_fkey FOREIGN KEY (as_of, location, sec_no) REFERENCES clearing.location_position(as_of, location, sec_no)
);
grant insert, select on clearing.location_position_correction to clearing_operations;

create view clearing.logged_event with (security_invoker=true) as
SELECT
        CASE
            WHEN place.k = 0 THEN stored.event_id
            ELSE OVERLAY(stored.event_id::text PLACING to_hex(place.k) FROM 36)::uuid
        END AS event_id,
    stored.firm_id,
    stored.account_number,
    stored.sequence + place.k AS sequence,
    COALESCE(place.next ->> 'type'::text, stored.type) AS type,
    stored.at,
    stored.trace_id,
    COALESCE(place.next -> 'content'::text, stored.content) AS content,
    stored."position" + place.k AS "position",
    stored.transaction_id,
    stored.entity_number,
    stored.rep_code,
    stored.written_at,
    stored.event_id AS row_id,
    stored."position" AS row_position
   FROM clearing.event_row stored
     CROSS JOIN LATERAL ( SELECT one.next,
            (one.number - 1)::integer AS k
           FROM unnest(array_prepend(NULL::jsonb, stored.more)) WITH ORDINALITY one(next, number)) place;
grant select on clearing.logged_event to clearing_app;
grant select on clearing.logged_event to clearing_operations;

create view clearing.lot with (security_invoker=true) as
SELECT holding.account_number,
    holding.sec_no,
    lot.id AS lot_id,
    holding.firm_id,
    lot.type AS acct_type,
    COALESCE(lot.by, lot.id) AS opened_by,
    lot.via,
    COALESCE(lot."order", lot.by, lot.id) AS order_id,
    lot.quantity,
    lot.cost,
    COALESCE(lot.known, true) AS cost_known,
    lot.opened AS open_date,
    COALESCE(lot.start, lot.opened) AS holding_start,
    lot.entry,
    lot.place,
    COALESCE(lot.replaces, true) AS can_replace,
    COALESCE(lot.wash, 0::numeric) AS wash_added,
    lot.fx AS fx_rate
   FROM clearing.holding
     CROSS JOIN LATERAL ROWS FROM(json_to_recordset(holding.lots) AS (id text, type smallint, by text, via text, "order" text, quantity numeric, cost numeric, known boolean, opened date, start date, entry bigint, replaces boolean, wash numeric, fx numeric)) WITH ORDINALITY lot(id, type, by, via, "order", quantity, cost, known, opened, start, entry, replaces, wash, fx, place);
grant select on clearing.lot to clearing_app;
grant select on clearing.lot to clearing_operations;

create table clearing.margin_call (
  account_number text not null,
  kind text not null,
  issued_on date not null,
  firm_id uuid not null,
  due_by date not null,
  amount numeric not null,
  outstanding numeric not null,
  aged_on date not null,
  age_days integer not null,
  met_on date,
  constraint margin_call_pkey PRIMARY KEY (account_number, kind, issued_on),
  constraint margin_call_figures CHECK ((((amount > (0)::numeric) OR ((kind = 'Intraday'::text) AND (amount = (0)::numeric) AND (outstanding = (0)::numeric))) AND (outstanding >= (0)::numeric) AND (((met_on IS NULL) AND (outstanding > (0)::numeric)) OR ((met_on IS NOT NULL) AND ((outstanding = (0)::numeric) OR (kind = 'Intraday'::text)))) AND (GREATEST(amount, outstanding) < 'Infinity'::numeric) AND (GREATEST(scale(amount), scale(outstanding)) <= 4))) NOT VALID,
  constraint margin_call_kind_check CHECK ((kind = ANY (ARRAY['Fed'::text, 'Maintenance'::text, 'Cash'::text, 'Intraday'::text]))) NOT VALID,
  constraint margin_call_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.margin_call enable row level security;
alter table clearing.margin_call force row level security;
CREATE INDEX margin_call_open ON clearing.margin_call USING btree (account_number) WHERE (met_on IS NULL);
CREATE INDEX margin_call_open_firm ON clearing.margin_call USING btree (firm_id, ((issued_on)::timestamp without time zone AT TIME ZONE 'America/New_York'::text), account_number, kind) WHERE (met_on IS NULL);
CREATE INDEX margin_call_open_since ON clearing.margin_call USING btree (((issued_on)::timestamp without time zone AT TIME ZONE 'America/New_York'::text), account_number, kind) WHERE (met_on IS NULL);
CREATE INDEX margin_call_waiting ON clearing.margin_call USING btree (issued_on, account_number, kind) WHERE (met_on IS NULL);
create policy all_rows on clearing.margin_call for all to clearing_operations using (true);
create policy firm_rows on clearing.margin_call for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.margin_call for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.margin_call to clearing_operations;
grant select on clearing.margin_call to clearing_app;

create table clearing.margin_call_day (
  account_number text not null,
  kind text not null,
  issued_on date not null,
  aged_on date not null,
  firm_id uuid not null,
  due_by date not null,
  amount numeric not null,
  outstanding numeric not null,
  age_days integer not null,
  met_on date,
  constraint margin_call_day_pkey PRIMARY KEY (account_number, kind, issued_on, aged_on),
  constraint margin_call_day_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.margin_call_day enable row level security;
alter table clearing.margin_call_day force row level security;
create policy all_rows on clearing.margin_call_day for all to clearing_operations using (true);
create policy firm_rows on clearing.margin_call_day for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.margin_call_day for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.margin_call_day to clearing_operations;
grant select on clearing.margin_call_day to clearing_app;

create table clearing.margin_interest (
  account_number text not null,
  close_date date not null,
  of_date date not null,
  firm_id uuid not null,
  debit numeric not null,
  debit_before numeric,
  rates numeric[] not null,
  interest numeric not null,
  constraint margin_interest_pkey PRIMARY KEY (account_number, close_date, of_date),
  constraint margin_interest_check CHECK ((of_date <= close_date)),
  constraint margin_interest_check1 CHECK (((debit_before IS NULL) = (of_date = close_date))),
  constraint margin_interest_figures CHECK (((debit >= (0)::numeric) AND (debit_before >= (0)::numeric) AND (GREATEST(debit, debit_before, abs(interest)) < 'Infinity'::numeric) AND (GREATEST(scale(debit), scale(debit_before), scale(interest)) <= 4))),
  constraint margin_interest_interest_check CHECK ((interest <> (0)::numeric)),
  constraint margin_interest_rates_check CHECK ((cardinality(rates) > 0)),
  constraint margin_interest_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.margin_interest enable row level security;
alter table clearing.margin_interest force row level security;
create policy all_rows on clearing.margin_interest for all to clearing_operations using (true);
create policy firm_rows on clearing.margin_interest for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.margin_interest for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.margin_interest to clearing_operations;
grant select on clearing.margin_interest to clearing_app;

create table clearing.margin_ledger (
  account_number text not null,
  close_date date not null,
  firm_id uuid not null,
  sma numeric not null,
  reg_t_calls jsonb not null,
  maintenance_call jsonb,
  equity numeric not null,
  maintenance_excess numeric not null,
  interest_accrued numeric default 0 not null,
  line_count bigint not null,
  constraint margin_ledger_pkey PRIMARY KEY (account_number, close_date),
  constraint margin_ledger_figures CHECK (((sma >= (0)::numeric) AND (GREATEST(sma, abs(equity), abs(maintenance_excess), abs(interest_accrued)) < 'Infinity'::numeric) AND (GREATEST(scale(sma), scale(equity), scale(maintenance_excess), scale(interest_accrued)) <= 4))) NOT VALID
);
alter table clearing.margin_ledger enable row level security;
alter table clearing.margin_ledger force row level security;
create policy all_rows on clearing.margin_ledger for all to clearing_operations using (true);
create policy firm_rows on clearing.margin_ledger for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.margin_ledger for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.margin_ledger REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.margin_ledger to clearing_operations;
grant select on clearing.margin_ledger to clearing_app;

create table clearing.market_change (
  xid xid8 default pg_current_xact_id() not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint market_change_pkey PRIMARY KEY (xid)
);
grant delete, insert, select on clearing.market_change to clearing_operations;
grant select on clearing.market_change to clearing_app;

create table clearing.migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migration_pkey PRIMARY KEY (name)
);

create table clearing.moved_signed_head (
  firm_id uuid not null,
  cell text not null,
  number bigint not null,
  sequence bigint not null,
  hash text not null,
  at text not null,
  previous text not null,
  keeps bigint,
  key_id text not null,
  signature text not null,
  constraint moved_signed_head_pkey PRIMARY KEY (firm_id, cell, number)
);
create policy moving_rows on clearing.moved_signed_head for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.moved_signed_head to clearing_operations;

create table clearing.moving_firm (
  firm_id uuid not null,
  state text not null,
  other_cell text not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint moving_firm_pkey PRIMARY KEY (firm_id),
  constraint moving_firm_state_check CHECK ((state = ANY (ARRAY['Arriving'::text, 'Frozen'::text, 'Moved'::text])))
);
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.moving_firm DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
grant select on clearing.moving_firm to clearing_operations;

create table clearing.named_underlying (
  sec_no bigint not null,
  name text not null,
  underlying_no bigint not null,
  constraint named_underlying_pkey PRIMARY KEY (sec_no)
);
grant delete, insert, select, update on clearing.named_underlying to clearing_operations;
grant select on clearing.named_underlying to clearing_app;

create table clearing.note (
  note_id uuid not null,
  account_number text not null,
  firm_id uuid not null,
  content text not null,
  written_by text not null,
  written_at timestamp with time zone not null,
  mentions text[] default '{}'::text[] not null,
  constraint note_pkey PRIMARY KEY (note_id),
  constraint note_content_check CHECK (((length(content) >= 1) AND (length(content) <= 2000))),
  constraint note_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.note enable row level security;
alter table clearing.note force row level security;
CREATE INDEX note_account ON clearing.note USING btree (account_number, written_at);
create policy all_rows on clearing.note for all to clearing_operations using (true);
create policy moving_rows on clearing.note for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.note to clearing_operations;

create table clearing.notification (
  notification_id uuid not null,
  recipient text not null,
  kind text not null,
  account_number text not null,
  target text not null,
  detail text not null,
  caused_by text not null,
  notified_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint notification_pkey PRIMARY KEY (notification_id)
);
CREATE INDEX notification_of ON clearing.notification USING btree (recipient, notified_at, notification_id);
CREATE INDEX notification_unread ON clearing.notification USING btree (recipient) WHERE (read_at IS NULL);
grant insert, select, update on clearing.notification to clearing_operations;

create table clearing.onboarding (
  account_number text not null,
  firm_id uuid not null,
  correlation_id uuid not null,
  current_state text not null,
  state jsonb not null,
  step integer default 0 not null,
  request jsonb,
  possible_duplicates text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint onboarding_pkey PRIMARY KEY (account_number),
  constraint onboarding_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
) with (toast_tuple_target=1200);
alter table clearing.onboarding enable row level security;
alter table clearing.onboarding force row level security;
CREATE INDEX onboarding_unfinished ON clearing.onboarding USING btree (current_state, updated_at, account_number) WHERE (current_state <> ALL (ARRAY['CreationComplete'::text, 'Rejected'::text, 'CreationFailed'::text]));
CREATE INDEX onboarding_waiting_account ON clearing.onboarding USING btree (current_state, account_number) WHERE (current_state = ANY (ARRAY['ManualReview'::text, 'ActionRequired'::text]));
CREATE INDEX onboarding_waiting_firm ON clearing.onboarding USING btree (current_state, firm_id, updated_at, account_number) WHERE (current_state = ANY (ARRAY['ManualReview'::text, 'ActionRequired'::text]));
create policy all_rows on clearing.onboarding for all to clearing_operations using (true);
create policy firm_rows on clearing.onboarding for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.onboarding for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.onboarding to clearing_app;
grant insert, select, update on clearing.onboarding to clearing_operations;

create table clearing.onboarding_transition (
  account_number text not null,
  firm_id uuid not null,
  step integer not null,
  from_state text not null,
  to_state text not null,
  at timestamp with time zone not null,
  actor text not null,
  reason text not null,
  constraint onboarding_transition_pkey PRIMARY KEY (account_number, step),
  constraint onboarding_transition_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.onboarding_transition enable row level security;
alter table clearing.onboarding_transition force row level security;
CREATE INDEX onboarding_ended_account ON clearing.onboarding_transition USING btree (at, firm_id, to_state) INCLUDE (account_number) WHERE ((to_state = ANY (ARRAY['CreationComplete'::text, 'Rejected'::text, 'CreationFailed'::text])) AND (from_state <> to_state));
create policy all_rows on clearing.onboarding_transition for all to clearing_operations using (true);
create policy firm_rows on clearing.onboarding_transition for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.onboarding_transition for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.onboarding_transition to clearing_app;
grant insert, select on clearing.onboarding_transition to clearing_operations;

create table clearing.opening_counted (
  one boolean default true not null,
  through date not null,
  constraint opening_counted_pkey PRIMARY KEY (one),
  constraint opening_counted_one_check CHECK (one)
);
grant select, update on clearing.opening_counted to clearing_operations;

create table clearing.opening_day (
  day date not null,
  firm_id uuid not null,
  submitted bigint not null,
  opened bigint not null,
  rejected bigint not null,
  failed bigint not null,
  constraint opening_day_pkey PRIMARY KEY (day, firm_id)
);
grant delete, insert, select, update on clearing.opening_day to clearing_operations;

create table clearing.other_seal_key (
  key_id text not null,
  cell text not null,
  public_key bytea not null,
  admitted_at timestamp with time zone not null,
  admitted_by text not null,
  signature bytea not null,
  constraint other_seal_key_pkey PRIMARY KEY (key_id),
  constraint other_seal_key_signature_check CHECK ((length(signature) = 64)),
  constraint other_seal_key_admitted_by_fkey FOREIGN KEY (admitted_by) REFERENCES clearing.seal_key(key_id)
);
grant insert, select on clearing.other_seal_key to clearing_operations;

create table clearing.party (
  account_number text not null,
  firm_id uuid not null,
  customer_id text not null,
  capacity text not null,
  name text not null,
  tax_id_index bytea,
  person_index bytea,
  last_first text default ''::text not null,
  account_name text,
  account_created_at timestamp with time zone,
  name_plain text,
  last_first_plain text,
  last_word_first text,
  constraint party_pkey PRIMARY KEY (account_number, customer_id),
  constraint party_capacity_check CHECK ((capacity = ANY (ARRAY['PrimaryOwner'::text, 'AssociatedParty'::text, 'Beneficiary'::text]))),
  constraint party_customer_id_check CHECK ((customer_id ~ '^[0-9]{18}$'::text)),
  constraint party_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.party enable row level security;
alter table clearing.party force row level security;
CREATE INDEX party_last_first_plain ON clearing.party USING btree (firm_id, last_first_plain COLLATE "C", account_number) INCLUDE (account_name, account_created_at) WHERE (last_first_plain IS NOT NULL);
CREATE INDEX party_last_first_titled ON clearing.party USING btree (firm_id, last_first COLLATE "C", account_number) INCLUDE (account_name, account_created_at);
CREATE INDEX party_last_word_first ON clearing.party USING btree (firm_id, last_word_first COLLATE "C", account_number) INCLUDE (account_name, account_created_at) WHERE (last_word_first <> ''::text);
CREATE INDEX party_last_word_unfilled ON clearing.party USING btree (account_number) WHERE ((last_word_first IS NULL) AND (last_first ~~ '% % %'::text));
CREATE INDEX party_name_plain ON clearing.party USING btree (firm_id, name_plain COLLATE "C", account_number) INCLUDE (account_name, account_created_at) WHERE (name_plain IS NOT NULL);
CREATE INDEX party_name_titled ON clearing.party USING btree (firm_id, name COLLATE "C", account_number) INCLUDE (account_name, account_created_at);
CREATE INDEX party_person ON clearing.party USING btree (firm_id, person_index) WHERE (person_index IS NOT NULL);
CREATE INDEX party_plain_unfilled ON clearing.party USING btree (account_number) WHERE ((name_plain IS NULL) AND (octet_length(name) <> length(name)));
CREATE INDEX party_tax_id ON clearing.party USING btree (firm_id, tax_id_index) WHERE (tax_id_index IS NOT NULL);
CREATE INDEX party_unfilled ON clearing.party USING btree (account_number) WHERE (account_name IS NULL);
create policy all_rows on clearing.party for all to clearing_operations using (true);
create policy firm_rows on clearing.party for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.party for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER fill_party BEFORE INSERT ON clearing.party FOR EACH ROW EXECUTE FUNCTION clearing.fill_party();
CREATE TRIGGER fill_plain_names BEFORE UPDATE OF name, last_first ON clearing.party FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.last_first IS DISTINCT FROM new.last_first))) EXECUTE FUNCTION clearing.fill_plain_names();
grant insert, select, update on clearing.party to clearing_app;
grant insert, select, update on clearing.party to clearing_operations;

create table clearing.pending_line (
  firm_id uuid not null,
  external_id text not null,
  account_number text not null,
  trade_date date not null,
  load_id uuid not null,
  line bigint not null,
  content text not null,
  constraint pending_line_pkey PRIMARY KEY (firm_id, external_id),
  constraint pending_line_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number),
  constraint pending_line_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id),
  constraint pending_line_load_id_fkey FOREIGN KEY (load_id) REFERENCES clearing.load(load_id)
);
alter table clearing.pending_line enable row level security;
alter table clearing.pending_line force row level security;
CREATE INDEX pending_line_due ON clearing.pending_line USING btree (trade_date);
CREATE INDEX pending_line_of_account ON clearing.pending_line USING btree (account_number, trade_date, external_id);
CREATE INDEX pending_line_of_firm ON clearing.pending_line USING btree (firm_id, trade_date, account_number, external_id);
CREATE INDEX pending_line_order ON clearing.pending_line USING btree (load_id, line);
create policy all_rows on clearing.pending_line for all to clearing_operations using (true);
create policy firm_rows on clearing.pending_line for select to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.pending_line for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select on clearing.pending_line to clearing_operations;
grant select on clearing.pending_line to clearing_app;

create view clearing."position" with (security_invoker=true) as
SELECT holding.account_number,
    holding.firm_id,
    holding.sec_no,
    types.acct_type,
    types.quantity
   FROM clearing.holding
     CROSS JOIN LATERAL ( VALUES (1::smallint,holding.quantity_cash), (2::smallint,holding.quantity_margin), (3::smallint,holding.quantity_short)) types(acct_type, quantity)
  WHERE types.quantity::numeric <> 0::numeric;
grant select on clearing."position" to clearing_app;
grant select on clearing."position" to clearing_operations;

create table clearing.price (
  sec_no bigint not null,
  priced_at timestamp with time zone not null,
  price_type text not null,
  price clearing.unit_price not null,
  yield numeric,
  entered_on date,
  constraint price_pkey PRIMARY KEY (sec_no, priced_at, price_type),
  constraint price_price_type_check CHECK ((price_type = ANY (ARRAY['CurrentSnap'::text, 'DelayedSnap'::text, 'LastClose'::text]))),
  constraint price_yield_check CHECK (((yield >= (0)::numeric) AND (yield < (1000)::numeric) AND (scale(yield) <= 10))),
  constraint price_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
CREATE INDEX price_close ON clearing.price USING btree (sec_no, priced_at) INCLUDE (price) WHERE (price_type = 'LastClose'::text);
CREATE INDEX price_entered ON clearing.price USING btree (entered_on) WHERE (entered_on IS NOT NULL);
CREATE INDEX price_yield ON clearing.price USING btree (sec_no, priced_at) INCLUDE (yield) WHERE (yield IS NOT NULL);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.price REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
CREATE TRIGGER note_update AFTER UPDATE ON clearing.price REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select, update on clearing.price to clearing_operations;
grant select on clearing.price to clearing_app;

create table clearing.price_correction (
  sec_no bigint not null,
  priced_at timestamp with time zone not null,
  price_type text not null,
  version integer not null,
  correction_id text not null,
  price clearing.unit_price not null,
  yield numeric,
  load_id uuid not null,
  entered_on date not null,
  constraint price_correction_pkey PRIMARY KEY (sec_no, priced_at, price_type, version),
  constraint price_correction_id UNIQUE (sec_no, priced_at, price_type, correction_id),
  constraint price_correction_correction_id_check CHECK (((length(correction_id) >= 1) AND (length(correction_id) <= 100))),
  constraint price_correction_version_check CHECK ((version > 0)),
  constraint price_correction_yield_check CHECK (((yield >= (0)::numeric) AND (yield < (1000)::numeric) AND (scale(yield) <= 10))),
  constraint price_correction_sec_no_priced_at_price_type_fkey FOREIGN KEY (sec_no, priced_at, price_type) REFERENCES clearing.price(sec_no, priced_at, price_type)
);
CREATE INDEX price_correction_entered ON clearing.price_correction USING btree (entered_on);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.price_correction REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select on clearing.price_correction to clearing_operations;
grant select on clearing.price_correction to clearing_app;

create table clearing.queue_day (
  counted_on date not null,
  queue text not null,
  count bigint not null,
  constraint queue_day_pkey PRIMARY KEY (counted_on, queue),
  constraint queue_day_count_check CHECK ((count >= 0))
);
grant delete, insert, select, update on clearing.queue_day to clearing_operations;

create table clearing.renewal (
  account_number text not null,
  firm_id uuid not null,
  kind text not null,
  subject text not null,
  field text not null,
  listed_on date not null,
  state text not null,
  follow_up_id text default ''::text not null,
  due_on date,
  requested boolean default false not null,
  restriction_id uuid,
  constraint renewal_pkey PRIMARY KEY (account_number, kind, subject),
  constraint renewal_state_check CHECK ((state = ANY (ARRAY['Coming'::text, 'Asked'::text, 'Overdue'::text, 'Settled'::text]))),
  constraint renewal_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.renewal enable row level security;
alter table clearing.renewal force row level security;
CREATE INDEX renewal_listed ON clearing.renewal USING btree (listed_on, account_number, kind, subject);
create policy all_rows on clearing.renewal for all to clearing_operations using (true);
create policy firm_rows on clearing.renewal for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.renewal for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select, update on clearing.renewal to clearing_app;
grant delete, insert, select, update on clearing.renewal to clearing_operations;

create table clearing.rep_code (
  rep_code text not null,
  firm_id uuid not null,
  created_at timestamp with time zone not null,
  constraint rep_code_pkey PRIMARY KEY (rep_code),
  constraint rep_code_firm_id_rep_code_key UNIQUE (firm_id, rep_code),
  constraint rep_code_rep_code_check CHECK ((rep_code ~ '^[A-Z0-9]{4}$'::text)),
  constraint rep_code_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.rep_code enable row level security;
alter table clearing.rep_code force row level security;
create policy all_rows on clearing.rep_code for all to clearing_operations using (true);
create policy every_number on clearing.rep_code for all to clearing_app using (true);
create policy moving_rows on clearing.rep_code for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.rep_code DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
grant insert, select on clearing.rep_code to clearing_operations;
grant select (rep_code) on clearing.rep_code to clearing_app;

create table clearing.request (
  firm_id uuid not null,
  at timestamp with time zone not null,
  request_id uuid not null,
  trace_id text not null,
  client_id text not null,
  operation text not null,
  address text not null,
  status integer not null,
  error_codes text[] not null,
  duration_ms integer not null,
  idempotency_key text,
  replayed boolean not null,
  request_body text,
  answer_body text,
  bodies bytea,
  constraint request_pkey PRIMARY KEY (firm_id, at, request_id)
);
alter table clearing.request enable row level security;
alter table clearing.request force row level security;
CREATE INDEX request_trace ON clearing.request USING btree (firm_id, substr(trace_id, 4, 32));
create policy all_rows on clearing.request for all to clearing_operations using (true);
create policy firm_rows on clearing.request for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.request for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select on clearing.request to clearing_operations;
grant select on clearing.request to clearing_app;

create table clearing.rescreening (
  rescreening_id uuid not null,
  list_name text not null,
  list_version text not null,
  gained text[] not null,
  after_account text default ''::text not null,
  accounts integer default 0 not null,
  matches integer default 0 not null,
  restricted integer default 0 not null,
  started_by text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  trace_id text not null,
  accounts_in_all integer,
  constraint rescreening_pkey PRIMARY KEY (rescreening_id)
);
alter table clearing.rescreening enable row level security;
alter table clearing.rescreening force row level security;
CREATE INDEX rescreening_newest ON clearing.rescreening USING btree (started_at);
create policy all_rows on clearing.rescreening for all to clearing_operations using (true);
CREATE TRIGGER refuse_while_moving BEFORE INSERT ON clearing.rescreening FOR EACH ROW EXECUTE FUNCTION clearing.refuse_close_while_moving();
grant insert, select, update on clearing.rescreening to clearing_operations;

create table clearing.restriction (
  restriction_id uuid not null,
  account_number text not null,
  firm_id uuid not null,
  code text not null,
  reason text not null,
  placed_by text not null,
  placed_at timestamp with time zone not null,
  ended_by text,
  ended_at timestamp with time zone,
  end_reason text,
  constraint restriction_pkey PRIMARY KEY (account_number, restriction_id),
  constraint restriction_check CHECK (((ended_by IS NULL) = (ended_at IS NULL))),
  constraint restriction_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.restriction enable row level security;
alter table clearing.restriction force row level security;
CREATE INDEX restriction_code ON clearing.restriction USING btree (code, placed_at, restriction_id);
CREATE INDEX restriction_ended ON clearing.restriction USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX restriction_firm ON clearing.restriction USING btree (firm_id, placed_at, restriction_id);
CREATE INDEX restriction_in_force ON clearing.restriction USING btree (account_number) WHERE (ended_at IS NULL);
CREATE INDEX restriction_newest ON clearing.restriction USING btree (placed_at, restriction_id);
create policy all_rows on clearing.restriction for all to clearing_operations using (true);
create policy firm_rows on clearing.restriction for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.restriction for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.restriction to clearing_app;
grant insert, select, update on clearing.restriction to clearing_operations;

create table clearing.review_entry (
  only_row boolean default true not null,
  after_account text default ''::text not null,
  ended_at timestamp with time zone,
  constraint review_entry_pkey PRIMARY KEY (only_row),
  constraint review_entry_only_row_check CHECK (only_row)
);
alter table clearing.review_entry enable row level security;
alter table clearing.review_entry force row level security;
create policy all_rows on clearing.review_entry for all to clearing_operations using (true);
grant select, update on clearing.review_entry to clearing_operations;

create table clearing.sandbox (
  sandbox_id text not null,
  state text not null,
  template text not null,
  name text default ''::text not null,
  firm_id uuid,
  client_id text default ''::text not null,
  idle_minutes integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone default now() not null,
  constraint sandbox_pkey PRIMARY KEY (sandbox_id),
  constraint sandbox_sandbox_id_check CHECK ((sandbox_id ~ '^[a-z2-7]{20}$'::text)),
  constraint sandbox_state_check CHECK ((state = ANY (ARRAY['preparing'::text, 'spare'::text, 'open'::text, 'ending'::text])))
);
grant select on clearing.sandbox to clearing_operations;

create table clearing.sandbox_clock (
  one boolean default true not null,
  offset_ms bigint default 0 not null,
  frozen_at timestamp with time zone,
  advance jsonb,
  constraint sandbox_clock_pkey PRIMARY KEY (one),
  constraint sandbox_clock_one_check CHECK (one)
);
grant select on clearing.sandbox_clock to clearing_app;
grant select on clearing.sandbox_clock to clearing_operations;

create table clearing.sandbox_demonstration (
  one boolean default true not null,
  begun_at timestamp with time zone not null,
  made_at timestamp with time zone,
  constraint sandbox_demonstration_pkey PRIMARY KEY (one),
  constraint sandbox_demonstration_one_check CHECK (one)
);
grant insert, select, update on clearing.sandbox_demonstration to clearing_operations;

create table clearing.sandbox_snapshot (
  name text not null,
  snapshot_id bigint generated always as identity not null,
  taken_at timestamp with time zone not null,
  clock_at timestamp with time zone not null,
  clock_frozen boolean not null,
  business_date date not null,
  rows bigint not null,
  schema_version text not null,
  oldest_open xid8,
  constraint sandbox_snapshot_pkey PRIMARY KEY (name)
);
grant select on clearing.sandbox_snapshot to clearing_operations;

create table clearing.screening_match (
  account_number text not null,
  match_id uuid not null,
  firm_id uuid not null,
  customer_id text not null,
  list_name text not null,
  list_version text not null,
  entry_id text not null,
  entry_version text not null,
  score integer not null,
  matched_name text not null,
  reasons jsonb not null,
  party_fingerprint text not null,
  decision text default 'Open'::text not null,
  decided_by text,
  decided_at timestamp with time zone,
  reason text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  field text default ''::text not null,
  change_id uuid,
  restriction_id uuid,
  clearance_change_id uuid,
  dropped_at timestamp with time zone,
  constraint screening_match_pkey PRIMARY KEY (account_number, match_id),
  constraint screening_match_account_number_customer_id_list_name_entry__key UNIQUE (account_number, customer_id, list_name, entry_id),
  constraint screening_match_check CHECK (((decision = 'Open'::text) = (decided_by IS NULL))),
  constraint screening_match_decision_check CHECK ((decision = ANY (ARRAY['Open'::text, 'Cleared'::text, 'Confirmed'::text]))),
  constraint screening_match_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.screening_match enable row level security;
alter table clearing.screening_match force row level security;
CREATE INDEX screening_match_confirmed ON clearing.screening_match USING btree (match_id) WHERE (decision = 'Confirmed'::text);
CREATE INDEX screening_match_decided ON clearing.screening_match USING btree (firm_id, party_fingerprint) WHERE (decision <> 'Open'::text);
CREATE INDEX screening_match_decided_at ON clearing.screening_match USING btree (decided_at) WHERE (decided_at IS NOT NULL);
CREATE INDEX screening_match_entry ON clearing.screening_match USING btree (list_name, entry_id, firm_id) WHERE (dropped_at IS NULL);
CREATE INDEX screening_match_expires ON clearing.screening_match USING btree (expires_at, match_id) WHERE ((decision = 'Cleared'::text) AND (dropped_at IS NULL));
CREATE INDEX screening_match_firm ON clearing.screening_match USING btree (firm_id, created_at, match_id);
CREATE INDEX screening_match_newest ON clearing.screening_match USING btree (created_at, match_id);
CREATE INDEX screening_match_open ON clearing.screening_match USING btree (created_at, match_id) WHERE (decision = 'Open'::text);
CREATE INDEX screening_match_open_account ON clearing.screening_match USING btree (account_number, created_at) WHERE (decision = 'Open'::text);
CREATE INDEX screening_match_open_firm ON clearing.screening_match USING btree (firm_id, created_at, match_id) WHERE (decision = 'Open'::text);
create policy all_rows on clearing.screening_match for all to clearing_operations using (true);
create policy firm_rows on clearing.screening_match for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.screening_match for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.screening_match to clearing_app;
grant insert, select, update on clearing.screening_match to clearing_operations;

create table clearing.seal_key (
  key_id text not null,
  public_key bytea not null,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamp with time zone not null,
  constraint seal_key_pkey PRIMARY KEY (key_id)
);
grant insert, select, update on clearing.seal_key to clearing_operations;

create table clearing.seal_proof (
  close_date date not null,
  proved_at timestamp with time zone not null,
  constraint seal_proof_pkey PRIMARY KEY (close_date)
);
grant insert, select, update on clearing.seal_proof to clearing_operations;

create table clearing.sealed_balance (
  account_number text not null,
  asset text collate "C" not null,
  acct_type smallint not null,
  close_date date not null,
  quantity numeric not null,
  cost numeric not null,
  constraint sealed_balance_pkey PRIMARY KEY (account_number, asset, acct_type, close_date),
  constraint sealed_balance_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3]))),
  constraint sealed_balance_figures CHECK ((GREATEST(abs(quantity), abs(cost)) < 'Infinity'::numeric)) NOT VALID
);
CREATE INDEX sealed_balance_day ON clearing.sealed_balance USING btree (close_date, account_number);
grant insert, select on clearing.sealed_balance to clearing_operations;

create table clearing.security (
  sec_no bigint generated by default as identity not null,
  cusip text,
  isin text,
  sedol text,
  symbol text,
  description text default ''::text not null,
  sec_type_code text default ''::text not null,
  sec_type_name text default ''::text not null,
  type_class_code text default ''::text not null,
  new_sec_code text default ''::text not null,
  industry_group_code integer default 0 not null,
  industry_group_name text default ''::text not null,
  currency text default 'USD'::text not null,
  is_off_shore boolean default false not null,
  offshore_share_class text default ''::text not null,
  current_factor clearing.rate default 1 not null,
  marginable boolean default true not null,
  multiplier clearing.rate default 1 not null,
  price_divisor clearing.rate default 1 not null,
  coupon_rate numeric,
  coupon_frequency smallint,
  day_count text,
  issue_date date,
  maturity_date date,
  underlying text,
  put_call text,
  strike clearing.unit_price,
  expiration date,
  money_market boolean default false not null,
  lot_method text,
  house_long_percent clearing.rate,
  in_use boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint security_pkey PRIMARY KEY (sec_no),
  constraint security_cusip_key UNIQUE (cusip),
  constraint security_isin_key UNIQUE (isin),
  constraint security_sedol_key UNIQUE (sedol),
  constraint security_symbol_key UNIQUE (symbol),
  constraint security_check CHECK ((COALESCE(cusip, isin, sedol, symbol) IS NOT NULL)),
  constraint security_check1 CHECK ((((put_call IS NULL) = (strike IS NULL)) AND ((put_call IS NULL) = (expiration IS NULL)))),
  constraint security_coupon_frequency_check CHECK ((coupon_frequency = ANY (ARRAY[0, 1, 2, 4, 12]))),
  constraint security_coupon_rate_check CHECK (((coupon_rate >= (0)::numeric) AND (coupon_rate < '1000000000000000000'::numeric) AND (scale(coupon_rate) <= 10))),
  constraint security_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint security_cusip_check CHECK ((cusip ~ '^[0-9A-Z*@#]{8}[0-9]$'::text)),
  constraint security_day_count_check CHECK ((day_count = ANY (ARRAY['30/360'::text, '30/360 Bond Basis'::text, 'ActAct'::text, 'Act360'::text, 'Act365'::text]))) NOT VALID,
  constraint security_industry_group_code_check CHECK (((industry_group_code >= 0) AND (industry_group_code <= 999))),
  constraint security_isin_check CHECK ((isin ~ '^[A-Z]{2}[0-9A-Z]{9}[0-9]$'::text)),
  constraint security_lot_method_check CHECK ((lot_method = ANY (ARRAY['FIFO'::text, 'LIFO'::text, 'HIFO'::text, 'Average'::text]))),
  constraint security_new_sec_code_check CHECK ((length(new_sec_code) <= 2)),
  constraint security_put_call_check CHECK ((put_call = ANY (ARRAY['Put'::text, 'Call'::text]))),
  constraint security_sec_type_code_check CHECK ((length(sec_type_code) <= 1)),
  constraint security_sedol_check CHECK ((sedol ~ '^[0-9A-Z]{6}[0-9]$'::text)),
  constraint security_symbol_check CHECK (((length(symbol) >= 1) AND (length(symbol) <= 10))),
  constraint security_type_class_code_check CHECK ((length(type_class_code) <= 3))
);
CREATE INDEX security_underlying ON clearing.security USING btree (underlying) WHERE (underlying IS NOT NULL);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.security REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
CREATE TRIGGER note_update AFTER UPDATE ON clearing.security REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select, update on clearing.security to clearing_operations;
grant select on clearing.security to clearing_app;

create table clearing.security_link (
  account_number text not null,
  sec_no bigint not null,
  other_sec_no bigint not null,
  firm_id uuid not null,
  constraint security_link_pkey PRIMARY KEY (account_number, sec_no, other_sec_no)
);
alter table clearing.security_link enable row level security;
alter table clearing.security_link force row level security;
create policy all_rows on clearing.security_link for all to clearing_operations using (true);
create policy firm_rows on clearing.security_link for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.security_link for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.security_link REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.security_link to clearing_operations;
grant select on clearing.security_link to clearing_app;

create table clearing.security_version (
  sec_no bigint not null,
  entered_on date not null,
  facts jsonb not null,
  factor_changed boolean,
  constraint security_version_pkey PRIMARY KEY (sec_no, entered_on),
  constraint security_version_sec_no_fkey FOREIGN KEY (sec_no) REFERENCES clearing.security(sec_no)
);
CREATE INDEX security_version_entered ON clearing.security_version USING btree (entered_on);
CREATE INDEX security_version_factor ON clearing.security_version USING btree (entered_on) WHERE factor_changed;
CREATE INDEX security_version_symbol ON clearing.security_version USING btree (((facts ->> 'symbol'::text)));
grant insert, select, update on clearing.security_version to clearing_operations;
grant select on clearing.security_version to clearing_app;

create table clearing.settled_break (
  account_number text not null,
  break_id uuid not null,
  firm_id uuid not null,
  settled_by text not null,
  settled_at timestamp with time zone not null,
  constraint settled_break_pkey PRIMARY KEY (account_number, break_id),
  constraint settled_break_account_number_break_id_fkey FOREIGN KEY (account_number, break_id) REFERENCES clearing.books_break(account_number, break_id),
  constraint settled_break_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account_books(firm_id, account_number)
);
alter table clearing.settled_break enable row level security;
alter table clearing.settled_break force row level security;
create policy all_rows on clearing.settled_break for all to clearing_operations using (true);
create policy moving_rows on clearing.settled_break for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select on clearing.settled_break to clearing_operations;

create table clearing.sign_in_guess (
  key_hash bytea not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  constraint sign_in_guess_pkey PRIMARY KEY (key_hash),
  constraint sign_in_guess_key_hash_check CHECK ((length(key_hash) = 32))
);
alter table clearing.sign_in_guess enable row level security;
alter table clearing.sign_in_guess force row level security;
CREATE INDEX sign_in_guess_age ON clearing.sign_in_guess USING btree (last_at);
create policy all_rows on clearing.sign_in_guess for all to clearing_operations using (true);
grant delete, insert, select, update on clearing.sign_in_guess to clearing_operations;

create table clearing.sign_in_state (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  uid text,
  grant_id text,
  expires_at timestamp with time zone not null,
  constraint sign_in_state_pkey PRIMARY KEY (model, id_hash),
  constraint sign_in_state_id_hash_check CHECK ((length(id_hash) = 32))
);
alter table clearing.sign_in_state enable row level security;
alter table clearing.sign_in_state force row level security;
CREATE INDEX sign_in_state_expiry ON clearing.sign_in_state USING btree (expires_at);
CREATE INDEX sign_in_state_grant ON clearing.sign_in_state USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX sign_in_state_uid ON clearing.sign_in_state USING btree (uid) WHERE (uid IS NOT NULL);
create policy all_rows on clearing.sign_in_state for all to clearing_operations using (true);
grant delete, insert, select, update on clearing.sign_in_state to clearing_operations;

create table clearing.signing_key (
  kid text not null,
  public_jwk jsonb not null,
  wrapped bytea,
  master_key_id text,
  created_at timestamp with time zone not null,
  active_from timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (kid),
  constraint signing_key_check CHECK (((wrapped IS NULL) = (master_key_id IS NULL))),
  constraint signing_key_check1 CHECK ((retired_at >= active_from)),
  constraint signing_key_public_jwk_check CHECK ((NOT (public_jwk ? 'd'::text)))
);
CREATE UNIQUE INDEX signing_key_last ON clearing.signing_key USING btree ((true)) WHERE (retired_at IS NULL);
CREATE CONSTRAINT TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON clearing.signing_key DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clearing.note_identity_change();
grant delete, insert, select, update on clearing.signing_key to clearing_operations;

create table clearing.snapshot_document (
  name text not null,
  document_id uuid not null,
  constraint snapshot_document_pkey PRIMARY KEY (document_id, name),
  constraint snapshot_document_name_fkey FOREIGN KEY (name) REFERENCES clearing.sandbox_snapshot(name) ON DELETE CASCADE
);
grant select on clearing.snapshot_document to clearing_operations;

create table clearing.staff (
  staff_id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  password_temporary boolean default false not null,
  second_factor bytea,
  second_factor_step bigint default 0 not null,
  second_factor_offered bytea,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone,
  access_given_by text,
  access_given_at timestamp with time zone,
  password_set_at timestamp with time zone default now() not null,
  password_used_at timestamp with time zone,
  constraint staff_pkey PRIMARY KEY (staff_id),
  constraint staff_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 70)))),
  constraint staff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint staff_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'principal'::text, 'admin'::text])))
);
alter table clearing.staff enable row level security;
alter table clearing.staff force row level security;
CREATE UNIQUE INDEX staff_email ON clearing.staff USING btree (email);
create policy all_rows on clearing.staff for all to clearing_operations using (true);
CREATE TRIGGER end_sessions AFTER UPDATE ON clearing.staff FOR EACH ROW WHEN (((old.role <> new.role) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR ((old.disabled_at IS NULL) AND (new.disabled_at IS NOT NULL)) OR ((old.second_factor IS NOT NULL) AND (new.second_factor IS NULL)))) EXECUTE FUNCTION clearing.end_staff_sessions();
CREATE TRIGGER note_password BEFORE INSERT OR UPDATE OF password_hash ON clearing.staff FOR EACH ROW EXECUTE FUNCTION clearing.note_password();
grant insert, select, update on clearing.staff to clearing_operations;

create table clearing.staff_session (
  session_hash bytea not null,
  staff_id uuid not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  address text default ''::text not null,
  browser text default ''::text not null,
  constraint staff_session_pkey PRIMARY KEY (session_hash),
  constraint staff_session_address_check CHECK ((length(address) <= 45)),
  constraint staff_session_browser_check CHECK ((length(browser) <= 200)),
  constraint staff_session_session_hash_check CHECK ((length(session_hash) = 32)),
  constraint staff_session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES clearing.staff(staff_id)
);
alter table clearing.staff_session enable row level security;
alter table clearing.staff_session force row level security;
CREATE INDEX staff_session_expiry ON clearing.staff_session USING btree (expires_at);
CREATE INDEX staff_session_staff ON clearing.staff_session USING btree (staff_id);
create policy all_rows on clearing.staff_session for all to clearing_operations using (true);
grant delete, insert, select, update on clearing.staff_session to clearing_operations;

create table clearing.statement (
  account_number text not null,
  kind text not null,
  period_to date not null,
  version integer not null,
  firm_id uuid not null,
  period_from date not null,
  delivery text not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  digest bytea not null,
  content bytea not null,
  constraint statement_pkey PRIMARY KEY (account_number, kind, period_to, version),
  constraint statement_check CHECK ((period_from <= period_to)),
  constraint statement_delivery_check CHECK ((delivery = ANY (ARRAY['Electronic'::text, 'Paper'::text]))),
  constraint statement_digest_check CHECK ((length(digest) = 32)),
  constraint statement_kind_check CHECK ((kind = ANY (ARRAY['Statement'::text, 'Confirmation'::text]))),
  constraint statement_version_check CHECK ((version > 0)),
  constraint statement_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.statement enable row level security;
alter table clearing.statement force row level security;
create policy all_rows on clearing.statement for all to clearing_operations using (true);
create policy firm_rows on clearing.statement for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.statement for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select on clearing.statement to clearing_app;
grant insert, select on clearing.statement to clearing_operations;

create table clearing.temporary_hold (
  account_number text not null,
  restriction_id uuid not null,
  firm_id uuid not null,
  ground text not null,
  placed_on date not null,
  expires_on date not null,
  notify_by date not null,
  notified_at timestamp with time zone,
  steps jsonb not null,
  ended_at timestamp with time zone,
  waits_from timestamp with time zone not null,
  due_on date not null,
  constraint temporary_hold_pkey PRIMARY KEY (account_number, restriction_id),
  constraint temporary_hold_firm_id_account_number_fkey FOREIGN KEY (firm_id, account_number) REFERENCES clearing.account(firm_id, account_number)
);
alter table clearing.temporary_hold enable row level security;
alter table clearing.temporary_hold force row level security;
CREATE INDEX temporary_hold_in_force ON clearing.temporary_hold USING btree (expires_on) WHERE (ended_at IS NULL);
CREATE INDEX temporary_hold_waiting ON clearing.temporary_hold USING btree (waits_from, restriction_id) WHERE ((ended_at IS NULL) OR (notified_at IS NULL));
CREATE INDEX temporary_hold_waiting_account ON clearing.temporary_hold USING btree (account_number, waits_from, restriction_id) WHERE ((ended_at IS NULL) OR (notified_at IS NULL));
CREATE INDEX temporary_hold_waiting_firm ON clearing.temporary_hold USING btree (firm_id, waits_from, restriction_id) WHERE ((ended_at IS NULL) OR (notified_at IS NULL));
create policy all_rows on clearing.temporary_hold for all to clearing_operations using (true);
create policy firm_rows on clearing.temporary_hold for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.temporary_hold for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant insert, select, update on clearing.temporary_hold to clearing_app;
grant insert, select, update on clearing.temporary_hold to clearing_operations;

create table clearing.unit_change (
  firm_id uuid not null,
  external_id text not null,
  sec_no bigint not null,
  to_sec_no bigint not null,
  effective_on date not null,
  received numeric not null,
  held numeric not null,
  is_stated boolean not null,
  is_merger boolean not null,
  entered_on date not null,
  cancelled_on date,
  constraint unit_change_pkey PRIMARY KEY (firm_id, external_id),
  constraint unit_change_held_check CHECK ((held > (0)::numeric)),
  constraint unit_change_received_check CHECK ((received > (0)::numeric))
);
CREATE INDEX unit_change_given ON clearing.unit_change USING btree (sec_no, effective_on);
CREATE INDEX unit_change_received ON clearing.unit_change USING btree (to_sec_no, effective_on);
CREATE TRIGGER note_insert AFTER INSERT ON clearing.unit_change REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
CREATE TRIGGER note_update AFTER UPDATE ON clearing.unit_change REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.note_market_change();
grant insert, select, update on clearing.unit_change to clearing_operations;
grant select (sec_no) on clearing.unit_change to clearing_app;
grant select (to_sec_no) on clearing.unit_change to clearing_app;
grant select (effective_on) on clearing.unit_change to clearing_app;
grant select (received) on clearing.unit_change to clearing_app;
grant select (held) on clearing.unit_change to clearing_app;
grant select (is_stated) on clearing.unit_change to clearing_app;
grant select (is_merger) on clearing.unit_change to clearing_app;
grant select (entered_on) on clearing.unit_change to clearing_app;
grant select (cancelled_on) on clearing.unit_change to clearing_app;

create table clearing.unsettled (
  account_number text not null,
  sequence bigint not null,
  firm_id uuid not null,
  process_date date not null,
  settle_date date not null,
  acct_type smallint not null,
  currency text not null,
  amount clearing.money not null,
  constraint unsettled_pkey PRIMARY KEY (account_number, sequence),
  constraint unsettled_acct_type_check CHECK ((acct_type = ANY (ARRAY[1, 2, 3])))
);
alter table clearing.unsettled enable row level security;
alter table clearing.unsettled force row level security;
CREATE INDEX unsettled_due ON clearing.unsettled USING btree (settle_date);
create policy all_rows on clearing.unsettled for all to clearing_operations using (true);
create policy firm_rows on clearing.unsettled for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.unsettled for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.unsettled REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant delete, insert, select, update on clearing.unsettled to clearing_operations;
grant select on clearing.unsettled to clearing_app;

create table clearing.wash (
  account_number text not null,
  loss_external_id text not null,
  loss_ordinal integer not null,
  lot_id text not null,
  revision bigint not null,
  firm_id uuid not null,
  gone boolean default false not null,
  sec_no bigint not null,
  quantity clearing.units not null,
  disallowed clearing.money not null,
  wash_date date not null,
  constraint wash_pkey PRIMARY KEY (account_number, loss_external_id, loss_ordinal, lot_id, revision)
);
alter table clearing.wash enable row level security;
alter table clearing.wash force row level security;
create policy all_rows on clearing.wash for all to clearing_operations using (true);
create policy firm_rows on clearing.wash for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.wash for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
CREATE TRIGGER check_owners AFTER INSERT ON clearing.wash REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION clearing.check_owners();
grant insert, select on clearing.wash to clearing_operations;
grant select on clearing.wash to clearing_app;

create table clearing.watch_list (
  list_name text not null,
  list_version text not null,
  entries integer not null,
  loaded_at timestamp with time zone not null,
  constraint watch_list_pkey PRIMARY KEY (list_name),
  constraint watch_list_list_name_check CHECK ((list_name ~ '^[A-Z0-9_-]{1,40}$'::text))
);
grant insert, select, update on clearing.watch_list to clearing_operations;
grant select on clearing.watch_list to clearing_app;

create table clearing.watch_list_part (
  list_name text not null,
  part text not null,
  content bytea not null,
  loaded_at timestamp with time zone not null,
  loaded_by text default ''::text not null,
  source text default ''::text not null,
  constraint watch_list_part_pkey PRIMARY KEY (list_name, part),
  constraint watch_list_part_part_check CHECK ((part = ANY (ARRAY['sdn'::text, 'alt'::text, 'add'::text, 'comments'::text]))) NOT VALID
);
grant insert, select, update on clearing.watch_list_part to clearing_operations;
grant select on clearing.watch_list_part to clearing_app;

create table clearing.webhook (
  webhook_id uuid not null,
  firm_id uuid not null,
  url text not null,
  description text default ''::text not null,
  types text[] not null,
  entity_number text,
  rep_code text,
  account_number text,
  transaction_id xid8 not null,
  "position" bigint not null,
  due_at timestamp with time zone,
  held_back boolean default false not null,
  sender text,
  sender_until timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  address_set_by text,
  constraint webhook_pkey PRIMARY KEY (webhook_id),
  constraint webhook_firm_id_webhook_id_key UNIQUE (firm_id, webhook_id),
  constraint webhook_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhook_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000))),
  constraint webhook_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES clearing.firm(firm_id)
);
alter table clearing.webhook enable row level security;
alter table clearing.webhook force row level security;
CREATE INDEX webhook_firm ON clearing.webhook USING btree (firm_id, created_at);
create policy all_rows on clearing.webhook for all to clearing_operations using (true);
create policy firm_rows on clearing.webhook for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.webhook for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select, update on clearing.webhook to clearing_app;
grant delete, insert, select, update on clearing.webhook to clearing_operations;

create table clearing.webhook_delivery (
  delivery_id uuid not null,
  webhook_id uuid not null,
  firm_id uuid not null,
  kind text not null,
  event_id uuid not null,
  event_type text not null,
  account_number text not null,
  transaction_id xid8 not null,
  "position" bigint not null,
  status text not null,
  attempt_count integer default 0 not null,
  next_attempt_at timestamp with time zone,
  attempts jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (delivery_id),
  constraint webhook_delivery_check CHECK (((status = 'Waiting'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_delivery_check1 CHECK (((status = 'Waiting'::text) = (ended_at IS NULL))),
  constraint webhook_delivery_kind_check CHECK ((kind = ANY (ARRAY['Event'::text, 'Resend'::text, 'Test'::text]))),
  constraint webhook_delivery_status_check CHECK ((status = ANY (ARRAY['Waiting'::text, 'Delivered'::text, 'Failed'::text]))),
  constraint webhook_delivery_firm_id_webhook_id_fkey FOREIGN KEY (firm_id, webhook_id) REFERENCES clearing.webhook(firm_id, webhook_id) ON DELETE CASCADE
);
alter table clearing.webhook_delivery enable row level security;
alter table clearing.webhook_delivery force row level security;
CREATE INDEX webhook_delivery_ended ON clearing.webhook_delivery USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX webhook_delivery_failed ON clearing.webhook_delivery USING btree (ended_at, delivery_id) WHERE (status = 'Failed'::text);
CREATE INDEX webhook_delivery_failed_account ON clearing.webhook_delivery USING btree (account_number, ended_at) WHERE (status = 'Failed'::text);
CREATE INDEX webhook_delivery_failed_firm ON clearing.webhook_delivery USING btree (firm_id, ended_at, delivery_id) WHERE (status = 'Failed'::text);
CREATE INDEX webhook_delivery_log ON clearing.webhook_delivery USING btree (firm_id, webhook_id, created_at, delivery_id);
CREATE INDEX webhook_delivery_of_firm ON clearing.webhook_delivery USING btree (firm_id, created_at, delivery_id);
CREATE INDEX webhook_delivery_waiting ON clearing.webhook_delivery USING btree (webhook_id, account_number, transaction_id, "position") WHERE (status = 'Waiting'::text);
create policy all_rows on clearing.webhook_delivery for all to clearing_operations using (true);
create policy firm_rows on clearing.webhook_delivery for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.webhook_delivery for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select, update on clearing.webhook_delivery to clearing_app;
grant delete, insert, select, update on clearing.webhook_delivery to clearing_operations;

create table clearing.webhook_secret (
  secret_id uuid not null,
  webhook_id uuid not null,
  firm_id uuid not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secret_pkey PRIMARY KEY (secret_id),
  constraint webhook_secret_firm_id_webhook_id_fkey FOREIGN KEY (firm_id, webhook_id) REFERENCES clearing.webhook(firm_id, webhook_id) ON DELETE CASCADE
);
alter table clearing.webhook_secret enable row level security;
alter table clearing.webhook_secret force row level security;
CREATE INDEX webhook_secret_webhook ON clearing.webhook_secret USING btree (firm_id, webhook_id);
create policy all_rows on clearing.webhook_secret for all to clearing_operations using (true);
create policy firm_rows on clearing.webhook_secret for all to clearing_app using ((firm_id = clearing.current_firm()));
create policy moving_rows on clearing.webhook_secret for all to clearing_owner using ((firm_id IN ( SELECT moving_firm.firm_id
   FROM clearing.moving_firm
  WHERE (moving_firm.state = ANY (ARRAY['Arriving'::text, 'Moved'::text])))));
grant delete, insert, select, update on clearing.webhook_secret to clearing_app;
grant delete, insert, select, update on clearing.webhook_secret to clearing_operations;

create table clearing.work_assignment (
  work_id text not null,
  assigned_to text not null,
  assigned_by text not null,
  assigned_at timestamp with time zone not null,
  constraint work_assignment_pkey PRIMARY KEY (work_id),
  constraint work_assignment_work_id_check CHECK ((length(work_id) <= 120))
);
alter table clearing.work_assignment enable row level security;
alter table clearing.work_assignment force row level security;
CREATE INDEX work_assignment_of ON clearing.work_assignment USING btree (assigned_to);
create policy all_rows on clearing.work_assignment for all to clearing_operations using (true);
grant delete, insert, select, update on clearing.work_assignment to clearing_operations;

create table clearing.work_settlement (
  work_id text not null,
  settled_by text not null,
  settled_at timestamp with time zone not null,
  reason text not null,
  constraint work_settlement_pkey PRIMARY KEY (work_id),
  constraint work_settlement_work_id_check CHECK ((length(work_id) <= 120))
);
alter table clearing.work_settlement enable row level security;
alter table clearing.work_settlement force row level security;
create policy all_rows on clearing.work_settlement for all to clearing_operations using (true);
grant insert, select on clearing.work_settlement to clearing_operations;

create table clearing.worker_lease (
  worker_id text not null,
  seen_at timestamp with time zone not null,
  constraint worker_lease_pkey PRIMARY KEY (worker_id)
);
