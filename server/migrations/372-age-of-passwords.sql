-- A temporary password works once, and for 72 hours. A trigger notes when a password was set, because the release before
-- does not.
-- A temporary password from before the upgrade works for 72 hours from the upgrade.
alter table clearing.staff add column password_set_at timestamptz not null default now(), add column password_used_at timestamptz;

create function clearing.note_password() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.password_hash is distinct from old.password_hash then
    new.password_set_at := now();
    new.password_used_at := null;
  end if;
  return new;
end $$;
create trigger note_password before insert or update of password_hash on clearing.staff
  for each row execute function clearing.note_password();
