-- The terms of a security that converts into stock: the symbol of the stock, and the shares for one share of the security or for
-- 1,000 of face value of a bond.
alter table clearing.security add column converts_to text, add column conversion_ratio numeric;
alter table clearing.security add constraint security_converts check (
  (converts_to is null) = (conversion_ratio is null)
  and length(converts_to) between 1 and 10
  and conversion_ratio > 0 and conversion_ratio < 1e18 and scale(conversion_ratio) <= 10
) not valid;
