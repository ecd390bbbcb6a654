-- Calls for intraday margin deficits (FINRA Rule 4210(d)(2)). After the fifteenth business day, such a call ends with what is
-- outstanding. The deficit of a day becomes 0 if lines of that day or an earlier one arrive late or are cancelled.
alter table clearing.margin_call
  drop constraint margin_call_kind_check,
  add constraint margin_call_kind_check check (kind in ('Fed', 'Maintenance', 'Cash', 'Intraday')) not valid,
  drop constraint margin_call_figures,
  add constraint margin_call_figures check (
    (amount > 0 or kind = 'Intraday' and amount = 0 and outstanding = 0) and outstanding >= 0
    and (met_on is null and outstanding > 0 or met_on is not null and (outstanding = 0 or kind = 'Intraday'))
    and greatest(amount, outstanding) < 'Infinity' and greatest(scale(amount), scale(outstanding)) <= 4
  ) not valid;
