-- Snapshots of the sandbox: which there are. The rows of each are in a schema of its own.

create table clearing.sandbox_snapshot (
  name text primary key,
  snapshot_id bigint generated always as identity,
  -- By the wall, and where the sandbox's clock stood.
  taken_at timestamptz not null,
  clock_at timestamptz not null,
  clock_frozen boolean not null,
  business_date date not null,
  rows bigint not null,
  -- The migrations that its tables are made by; under others it cannot be put back.
  schema_version text not null
);

-- Contents that a snapshot names are kept, though no document names them now.
create table clearing.snapshot_document (
  name text not null references clearing.sandbox_snapshot on delete cascade,
  document_id uuid not null,
  primary key (document_id, name)
);

grant select on clearing.sandbox_snapshot, clearing.snapshot_document to clearing_operations;
