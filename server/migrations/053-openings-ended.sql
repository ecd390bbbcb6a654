-- How many applications ended on each day.
create index onboarding_ended on clearing.onboarding_transition (at, firm_id, to_state)
  where to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state;
