-- Views of lists that the staff saved: a screen with its filters, order, columns and density. A person has one view of a name on a screen.
create table clearing.list_view (
  view_id uuid primary key,
  owner text not null,
  screen text not null check (length(screen) between 1 and 60),
  name text not null check (length(name) between 1 and 60),
  shared boolean not null,
  -- The query part of the screen's address.
  search text not null check (length(search) <= 2000),
  saved_at timestamptz not null,
  unique (owner, screen, name)
);
create index list_view_shared on clearing.list_view (screen, owner) where shared;
grant select, insert, update, delete on clearing.list_view to clearing_operations;
