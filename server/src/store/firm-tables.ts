/**
 * The tables of the database, divided by the fate of their rows when a firm moves to another cell. Tables of
 * firms move with the firm; tables of the cell stay. A test compares the list with the schema.
 */

export interface FirmTable {
  readonly name: string
  /** The column by which rows of a firm are found: its own, or that of its accounts. */
  readonly by: 'firm_id' | 'account_number'
}

function ofFirm(...names: readonly string[]): FirmTable[] {
  return names.map((name) => ({ name, by: 'firm_id' }))
}

function ofAccounts(...names: readonly string[]): FirmTable[] {
  return names.map((name) => ({ name, by: 'account_number' }))
}

/** Tables with rows of one firm. A table comes after the tables to which its rows refer. */
export const firmTables: readonly FirmTable[] = [
  ...ofFirm('firm', 'firm_key', 'entity', 'rep_code', 'credential', 'credential_secret', 'opening_day'),
  ...ofFirm('account', 'account_change', 'account_review', 'account_version', 'party', 'note', 'restriction'),
  ...ofFirm(
    'temporary_hold',
    'onboarding',
    'onboarding_transition',
    'document',
    'screening_match',
    'change_request',
  ),
  ...ofFirm(
    'statement',
    'renewal',
    'call_extension',
    'cash_ledger',
    'held_away',
    'held_away_correction',
    'pending_line',
  ),
  ...ofFirm('announced_entitlement'),
  ...ofFirm('account_books', 'account_terms_version', 'activity', 'activity_key', 'entry', 'correction'),
  ...ofFirm('closing', 'wash', 'holding', 'security_link', 'cash_balance', 'unsettled', 'books_break'),
  ...ofFirm(
    'settled_break',
    'margin_ledger',
    'margin_call',
    'margin_call_day',
    'day_accrual',
    'fund_accrual',
    'margin_interest',
    'interest_line',
  ),
  ...ofAccounts('books_proof', 'day_account', 'sealed_balance'),
  ...ofFirm('firm_seal_portion', 'firm_seal', 'moved_signed_head'),
  ...ofFirm(
    'event_row',
    'event_log_before',
    'event_place_before',
    'webhook',
    'webhook_secret',
    'webhook_delivery',
  ),
  ...ofFirm('idempotency', 'request', 'access_record', 'audit', 'audit_head'),
]

/** Tables of the cell. A table that names a firm or an account has the reason why its rows stay. */
export const cellTables: Readonly<Record<string, string>> = {
  announcement: '',
  announcement_amendment: '',
  audit_proof: '',
  audit_signed_head: 'copies of documents that the cell signed and keeps',
  business_day: '',
  business_day_close: '',
  business_day_portion: '',
  cell_signing_key: '',
  client_assertion: '',
  close_acceptance: '',
  conversion_terms: '',
  corporate_action: 'facts of a security in every cell; the firm is that of the first line',
  day_firms: '',
  day_seal: '',
  day_seal_portion: '',
  document_store: '',
  event_line: '',
  event_removal: '',
  firm_move: 'signed, and stored in both cells',
  fx_rate: '',
  fx_rate_correction: '',
  identity_version: '',
  incident: '',
  incident_update: '',
  list_view: '',
  listed_person: '',
  load: '',
  load_part: '',
  load_reject: '',
  load_reject_line: '',
  location_position: '',
  location_position_correction: '',
  market_change: '',
  migration: '',
  moving_firm: 'the state of a move in this cell',
  named_underlying: '',
  notification: 'rows of the staff, who belong to the cell',
  opening_counted: '',
  other_seal_key: '',
  price: '',
  price_correction: '',
  queue_day: '',
  rescreening: '',
  review_entry: '',
  sandbox: 'has a database of its own',
  sandbox_clock: '',
  sandbox_demonstration: '',
  sandbox_snapshot: '',
  seal_key: '',
  seal_proof: '',
  security: '',
  security_version: '',
  sign_in_guess: '',
  sign_in_state: '',
  signing_key: '',
  snapshot_document: '',
  staff: '',
  staff_session: '',
  unit_change: 'facts of securities in every cell; the firm is that of the line',
  watch_list: '',
  watch_list_part: '',
  work_assignment: '',
  work_settlement: '',
  worker_lease: '',
}
