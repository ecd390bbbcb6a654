-- no transaction
-- Positions whose lines the books refused. Each close tries them again, also those of cancelled actions.
drop index concurrently if exists clearing.announced_entitlement_refused;
create index concurrently announced_entitlement_refused on clearing.announced_entitlement (external_id, account_number) where state = 'Refused';
