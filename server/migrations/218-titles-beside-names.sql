-- The title and the time of an account beside the names of its persons, so that accounts found by a name are put in order without a look at
-- each of them. Triggers fill both, also for writes of the release before; housekeeping fills the rows that are there.
alter table clearing.party add column account_name text, add column account_created_at timestamptz;

create function clearing.fill_party() returns trigger language plpgsql as $$
begin
  select account.account_name, account.created_at into new.account_name, new.account_created_at
  from clearing.account where account.account_number = new.account_number;
  return new;
end $$;
create trigger fill_party before insert on clearing.party for each row execute function clearing.fill_party();

-- A reserved account has no persons yet.
create function clearing.fill_parties() returns trigger language plpgsql as $$
begin
  update clearing.party set account_name = new.account_name, account_created_at = new.created_at
  where party.account_number = new.account_number;
  return null;
end $$;
create trigger fill_parties after update of account_name, created_at on clearing.account for each row
  when (old.status <> 'Reserved' and (old.account_name, old.created_at) is distinct from (new.account_name, new.created_at))
  execute function clearing.fill_parties();
grant execute on function clearing.fill_party(), clearing.fill_parties() to clearing_app, clearing_operations;
