-- The last word of a last name of several words, by which the person is found too: GARCIA LOPEZ by LOPEZ, DE LA CRUZ by CRUZ. Triggers
-- fill it, also for writes of the release before; housekeeping fills the rows that are there.

/*
  The last word of a last name and then the first names, in plain letters: LEON ANA of ANA NÚÑEZ DE LEÓN. Empty if the last name has one
  word. `last_first` tells which words of the name are the last name.
*/
create function clearing.last_word_first(name text, last_first text) returns text
  language plpgsql immutable parallel safe as $$
declare
  words text[] := string_to_array(name, ' ');
  total integer := cardinality(words);
  form text;
begin
  for size in 2 .. total - 1 loop
    for start in 2 .. total - size + 1 loop
      if array_to_string(words[start:start + size - 1] || words[1:start - 1] || words[start + size:], ' ') = last_first then
        form := array_to_string(words[start + size - 1] || words[1:start - 1], ' ');
        return coalesce(clearing.plain_letters(form), form);
      end if;
    end loop;
  end loop;
  return '';
end $$;

alter table clearing.party add column last_word_first text;

create or replace function clearing.fill_party() returns trigger language plpgsql as $$
begin
  select account.account_name, account.created_at into new.account_name, new.account_created_at
  from clearing.account where account.account_number = new.account_number;
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  new.last_word_first := clearing.last_word_first(new.name, new.last_first);
  return new;
end $$;

create or replace function clearing.fill_plain_names() returns trigger language plpgsql as $$
begin
  new.name_plain := clearing.plain_letters(new.name);
  new.last_first_plain := clearing.plain_letters(new.last_first);
  new.last_word_first := clearing.last_word_first(new.name, new.last_first);
  return new;
end $$;
grant execute on function clearing.last_word_first(text, text) to clearing_app, clearing_operations;
