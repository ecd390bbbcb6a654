-- Incidents of the service, as the operations staff report them, with every report in its words. Neither is removed.
create table clearing.incident (
  incident_id uuid primary key,
  title text not null,
  components text[] not null check (cardinality(components) > 0),
  impact text not null,
  state text not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  resolved_at timestamptz,
  check ((state = 'Resolved') = (resolved_at is not null))
);
create index incident_in_order on clearing.incident (opened_at, incident_id);

create table clearing.incident_update (
  incident_id uuid not null references clearing.incident,
  number integer not null,
  state text not null,
  impact text not null,
  text text not null,
  at timestamptz not null,
  primary key (incident_id, number)
);
grant select, insert, update on clearing.incident to clearing_operations;
grant select, insert on clearing.incident_update to clearing_operations;
