/**
 * Every screen of the console with an address at which it has data, for the checks of all screens and for the pictures.
 */

/** The objects that the addresses name. */
export interface Shown {
  readonly application: string
  readonly match: string
  readonly document: { readonly accountNumber: string; readonly documentId: string }
  readonly changeId: string
  readonly firmId: string
  readonly loadId: string
  readonly corporateActionId: string
}

export interface Screen {
  readonly name: string
  readonly address: string
}

const tabs = [
  'record',
  'history',
  'restrictions',
  'positions',
  'lots',
  'realized',
  'margin',
  'activity',
  'documents',
  'events',
  'notes',
  'audit',
]

export function screensOf(shown: Shown): readonly Screen[] {
  return [
    { name: 'home', address: '/console/' },
    { name: 'work', address: '/console/work' },
    { name: 'accounts', address: '/console/accounts' },
    ...tabs.map((tab) => ({ name: `account-${tab}`, address: `/console/accounts/30100002?tab=${tab}` })),
    { name: 'correct', address: '/console/accounts/30100002/correct' },
    { name: 'application', address: `/console/accounts/${shown.application}/application` },
    { name: 'screening', address: `/console/accounts/${shown.match}/screening` },
    {
      name: 'document',
      address: `/console/accounts/${shown.document.accountNumber}/documents/${shown.document.documentId}`,
    },
    { name: 'watch-lists', address: '/console/screening' },
    { name: 'matches', address: '/console/screening/matches' },
    { name: 'restrictions', address: '/console/screening/restrictions' },
    { name: 'change', address: `/console/changes/${shown.changeId}` },
    { name: 'loads', address: '/console/books/loads' },
    { name: 'load', address: `/console/books/loads/${shown.loadId}` },
    { name: 'corporate-actions', address: '/console/books/corporate-actions' },
    {
      name: 'corporate-action',
      address: `/console/books/corporate-actions/action?id=${shown.corporateActionId}`,
    },
    { name: 'breaks', address: '/console/books/breaks' },
    { name: 'calls', address: '/console/books/calls' },
    { name: 'stock-record', address: '/console/books/stock-record?security=ANCR' },
    { name: 'locations', address: '/console/books/locations' },
    { name: 'pending', address: '/console/books/pending' },
    { name: 'corrections', address: '/console/books/corrections?accountNumber=30100001' },
    { name: 'business-day', address: '/console/books/business-day' },
    { name: 'renewals', address: '/console/renewals' },
    { name: 'reports', address: '/console/reports' },
    { name: 'firms', address: '/console/firms' },
    { name: 'firm', address: `/console/firms/${shown.firmId}` },
    { name: 'incidents', address: '/console/incidents' },
    { name: 'audit', address: '/console/audit' },
    { name: 'staff', address: '/console/staff' },
    { name: 'profile', address: '/console/profile' },
    { name: 'sandbox', address: '/console/sandbox' },
  ]
}

/** Parts that a screen shows only after a press or a choice, for the pictures. */
export interface OpenedScreen extends Screen {
  /** Selectors of the elements, in the order in which they are pressed. */
  readonly press: readonly string[]
}

const goTo = 'button:has-text("Go to")'

export function openedScreensOf(shown: Shown): readonly OpenedScreen[] {
  const account = '/console/accounts/30100002'
  return [
    { name: 'opened-palette', address: '/console/', press: [goTo] },
    { name: 'opened-bell', address: '/console/', press: ['[aria-label*="otification"]'] },
    { name: 'opened-columns', address: '/console/work', press: ['[aria-label="Columns of Work"]'] },
    { name: 'opened-views', address: '/console/work', press: ['button:has-text("Views")'] },
    {
      name: 'opened-save-view',
      address: '/console/work?queue=Match',
      press: ['button:has-text("Views")', '[role=menuitem]:has-text("Save as a view")'],
    },
    { name: 'opened-keys', address: '/console/work', press: ['button:has-text("Keys")'] },
    { name: 'opened-note', address: `${account}?tab=notes`, press: ['button:has-text("Write a note")'] },
    {
      name: 'opened-decision',
      address: `/console/accounts/${shown.application}/application`,
      press: ['button:has-text("Reject")'],
    },
    {
      name: 'opened-request',
      address: `/console/accounts/${shown.application}/application`,
      press: ['button:has-text("Ask the firm")'],
    },
    { name: 'opened-entitlements', address: account, press: ['button:has-text("Margin and options")'] },
    { name: 'opened-load', address: '/console/books/loads', press: ['button:has-text("Load a file")'] },
    {
      name: 'opened-announce',
      address: '/console/books/corporate-actions',
      press: ['button:has-text("Announce from a file")'],
    },
    {
      name: 'opened-elect',
      address: `/console/books/corporate-actions/action?id=${shown.corporateActionId}`,
      press: ['button:has-text("Elect…")'],
    },
    {
      name: 'beside-queue',
      address: `/console/accounts/${shown.application}/application?queue=Application`,
      press: [],
    },
    { name: 'two-days-record', address: `${account}?tab=history&from=2020-01-31`, press: [] },
    { name: 'two-days-positions', address: `${account}?tab=positions&against=2026-06-30`, press: [] },
    { name: 'liquidation', address: '/console/books/calls?met=overdue', press: [] },
  ]
}
