/** Every screen of the console with an address that shows something: for the checks that hold on all of them, and the pictures. */

/** What the addresses name. */
export interface Shown {
  readonly application: string
  readonly match: string
  readonly document: { readonly accountNumber: string; readonly documentId: string }
  readonly changeId: string
  readonly firmId: string
  readonly loadId: string
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
    { name: 'change', address: `/console/changes/${shown.changeId}` },
    { name: 'loads', address: '/console/books/loads' },
    { name: 'load', address: `/console/books/loads/${shown.loadId}` },
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
    { name: 'audit', address: '/console/audit' },
    { name: 'staff', address: '/console/staff' },
    { name: 'profile', address: '/console/profile' },
    { name: 'sandbox', address: '/console/sandbox' },
  ]
}
