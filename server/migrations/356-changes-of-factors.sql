-- Whether a version of a security has another factor than the one before it. Null in versions that an earlier release wrote.
alter table clearing.security_version add column factor_changed boolean;
