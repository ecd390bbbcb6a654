-- The public keys with which other cells sign tokens, as the directory of cells had them last. They verify tokens also while the directory is away.
create table clearing.cell_signing_key (
  kid text primary key,
  cell text not null,
  public_jwk jsonb not null check (not public_jwk ? 'd'),
  active_from timestamptz not null,
  retired_at timestamptz
);
create constraint trigger changed after insert or update or delete on clearing.cell_signing_key
  deferrable initially deferred for each row execute function clearing.note_identity_change();
grant select, insert, update, delete on clearing.cell_signing_key to clearing_operations;
