/**
 * Makes long lists by SQL, as the service would have stored them: accounts, applications that wait for a person, and
 * audit rows of Alpha.
 */

const numbered = `(select 'L' || lpad(n::text, 7, '0') as account_number, firm_id, n, now() - n * interval '7 seconds' as at
  from generate_series(1, $1::int) as n, clearing.entity where entity_number = '301') as given`

/** The numbers of rows. The audit rows are only for display: their chain does not verify. */
export const longLists: readonly string[] = [
  `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, record,
     created_at, updated_at, opened_at)
   select account_number, firm_id, '301', 'JC01', 'Individual', case when n % 1000 = 0 then 'Restricted' else 'Open' end, 'JANE DOE ' || n,
     '{}', at, at, at from ${numbered}`,
  `insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first)
   select account_number, firm_id, lpad(n::text, 18, '0'), 'PrimaryOwner', 'JANE DOE ' || n, 'DOE JANE ' || n from ${numbered}`,
  `insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, request, possible_duplicates,
     created_at, updated_at)
   select account_number, firm_id, gen_random_uuid(), 'ManualReview',
     '{"stage": "IdentityCheck", "stages": [{"code": "IdentityCheck", "status": "Pending", "reason": ""}],
       "followUps": [{"kind": "Review", "status": "Open", "code": "ManualReview", "reasons": ["A person must look at it"]}]}', '{}', '{}',
     at, at from ${numbered}`,
  `insert into clearing.audit (firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash)
   select firm_id, 1000000 + n, at, 'operator@example.com', 'get-account', account_number, '', md5(n::text), '{"reason": "looked at"}', '\\x', '\\x'
   from ${numbered}`,
]
