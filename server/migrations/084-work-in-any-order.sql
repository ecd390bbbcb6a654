-- no transaction
-- The inbox is sorted by account and by firm as well as by how long an item has waited, over everything that waits: each queue has an
-- index for each order, of what waits alone. Breaks and margin calls had theirs by account.

drop index concurrently if exists clearing.onboarding_waiting_account;
create index concurrently onboarding_waiting_account on clearing.onboarding (current_state, account_number)
  where current_state in ('ManualReview', 'ActionRequired');
drop index concurrently if exists clearing.onboarding_waiting_firm;
create index concurrently onboarding_waiting_firm on clearing.onboarding (current_state, firm_id, updated_at, account_number)
  where current_state in ('ManualReview', 'ActionRequired');

drop index concurrently if exists clearing.document_waiting_account;
create index concurrently document_waiting_account on clearing.document (account_number, created_at)
  where status = 'PendingApproval';
drop index concurrently if exists clearing.document_waiting_firm;
create index concurrently document_waiting_firm on clearing.document (firm_id, created_at, document_id)
  where status = 'PendingApproval';

drop index concurrently if exists clearing.screening_match_open_account;
create index concurrently screening_match_open_account on clearing.screening_match (account_number, created_at)
  where decision = 'Open';
drop index concurrently if exists clearing.screening_match_open_firm;
create index concurrently screening_match_open_firm on clearing.screening_match (firm_id, created_at, match_id)
  where decision = 'Open';

drop index concurrently if exists clearing.change_request_waiting_account;
create index concurrently change_request_waiting_account on clearing.change_request (account_number, requested_at)
  where state = 'Requested';
drop index concurrently if exists clearing.change_request_waiting_firm;
create index concurrently change_request_waiting_firm on clearing.change_request (firm_id, requested_at, change_id)
  where state = 'Requested';

drop index concurrently if exists clearing.books_break_open_firm;
create index concurrently books_break_open_firm on clearing.books_break (firm_id, raised_at, break_id)
  where resolved_at is null;

-- Calls wait since the midnight in New York at which their day began.
drop index concurrently if exists clearing.margin_call_open_since;
create index concurrently margin_call_open_since on clearing.margin_call
  ((issued_on::timestamp at time zone 'America/New_York'), account_number, kind)
  where met_on is null;
drop index concurrently if exists clearing.margin_call_open_firm;
create index concurrently margin_call_open_firm on clearing.margin_call
  (firm_id, (issued_on::timestamp at time zone 'America/New_York'), account_number, kind)
  where met_on is null;

drop index concurrently if exists clearing.webhook_delivery_failed_account;
create index concurrently webhook_delivery_failed_account on clearing.webhook_delivery (account_number, ended_at)
  where status = 'Failed';
drop index concurrently if exists clearing.webhook_delivery_failed_firm;
create index concurrently webhook_delivery_failed_firm on clearing.webhook_delivery (firm_id, ended_at, delivery_id)
  where status = 'Failed';
