-- Municipal bonds count days by 30/360 without a rule for the end of February.
alter table clearing.security
  drop constraint security_day_count_check,
  add constraint security_day_count_check check (
    day_count in ('30/360', '30/360 Bond Basis', 'ActAct', 'Act360', 'Act365')
  ) not valid;
