-- What a close computes has no bound of its own: quantity × price × rate may have more digits than any amount of a line has, and
-- one account that is worth so much must not stop the day for the others. Scale and sign stay checked, and NaN and the
-- infinities are refused. No row is rewritten or looked at: a domain gives way to its base type, and the checks are not valid.

alter table clearing.margin_ledger
  drop constraint margin_ledger_sma_check,
  alter column sma type numeric,
  alter column equity type numeric,
  alter column maintenance_excess type numeric,
  alter column interest_accrued type numeric,
  add constraint margin_ledger_figures check (
    sma >= 0 and greatest(sma, abs(equity), abs(maintenance_excess), abs(interest_accrued)) < 'Infinity'
    and greatest(scale(sma), scale(equity), scale(maintenance_excess), scale(interest_accrued)) <= 4
  ) not valid;

alter table clearing.day_accrual
  drop constraint day_accrual_margin_accrued_check,
  alter column margin_interest type numeric,
  alter column margin_accrued type numeric,
  alter column bond_interest type numeric,
  add constraint day_accrual_figures check (
    margin_accrued >= 0 and greatest(abs(margin_interest), margin_accrued, abs(bond_interest)) < 'Infinity'
    and greatest(scale(margin_interest), scale(margin_accrued), scale(bond_interest)) <= 4
  ) not valid;

alter table clearing.fund_accrual
  alter column interest type numeric,
  add constraint fund_accrual_figures check (abs(interest) < 'Infinity' and scale(interest) <= 4) not valid;

alter table clearing.margin_call
  drop constraint margin_call_amount_check,
  drop constraint margin_call_outstanding_check,
  drop constraint margin_call_check,
  alter column amount type numeric,
  alter column outstanding type numeric,
  add constraint margin_call_figures check (
    amount > 0 and outstanding >= 0 and (met_on is null) = (outstanding > 0)
    and greatest(amount, outstanding) < 'Infinity' and greatest(scale(amount), scale(outstanding)) <= 4
  ) not valid;

alter table clearing.sealed_balance
  drop constraint sealed_balance_quantity_check,
  drop constraint sealed_balance_cost_check,
  add constraint sealed_balance_figures check (greatest(abs(quantity), abs(cost)) < 'Infinity') not valid;
