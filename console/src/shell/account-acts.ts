/** What an account's screen offers, for the palette: every button with the screen that has it, and every tab. */
import { type StaffRole, whyNot } from '@clearing/protocol'
import type { Filters } from '../address.ts'

interface AccountAct {
  readonly label: (accountNumber: string) => string
  /** Below the address of the account. */
  readonly path?: string
  readonly tab?: string
  /** What the role must be allowed to do. */
  readonly needs: string
  /** Whether the dialog opens at once. Otherwise the person chooses a row first. */
  readonly opens?: boolean
}

const acts: readonly AccountAct[] = [
  { label: (of) => `Correct ${of}`, path: '/correct', needs: 'update-account' },
  { label: (of) => `Margin and options of ${of}…`, needs: 'set-entitlements', opens: true },
  { label: (of) => `Tax id and citizenship of ${of}…`, needs: 'correct-identity', opens: true },
  { label: (of) => `Restrict ${of}…`, needs: 'place-restriction', opens: true },
  { label: (of) => `End a restriction of ${of}`, tab: 'restrictions', needs: 'end-restriction' },
  {
    label: (of) => `Record a step of a temporary hold of ${of}`,
    tab: 'restrictions',
    needs: 'record-hold-step',
  },
  { label: (of) => `Close ${of}…`, needs: 'close-account', opens: true },
  { label: (of) => `Write a note on ${of}`, tab: 'notes', needs: 'add-note', opens: true },
  { label: (of) => `Add a document to ${of}`, tab: 'documents', needs: 'add-document', opens: true },
  { label: (of) => `Make a statement of ${of} again`, tab: 'documents', needs: 'make-statement' },
  { label: (of) => `Extend a margin call of ${of}`, tab: 'margin', needs: 'grant-extension' },
  {
    label: (of) => `Show personal numbers of ${of}…`,
    tab: 'record',
    needs: 'personal-numbers',
    opens: true,
  },
  { label: (of) => `Application of ${of}`, path: '/application', needs: 'onboarding-result' },
  { label: (of) => `Screening of ${of}`, path: '/screening', needs: 'list-matches' },
  ...[
    'Record',
    'History',
    'Restrictions',
    'Positions',
    'Lots',
    'Realized',
    'Margin',
    'Activity',
    'Documents',
    'Events',
    'Notes',
    'Audit',
  ].map((name) => ({
    label: (of: string) => `${name} of ${of}`,
    tab: name.toLowerCase(),
    needs: 'get-account',
  })),
]

/** `shown` is the state of the account's screen if it is open, which stays where the act needs no tab of its own. */
export function actsOn(accountNumber: string, role: StaffRole, shown: Filters = {}) {
  return acts
    .filter(({ needs }) => whyNot(role, needs) === undefined)
    .map(({ label, path = '', tab, needs, opens = false }) => ({
      key: `act ${accountNumber} ${needs} ${tab ?? ''}`,
      label: label(accountNumber),
      to: `/accounts/${accountNumber}${path}`,
      search:
        path === '' ? { ...(tab === undefined ? shown : { tab }), ...(opens ? { act: needs } : {}) } : {},
    }))
}
