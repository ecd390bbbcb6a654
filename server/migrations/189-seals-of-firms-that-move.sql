-- The owner copies and removes the seals of a firm that moves, as its other rows.
create policy moving_rows on clearing.firm_seal_portion to current_user using (firm_id in
  (select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
create policy moving_rows on clearing.firm_seal to current_user using (firm_id in
  (select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
create policy moving_rows on clearing.moved_signed_head to current_user using (firm_id in
  (select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
