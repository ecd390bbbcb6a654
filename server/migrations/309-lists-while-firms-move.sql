-- Open accounts are not compared with a changed watch list while a firm is frozen here or arrives: those of the firm could be
-- left out in both cells.
create trigger refuse_while_moving before insert on clearing.rescreening
  for each row execute function clearing.refuse_close_while_moving();
