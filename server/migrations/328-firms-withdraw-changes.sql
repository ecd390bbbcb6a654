-- A firm withdraws its own waiting changes of accounts. Its role may end a change in this way and in no other.
grant update (state, decided_by, decided_at, decision_reason) on clearing.change_request to clearing_app;
create policy firm_withdraws on clearing.change_request as restrictive for update to clearing_app
  using (true) with check (state = 'Withdrawn');

-- Another credential of the firm may withdraw the request of a credential. A person withdraws their own requests only.
alter table clearing.change_request drop constraint maker_is_not_checker;
alter table clearing.change_request add constraint maker_is_not_checker check (
  case when state = 'Withdrawn' then decided_by = requested_by or (decided_by || requested_by) not like '%@%'
    else decided_by is null or lower(decided_by) <> lower(requested_by) end) not valid;
