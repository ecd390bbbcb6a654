-- no transaction
-- Applications on their way have an index of their own. Those that ended are found by their last step, and all of them by their
-- accounts, which are as old.

drop index concurrently if exists clearing.onboarding_unfinished;
create index concurrently onboarding_unfinished on clearing.onboarding (current_state, updated_at, account_number)
  where current_state not in ('CreationComplete', 'Rejected', 'CreationFailed');
drop index concurrently if exists clearing.onboarding_waiting;
drop index concurrently if exists clearing.onboarding_submitted;
drop index concurrently if exists clearing.onboarding_transition_time;
