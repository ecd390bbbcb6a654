-- A factor change that begins at the factor which a security has ends at the one that it has from then on. One that the
-- feed of securities told already, or that lies further back, changes nothing.
create function clearing.take_factor() returns trigger language plpgsql as $$
begin
  update clearing.security set current_factor = (new.terms #>> '{ratio,0}')::numeric, updated_at = now()
  where sec_no = new.sec_no and current_factor = (new.terms #>> '{ratio,1}')::numeric
    and (new.terms #>> '{ratio,0}')::numeric > 0;
  return null;
end $$;
create trigger take_factor after insert on clearing.activity
  for each row when (new.trans_type = 'FactorChange') execute function clearing.take_factor();
