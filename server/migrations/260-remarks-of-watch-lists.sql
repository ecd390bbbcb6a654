-- A list has a fourth file, which continues long remarks.
alter table clearing.watch_list_part
  drop constraint watch_list_part_part_check,
  add constraint watch_list_part_part_check check (part in ('sdn', 'alt', 'add', 'comments')) not valid;
