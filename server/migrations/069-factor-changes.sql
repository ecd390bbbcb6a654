-- A factor change that begins at the factor which a security has moves it on, and so do those of the account that follow on
-- it and came before it. One that the feed of securities told already, or that lies further back, changes nothing.
create function clearing.take_factor() returns trigger language plpgsql as $$
declare
  factor numeric;
  following numeric := (new.terms #>> '{ratio,0}')::numeric;
begin
  select current_factor into factor from clearing.security where sec_no = new.sec_no for update;
  if factor is distinct from (new.terms #>> '{ratio,1}')::numeric then return null; end if;
  -- Factors fall, so this ends.
  while following > 0 and following < factor loop
    factor := following;
    following := null;
    select (terms #>> '{ratio,0}')::numeric into following from clearing.activity
    where account_number = new.account_number and sec_no = new.sec_no and trans_type = 'FactorChange'
      and trade_date >= new.trade_date and (terms #>> '{ratio,1}')::numeric = factor
    order by trade_date limit 1;
  end loop;
  update clearing.security set current_factor = factor, updated_at = now()
  where sec_no = new.sec_no and current_factor <> factor;
  return null;
end $$;
create trigger take_factor after insert on clearing.activity
  for each row when (new.trans_type = 'FactorChange') execute function clearing.take_factor();
