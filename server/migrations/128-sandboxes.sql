-- The isolated sandboxes beside this one. Each has a database of its own; these rows say which there are.

create table clearing.sandbox (
  -- Part of the sandbox's address, and of the name of its database.
  sandbox_id text primary key check (sandbox_id ~ '^[a-z2-7]{20}$'),
  -- `preparing` while its database is made, `spare` until a caller asks for one, then `open`, and `ending` while its database is removed.
  state text not null check (state in ('preparing', 'spare', 'open', 'ending')),
  -- The template that its database was copied from.
  template text not null,
  name text not null default '',
  -- No foreign key: a restored snapshot replaces the firms and leaves these rows.
  firm_id uuid,
  client_id text not null default '',
  idle_minutes int not null default 0,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);

grant select on clearing.sandbox to clearing_operations;
