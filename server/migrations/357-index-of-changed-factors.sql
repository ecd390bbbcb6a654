-- no transaction
-- The factors that were changed since a close.
drop index concurrently if exists clearing.security_version_factor;
create index concurrently security_version_factor on clearing.security_version (entered_on) where factor_changed;
