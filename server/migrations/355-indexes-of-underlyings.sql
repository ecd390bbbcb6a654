-- no transaction
-- The options on a security, and the securities to which positions went.
drop index concurrently if exists clearing.security_underlying;
create index concurrently security_underlying on clearing.security (underlying) where underlying is not null;
drop index concurrently if exists clearing.unit_change_given;
create index concurrently unit_change_given on clearing.unit_change (sec_no, effective_on);
