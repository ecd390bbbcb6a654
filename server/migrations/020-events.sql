-- How the event log is read without skipping or swapping anything, and webhooks: who is told, and what was told.

-- A reader passes no transaction that is still open, so it orders events by transaction. Of two transactions that change
-- one account, the one with the lower number may come second; its events then take the number of the first, so that the
-- order of the log keeps the order of each account.
alter table clearing.account add column event_order xid8 not null default pg_current_xact_id();

create function clearing.order_account_events() returns trigger language plpgsql as $$
begin
  new.event_order := greatest(old.event_order, pg_current_xact_id());
  return new;
end $$;
create trigger order_events before update of event_sequence on clearing.account
  for each row execute function clearing.order_account_events();

-- Where the account stood when it happened, and the wall clock, which the sandbox's time does not move.
alter table clearing.event
  add column entity_number text not null default '',
  add column rep_code text not null default '',
  add column written_at timestamptz not null default clock_timestamp();

create function clearing.complete_event() returns trigger language plpgsql as $$
begin
  if new.account_number <> '' then
    select entity_number, rep_code, greatest(event_order, pg_current_xact_id())
      into strict new.entity_number, new.rep_code, new.transaction_id
      from clearing.account where account_number = new.account_number;
  end if;
  return new;
end $$;
create trigger complete before insert on clearing.event for each row execute function clearing.complete_event();

-- Wakes whoever waits for events. Notifications of one transaction become one.
create function clearing.announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('clearing_event', '');
  return null;
end $$;
create trigger announce after insert on clearing.event for each statement execute function clearing.announce_events();

-- One row: the last event that was removed for its age. A cursor before it is too old.
create table clearing.event_removal (
  one boolean primary key default true check (one),
  transaction_id xid8 not null,
  position bigint not null
);
insert into clearing.event_removal (transaction_id, position) values ('0', 0);

create table clearing.webhook (
  webhook_id uuid primary key,
  firm_id uuid not null references clearing.firm,
  url text not null check (length(url) between 1 and 2000),
  description text not null default '',
  -- Empty for every type; else types and wildcards such as `document.*`.
  types text[] not null,
  entity_number text,
  rep_code text,
  account_number text,
  -- The log is told up to here: deliveries are made in the order of the log.
  transaction_id xid8 not null,
  position bigint not null,
  -- When a delivery is to be tried next; null when none waits.
  due_at timestamptz,
  -- So many deliveries wait that no more are made of the log.
  held_back boolean not null default false,
  -- The process that sends now, and until when nobody else does.
  sender text,
  sender_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (firm_id, webhook_id),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_firm on clearing.webhook (firm_id, created_at);

create table clearing.webhook_secret (
  secret_id uuid primary key,
  webhook_id uuid not null,
  firm_id uuid not null,
  -- Sealed under the firm's key: it signs, so it must be opened again.
  sealed bytea not null,
  created_at timestamptz not null,
  -- From then on it no longer signs.
  expires_at timestamptz,
  foreign key (firm_id, webhook_id) references clearing.webhook (firm_id, webhook_id) on delete cascade
);
create index webhook_secret_webhook on clearing.webhook_secret (firm_id, webhook_id);

-- One event for one webhook. Of the waiting ones of an account only the first is sent, so that order is kept.
create table clearing.webhook_delivery (
  delivery_id uuid primary key,
  webhook_id uuid not null,
  firm_id uuid not null,
  kind text not null check (kind in ('Event', 'Resend', 'Test')),
  event_id uuid not null,
  event_type text not null,
  account_number text not null,
  transaction_id xid8 not null,
  position bigint not null,
  status text not null check (status in ('Waiting', 'Delivered', 'Failed')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  -- {at, durationMs, status, answer, error} of each.
  attempts jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  foreign key (firm_id, webhook_id) references clearing.webhook (firm_id, webhook_id) on delete cascade,
  check ((status = 'Waiting') = (next_attempt_at is not null)),
  check ((status = 'Waiting') = (ended_at is null))
);
create index webhook_delivery_waiting on clearing.webhook_delivery (webhook_id, account_number, transaction_id, position)
  where status = 'Waiting';
create index webhook_delivery_log on clearing.webhook_delivery (firm_id, webhook_id, created_at, delivery_id);
create index webhook_delivery_ended on clearing.webhook_delivery (ended_at) where ended_at is not null;

alter table clearing.webhook enable row level security;
alter table clearing.webhook force row level security;
alter table clearing.webhook_secret enable row level security;
alter table clearing.webhook_secret force row level security;
alter table clearing.webhook_delivery enable row level security;
alter table clearing.webhook_delivery force row level security;

create policy firm_rows on clearing.webhook to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.webhook_secret to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.webhook_delivery to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.webhook to clearing_operations using (true);
create policy all_rows on clearing.webhook_secret to clearing_operations using (true);
create policy all_rows on clearing.webhook_delivery to clearing_operations using (true);

grant select, insert, update, delete on clearing.webhook, clearing.webhook_secret, clearing.webhook_delivery
  to clearing_app, clearing_operations;
grant select on clearing.event_removal to clearing_app, clearing_operations;
grant update on clearing.event_removal to clearing_operations;
grant delete on clearing.event to clearing_operations;
grant execute on function
  clearing.order_account_events(), clearing.complete_event(), clearing.announce_events()
  to clearing_app, clearing_operations;
