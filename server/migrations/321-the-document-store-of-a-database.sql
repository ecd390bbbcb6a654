-- The id of the document store of this database. The store has an object with this id, so that a process with another
-- folder or bucket is refused. The owner deletes the row when the documents are in a new store.
create table clearing.document_store (
  only_one boolean primary key default true check (only_one),
  store_id uuid not null,
  noted_at timestamptz not null default now()
);
grant select, insert on clearing.document_store to clearing_operations;
