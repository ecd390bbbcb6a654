/**
 * The permissions of staff in one table. Routes reject by it, and the console disables buttons and explains why. An
 * operation that is not in the table cannot be called by staff. Credentials of programs are limited by scopes instead.
 */
import type { CodeOf } from './codes/index.ts'

/** A role of the clearing firm's staff. */
export type StaffRole = CodeOf<'staffRole'>

const everyRole = ['viewer', 'operator', 'principal', 'admin'] as const
const desk = ['operator', 'principal'] as const
const approvers = ['principal', 'admin'] as const
const admins = ['admin'] as const

/**
 * The roles that may call each operation, and the roles that may read unmasked personal numbers (`personal-numbers`).
 */
export const permissions: Readonly<Record<string, readonly StaffRole[]>> = {
  // Reading
  'search-accounts': everyRole,
  'list-work': everyRole,
  'list-changes': everyRole,
  'list-restrictions': everyRole,
  'list-renewals': everyRole,
  'list-documents': everyRole,
  'get-application': everyRole,
  'list-matches': everyRole,
  'list-watch-lists': everyRole,
  'list-loads': everyRole,
  'get-load': everyRole,
  'list-breaks': everyRole,
  'list-firms': everyRole,
  'list-cells': everyRole,
  'list-audit': everyRole,
  'list-audit-heads': everyRole,
  'list-readings': everyRole,
  'list-staff': everyRole,
  'list-notes': everyRole,
  'list-views': everyRole,
  'save-view': everyRole,
  'delete-view': everyRole,
  'list-notifications': everyRole,
  'list-incidents': everyRole,
  'read-notifications': everyRole,
  'get-overview': everyRole,
  'list-closes': everyRole,
  'list-failures': everyRole,
  'close-checklist': everyRole,
  'get-report': everyRole,
  'firm-usage': everyRole,
  'stock-record': everyRole,
  'list-location-differences': everyRole,
  'account-history': everyRole,
  'verify-audit': everyRole,
  'verify-books': everyRole,
  'export-audit': approvers,
  'personal-numbers': desk,

  // A client firm's operations, for the account that the request names
  'get-account': everyRole,
  'onboarding-result': everyRole,
  'position-summary': everyRole,
  'position-detail': everyRole,
  'balance-summary': everyRole,
  'realized-gains': everyRole,
  'tax-report': everyRole,
  'form-8949': everyRole,
  'list-corrections': everyRole,
  'list-margin-interest': everyRole,
  'trade-activity': everyRole,
  'non-trade-activity': everyRole,
  'get-document-details': everyRole,
  'get-document-types': everyRole,
  'get-document': everyRole,
  'list-statements': everyRole,
  'get-statement': everyRole,
  'make-statement': desk,
  'list-calls': everyRole,
  'list-corporate-actions': everyRole,
  'list-action-entitlements': everyRole,
  'list-pending-lines': everyRole,
  'code-lists': everyRole,
  'list-events': everyRole,
  'list-webhooks': everyRole,
  'list-deliveries': everyRole,
  'list-requests': everyRole,
  'list-accounts': everyRole,
  'update-account': desk,
  'add-document': desk,
  'resend-events': desk,
  'test-webhook': desk,

  // Working
  'claim-work': desk,
  'assign-work': desk,
  'decide-work': desk,
  'settle-work': desk,
  'decide-onboarding': desk,
  'request-information': desk,
  'decide-document': desk,
  'decide-match': desk,
  'add-note': desk,
  'open-incident': ['operator', 'principal', 'admin'],
  'update-incident': ['operator', 'principal', 'admin'],
  'place-restriction': desk,
  'request-renewal': desk,
  'waive-follow-up': desk,
  'end-restriction': desk,
  'record-hold-step': desk,
  'grant-extension': desk,
  'close-account': desk,
  'set-entitlements': desk,
  'correct-identity': desk,
  'withdraw-change': ['operator', 'principal', 'admin'],
  'decide-change': approvers,
  'load-securities': desk,
  'load-prices': desk,
  'load-fx-rates': desk,
  'load-held-away': desk,
  'load-location-positions': desk,
  'load-account-terms': desk,
  'load-activity': desk,
  'load-corporate-actions': desk,
  elect: desk,
  'compare-watch-list': desk,
  'load-watch-list': desk,
  'close-business-day': desk,
  'review-load': desk,

  // Controls of the sandbox that only read; the others are below
  'get-clock': everyRole,
  'list-snapshots': everyRole,
  'list-scenarios': everyRole,
  'list-sandboxes': everyRole,

  // Managing
  'create-firm': admins,
  'update-firm': admins,
  'create-credential': admins,
  'rotate-credential': admins,
  'replace-client-keys': admins,
  'disable-credential': admins,
  'update-credential': admins,
  'acknowledge-restore': approvers,
  'create-staff': admins,
  'update-staff': admins,
}

/** The roles that may approve a change, by its subject. The person who requested a change can never approve it. */
export const approversOf: Readonly<Record<CodeOf<'approvalSubject'>, readonly StaffRole[]>> = {
  Names: ['principal'],
  Addresses: ['principal'],
  Beneficiaries: ['principal'],
  Contacts: ['principal'],
  BirthDate: ['principal'],
  Restrictions: ['principal'],
  Closing: ['principal'],
  DayClose: ['principal'],
  // A registered options principal approves an options account (FINRA Rule 2360(b)(16)(B)).
  Entitlements: ['principal'],
  Identity: ['principal'],
  Credentials: approvers,
  Matches: ['principal'],
  Screening: ['principal'],
  ReviewedFacts: ['principal'],
}

/** The operation that completes the work of each queue. A person who may not call it cannot claim such work. */
const doneBy: Readonly<Record<CodeOf<'workQueue'>, string>> = {
  Application: 'decide-onboarding',
  FollowUp: 'decide-onboarding',
  Document: 'decide-document',
  Match: 'decide-match',
  Change: 'decide-change',
  Restriction: 'decide-change',
  Hold: 'record-hold-step',
  Break: 'settle-work',
  Call: 'claim-work',
  Job: 'settle-work',
  Webhook: 'settle-work',
}

/** Why a person of this role cannot claim work of the queue; undefined if they can. */
export function whyNotTake(role: StaffRole, queue: CodeOf<'workQueue'>): string | undefined {
  return mayCall(role, 'claim-work') && mayCall(role, doneBy[queue])
    ? undefined
    : `Work of the queue ${queue} is not for the role ${role}.`
}

/** The roles that may call any control of the sandbox. */
const sandboxControls: readonly StaffRole[] = ['operator', 'principal', 'admin']

/** The roles that may call an operation; `inSandbox` if it is called below `/sandbox-api/`. */
export function rolesFor(operation: string, inSandbox = false): readonly StaffRole[] {
  return permissions[operation] ?? (inSandbox ? sandboxControls : [])
}

/** Whether a person of this role may call the operation. */
export function mayCall(role: StaffRole, operation: string, inSandbox = false): boolean {
  return rolesFor(operation, inSandbox).includes(role)
}

/** Why a person of this role may not call the operation: the reason of the 403; undefined if they may. */
export function whyNot(role: StaffRole, operation: string, inSandbox = false): string | undefined {
  const roles = rolesFor(operation, inSandbox)
  if (roles.includes(role)) return undefined
  return roles.length === 0 ? 'No role of staff may do this.' : `This needs the role ${roles.join(' or ')}.`
}

/** The names of all operations that a person of this role may call. */
export function permissionsOf(role: StaffRole): string[] {
  return Object.keys(permissions).filter((name) => mayCall(role, name))
}
