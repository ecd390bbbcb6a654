-- The names of persons in plain letters, by which they are found without their accents. Triggers fill them, also for writes of the release
-- before; housekeeping fills the rows that are there. A name in ASCII has none, because it is its own plain form.

/*
  A name in upper case in the letters that a search looks for: GARCÍA as GARCIA, ŁUKASZ as LUKASZ, ÆBELØ as AEBELO, O’BRIEN as O'BRIEN.
  Null for a name in ASCII. Letters lose their accents; letters of Latin alphabets that Unicode does not decompose become those that are
  usually written for them; letters of other alphabets stay. The function `plainLetters` of the service does the same.
*/
create function clearing.plain_letters(name text) returns text
  language sql immutable parallel safe
  return case when octet_length(name) <> length(name) then
    translate(
      replace(replace(replace(replace(
        regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g'),
        'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH'), 'ẞ', 'SS'),
      'ØŁĐÐĦŦŊƏ`´ʼ‘’‛′＇‐‑‒–−－', 'OLDDHTNA''''''''''''''''------'
    )
  end;

alter table clearing.party add column name_plain text, add column last_first_plain text;

create or replace function clearing.fill_party() returns trigger language plpgsql as $$
begin
  select account.account_name, account.created_at into new.account_name, new.account_created_at
  from clearing.account where account.account_number = new.account_number;
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  return new;
end $$;

create function clearing.fill_plain_names() returns trigger language plpgsql as $$
begin
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  return new;
end $$;
create trigger fill_plain_names before update of name, last_first on clearing.party for each row
  when ((old.name, old.last_first) is distinct from (new.name, new.last_first))
  execute function clearing.fill_plain_names();
grant execute on function clearing.plain_letters(text), clearing.fill_plain_names() to clearing_app, clearing_operations;
