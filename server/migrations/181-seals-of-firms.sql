-- A business day is sealed for each firm too, so that a firm's rows can move to another cell and every proof still holds in both.

-- What the records of a firm in a portion of the close of a day were. Portions in which it got nothing are left out.
create table clearing.firm_seal_portion (
  firm_id uuid not null,
  close_date date not null,
  -- The last account number of the portion.
  up_to text collate "C" not null,
  entries bigint not null,
  entries_digest bytea not null,
  balances bigint not null,
  balances_digest bytea not null,
  lines bigint not null,
  lines_digest bytea not null,
  -- Reports of other custodians and terms of accounts.
  facts bigint not null,
  facts_digest bytea not null,
  primary key (close_date, up_to, firm_id)
);
create index firm_seal_portion_firm on clearing.firm_seal_portion (firm_id, close_date, up_to);

-- The portion was sealed by firm too. A process of the release before leaves it null, and the day is then sealed for all firms together alone.
alter table clearing.business_day_portion add column by_firm boolean;

-- The seal of a firm for a day: the digest of its portions and of its seal before. It has no personal data, and stays in a cell that the firm has left.
create table clearing.firm_seal (
  firm_id uuid not null,
  close_date date not null,
  -- The last closed day before; null for the first. What was entered after it belongs to this one.
  since date,
  -- It was made from the records of a day that was closed without seals of firms. Such seals chain one another.
  afterwards boolean not null,
  previous_digest bytea not null,
  digest bytea not null check (length(digest) = 32),
  -- Of a key in seal_key; of one in other_seal_key if another cell closed the day.
  key_id text not null,
  signature bytea not null check (length(signature) = 64),
  primary key (firm_id, close_date)
);
create index firm_seal_day on clearing.firm_seal (close_date, firm_id);

-- All firms of this cell for a day: the digest of their seals and of the facts that firms share, bound to the seal of the day.
create table clearing.day_firms (
  close_date date primary key references clearing.day_seal,
  since date,
  -- Prices, rates and what securities became.
  facts bigint not null,
  facts_digest bytea not null,
  firms bigint not null,
  digest bytea not null check (length(digest) = 32),
  key_id text not null references clearing.seal_key,
  signature bytea not null check (length(signature) = 64)
);

-- The public keys with which other cells signed the seals and audit heads of firms before they came here. The signature is of a key of this cell: the key was
-- admitted here and not put in by the owner of the database.
create table clearing.other_seal_key (
  key_id text primary key,
  cell text not null,
  public_key bytea not null,
  admitted_at timestamptz not null,
  admitted_by text not null references clearing.seal_key,
  signature bytea not null check (length(signature) = 64)
);

-- Every move of a firm, in the cell that it left and in the one that it came to. Signed by the cell that it left, over all seals that the firm had then.
create table clearing.firm_move (
  firm_id uuid not null,
  moved_at timestamptz not null,
  from_cell text not null,
  to_cell text not null,
  -- The last day that was sealed before; null where there was none.
  close_date date,
  seals_digest bytea not null check (length(seals_digest) = 32),
  key_id text not null,
  signature bytea not null check (length(signature) = 64),
  primary key (firm_id, moved_at)
);

-- Signed heads of the audit chain of a firm from the cells in which it was before. Their numbers are of those cells.
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
  primary key (firm_id, cell, number)
);

grant select, insert on clearing.firm_seal_portion, clearing.firm_seal, clearing.day_firms, clearing.other_seal_key, clearing.firm_move,
  clearing.moved_signed_head to clearing_operations;
