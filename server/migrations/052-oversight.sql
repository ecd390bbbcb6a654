-- Looking over all firms by time: the audit trail, who read what, how applications moved.

create index audit_time on clearing.audit (at, firm_id, sequence);
create index access_record_time on clearing.access_record (at);
create index onboarding_transition_time on clearing.onboarding_transition (at);
create index onboarding_submitted on clearing.onboarding (created_at);
-- Who holds a security.
create index holding_security on clearing.holding (sec_no, account_number);
