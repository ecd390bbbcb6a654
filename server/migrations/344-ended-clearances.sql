-- A check of an application drops a match that no list has any more, and ends the change that would clear it. It runs
-- with the role of the firm, which could end a change only by withdrawing it.
alter policy firm_withdraws on clearing.change_request
  with check (state = 'Withdrawn' or (state = 'Rejected' and decided_by = 'service' and operation = 'decide-match'));
