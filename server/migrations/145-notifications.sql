-- Who a note mentions, and what persons of the staff were notified of.
alter table clearing.note add column mentions text[] not null default '{}';

create table clearing.notification (
  notification_id uuid primary key,
  -- E-mail address of the person who is notified.
  recipient text not null,
  kind text not null,
  -- Empty when it concerns no account.
  account_number text not null,
  -- The note, item of work or change that it is about.
  target text not null,
  detail text not null,
  caused_by text not null,
  notified_at timestamptz not null,
  read_at timestamptz
);
create index notification_of on clearing.notification (recipient, notified_at, notification_id);
create index notification_unread on clearing.notification (recipient) where read_at is null;
grant select, insert, update on clearing.notification to clearing_operations;
