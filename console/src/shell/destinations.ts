/**
 * The destinations of the palette: accounts and persons, firms, documents, screens and actions that match the typed
 * text.
 */
import type { StaffRole } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { useRouterState } from '@tanstack/react-router'
import { type Filters, useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { queues } from '../work/queues.ts'
import { actsOn } from './account-acts.ts'
import { places } from './places.ts'

export interface Destination {
  readonly key: string
  readonly group: 'This account' | 'Accounts and persons' | 'Documents' | 'Firms' | 'Screens' | 'Actions'
  readonly label: string
  readonly note?: string
  readonly to: string
  readonly search?: Filters
}

type Found = Answered<'search-accounts'>['accounts'][number]

const accountsShown = 8
const documentsShown = 6
const lettersMin = 2
const accountNumber = /^[a-z0-9]{8}$/i
const ofAccount = /^\/accounts\/([A-Z0-9]{8})(?=\/|$)/i
const taxId = /^\d{3}[\s-]?\d{2}[\s-]?\d{4}$/
/** Before the account is open, the destination is its application. */
const applying = ['Pending', 'Rejected']

export function useDestinations(text: string): {
  readonly destinations: readonly Destination[]
  readonly isReading: boolean
} {
  const { sandbox, permissions, role } = useSession()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [shown] = useFilters()
  const [typed, ...words] = text.split(/\s+/)
  // Words after a number select an action on its account. A name has no digits.
  const number =
    typed !== undefined && accountNumber.test(typed) && (words.length === 0 || /\d/.test(typed))
      ? typed.toUpperCase()
      : undefined
  const isSought = text.length >= lettersMin
  const accounts = useRead(
    'search-accounts',
    given<CallOf<'search-accounts'>>({
      ...(taxId.test(text) ? { taxIdNumber: text.replace(/\D/g, '') } : { text: number ?? text }),
      size: accountsShown,
    }),
    { enabled: isSought },
  )
  const [only] = accounts.data?.accounts ?? []
  const isNumber = number !== undefined && only?.accountNumber === number
  const isWholeAccount = isNumber && words.length === 0
  const documents = useRead(
    'get-document-details',
    { accountNumber: number ?? '', size: documentsShown, sortBy: 'createdDate', sortMode: 'descend' },
    { enabled: isWholeAccount },
  )
  const firms = useRead('list-firms', {})
  const views = useRead('list-views', {})
  const begins = matcherOf(text)
  const named = isSought
    ? (firms.data?.firms ?? []).filter(
        ({ name, entityNumbers }) => begins(name) || entityNumbers.includes(text),
      )
    : []
  const screens = screensOf()
    .filter(({ operation, sandboxOnly }) => permissions.includes(operation) && (sandbox || !sandboxOnly))
    .filter(({ label }) => begins(label))
  // The actions on the account that is typed, or else on the account that is open.
  const [, open] = ofAccount.exec(path) ?? []
  const account = isNumber ? number : open
  const group = account === open ? 'This account' : 'Accounts and persons'
  const onAccount = (
    account === undefined
      ? []
      : actsOn(account, role as StaffRole, path === `/accounts/${account}` ? shown : {})
  )
    .filter(({ label }) => begins(label))
    .map((act) => ({ ...act, group }) as const)
  const acts = actions.filter(({ operation, label }) => permissions.includes(operation) && begins(label))
  return {
    destinations: [
      // A number of three digits is an entity number; accounts begin with it.
      ...named.filter(({ entityNumbers }) => entityNumbers.includes(text)).map(firmOf),
      ...(isNumber ? [] : onAccount),
      ...(isSought && (isWholeAccount || !isNumber) ? (accounts.data?.accounts ?? []).map(accountOf) : []),
      ...(isNumber ? onAccount : []),
      ...(isWholeAccount ? (documents.data?.documents ?? []).map(documentOf) : []),
      ...named.filter(({ entityNumbers }) => !entityNumbers.includes(text)).map(firmOf),
      ...screens.map(({ to, label, search }) => ({
        key: `screen ${label}`,
        group: 'Screens' as const,
        label,
        to,
        ...(search === undefined ? {} : { search }),
      })),
      ...(isSought ? (views.data?.views ?? []) : [])
        .filter(({ name }) => begins(`View: ${name}`))
        .map(({ viewId, name, screen, search }) => ({
          key: `view ${viewId}`,
          group: 'Screens' as const,
          label: `View: ${name}`,
          to: screen,
          search: Object.fromEntries(new URLSearchParams(search)),
        })),
      ...acts.map(({ label, to, search }) => ({
        key: `action ${label}`,
        group: 'Actions' as const,
        label,
        to,
        ...(search === undefined ? {} : { search }),
      })),
    ],
    isReading:
      isSought &&
      (accounts.isFetching || (isWholeAccount && documents.isFetching) || firms.isPending || views.isPending),
  }
}

/** Whether each typed word is the beginning of a word of the label. */
function matcherOf(text: string): (label: string) => boolean {
  const typed = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
  return (label) => {
    const words = label.toLowerCase().split(/[^a-z0-9]+/)
    return typed.every((part) => words.some((word) => word.startsWith(part)))
  }
}

function accountOf({ accountNumber: number, accountName, accountStatus, firmName }: Found): Destination {
  const isApplying = applying.includes(accountStatus)
  return {
    key: `account ${number}`,
    group: 'Accounts and persons',
    label: accountName || number,
    note: `${isApplying ? 'application ' : ''}${number} · ${wordsOf(accountStatus).toLowerCase()} · ${firmName}`,
    to: `/accounts/${number}${isApplying ? '/application' : ''}`,
  }
}

function documentOf(document: Answered<'get-document-details'>['documents'][number]): Destination {
  const { accountNumber: number, documentId, displayName, fileName, status, documentTypeName } = document
  return {
    key: `document ${documentId}`,
    group: 'Documents',
    label: displayName || fileName,
    note: `${documentTypeName} · ${wordsOf(status).toLowerCase()}`,
    to: `/accounts/${number}/documents/${documentId}`,
  }
}

function firmOf({ firmId, name, entityNumbers }: Answered<'list-firms'>['firms'][number]): Destination {
  return {
    key: `firm ${firmId}`,
    group: 'Firms',
    label: name,
    note: entityNumbers.join(', '),
    to: `/firms/${firmId}`,
  }
}

interface Screen {
  readonly label: string
  readonly to: string
  readonly search?: Filters
  readonly operation: string
  readonly sandboxOnly?: boolean | undefined
}

function screensOf(): Screen[] {
  return [
    ...places.flatMap(({ to, label, operation, sandboxOnly, parts = [] }) => [
      { label, to, operation, sandboxOnly },
      ...parts.map((part) => ({ ...part, operation, sandboxOnly })),
    ]),
    ...Object.entries(queues).map(([queue, { label }]) => ({
      label: `Work: ${label.toLowerCase()}`,
      to: '/work',
      search: { queue },
      operation: 'list-work',
    })),
    { label: 'Work: late', to: '/work', search: { waiting: 'late' }, operation: 'list-work' },
    { label: 'Password and second factor', to: '/profile', operation: 'get-overview' },
  ]
}

/** The screen with the button of the action. */
const actions: readonly Screen[] = [
  { label: 'Load a file', to: '/books/loads', operation: 'load-activity' },
  { label: 'Close the business day', to: '/books/business-day', operation: 'close-business-day' },
  { label: 'Verify the books', to: '/books/breaks', operation: 'verify-books' },
  { label: 'Verify the audit chain', to: '/audit', operation: 'verify-audit' },
  { label: 'Export the audit trail', to: '/audit', operation: 'export-audit' },
  { label: 'Load a watch list', to: '/screening', operation: 'load-watch-list' },
  { label: 'Open an incident', to: '/incidents', operation: 'open-incident' },
  { label: 'Create a firm', to: '/firms', operation: 'create-firm' },
  { label: 'Add a person to the staff', to: '/staff', operation: 'create-staff' },
]
