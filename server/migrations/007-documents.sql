-- Documents: what is known of each; the content lies encrypted in the blob store under the document's id.

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
  size_bytes bigint not null check (size_bytes > 0),
  sha256 bytea not null,
  status text not null check (status in ('PendingApproval', 'Approved', 'Rejected')),
  rejection_code text,
  reason text,
  decided_by text,
  -- The follow-up of the account's onboarding that it was added to answer.
  follow_up_id text,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (account_number, document_id),
  unique (document_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number),
  check ((status = 'Rejected') = (rejection_code is not null))
);
create index document_created on clearing.document (account_number, created_at);

alter table clearing.document enable row level security;
alter table clearing.document force row level security;
create policy firm_rows on clearing.document to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.document to clearing_operations using (true);
grant select, insert, update on clearing.document to clearing_app, clearing_operations;
