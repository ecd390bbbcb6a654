-- no transaction
-- The index of applications that ended has their accounts, so that get-overview reads the last of them from the index alone.
drop index concurrently if exists clearing.onboarding_ended_account;
create index concurrently onboarding_ended_account on clearing.onboarding_transition (at, firm_id, to_state) include (account_number)
  where to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state;
drop index concurrently if exists clearing.onboarding_ended;
