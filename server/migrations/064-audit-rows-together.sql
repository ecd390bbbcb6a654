-- Several rows of one transaction go to the firm's chain in one call: its head is locked, read and moved once. Like append_audit, it is
-- called last.
create function clearing.append_audit_rows(
  firm uuid, row_at timestamptz[], row_actor text[], row_action text[], row_account text[], row_target text[], row_trace text[],
  row_detail text[]
) returns bigint language plpgsql as $$
declare
  head clearing.audit_head;
  previous bytea;
begin
  select * into head from clearing.audit_head where firm_id = firm for update;
  if not found then
    insert into clearing.audit_head (firm_id, sequence, hash) values (firm, 0, '\x') on conflict do nothing;
    select * into head from clearing.audit_head where firm_id = firm for update;
  end if;
  for place in 1 .. cardinality(row_at) loop
    previous := head.hash;
    head.sequence := head.sequence + 1;
    head.hash := sha256(clearing.audit_bytes(
      firm, head.sequence, row_at[place], row_actor[place], row_action[place], row_account[place], row_target[place],
      row_trace[place], row_detail[place], previous));
    insert into clearing.audit
      (firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash)
    values
      (firm, head.sequence, row_at[place], row_actor[place], row_action[place], row_account[place], row_target[place],
       row_trace[place], row_detail[place], previous, head.hash);
  end loop;
  update clearing.audit_head set sequence = head.sequence, hash = head.hash where firm_id = firm;
  return head.sequence;
end
$$;
grant execute on function clearing.append_audit_rows(uuid, timestamptz[], text[], text[], text[], text[], text[], text[])
  to clearing_app, clearing_operations;
