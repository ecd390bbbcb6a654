-- Copies of the signed heads of the audit chains, whose originals lie in the document store, and what the nightly proofs found.

-- Everything is kept as it was signed, so that the digest of a copy can be computed. No foreign key: the heads of a firm outlive it.
create table clearing.audit_signed_head (
  firm_id uuid not null,
  -- Of the checkpoint that the head was first in.
  number bigint not null,
  sequence bigint not null,
  hash text not null,
  at text not null,
  previous text not null,
  keeps bigint,
  key_id text not null,
  signature text not null,
  -- By the database's clock: the time that was signed is the service's, which stands still in a sandbox.
  copied_at timestamptz not null default clock_timestamp(),
  primary key (firm_id, number)
);
create index audit_signed_head_number on clearing.audit_signed_head (number, firm_id);

create table clearing.audit_proof (
  proof_id bigint generated always as identity primary key,
  at timestamptz not null,
  verified boolean not null,
  firms integer not null,
  rows bigint not null,
  -- Of the first firm whose chain does not hold; empty when all hold.
  reason text not null
);

alter table clearing.audit_signed_head enable row level security;
alter table clearing.audit_signed_head force row level security;
create policy all_rows on clearing.audit_signed_head to clearing_operations using (true);
grant select, insert on clearing.audit_signed_head, clearing.audit_proof to clearing_operations;
