-- An election for a position that no examination has noted yet notes it. The policy of the table limits the row to the firm.
grant insert on clearing.announced_entitlement to clearing_app;
