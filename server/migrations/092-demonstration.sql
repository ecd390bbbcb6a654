-- Whether the sandbox's demonstration accounts were made. They are made once, whatever becomes of them afterwards. In
-- production it has no row. A snapshot has it, so that accounts and mark go together.

create table clearing.sandbox_demonstration (
  one boolean primary key default true check (one),
  begun_at timestamptz not null,
  -- Null while they are being made: a start that was killed is gone on with.
  made_at timestamptz
);

grant select, insert, update on clearing.sandbox_demonstration to clearing_operations;
