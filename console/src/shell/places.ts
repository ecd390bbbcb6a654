/** The entries of the navigation, in order. An entry whose operation is not allowed is hidden. */
import type { OperationName } from '@clearing/protocol'
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconBuildings,
  IconBuildingWarehouse,
  IconCalendarDue,
  IconCalendarEvent,
  IconCertificate,
  IconChartBar,
  IconCoins,
  IconFileImport,
  IconFlask,
  IconHome,
  IconHourglass,
  IconInbox,
  IconLinkOff,
  IconListCheck,
  IconListSearch,
  IconPencil,
  IconPhoneCall,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react'

export interface Place {
  readonly to: string
  readonly label: string
  readonly icon: typeof IconHome
  readonly operation: OperationName
  readonly sandboxOnly?: boolean
  readonly parts?: readonly { readonly to: string; readonly label: string; readonly icon: typeof IconHome }[]
}

export const places: readonly Place[] = [
  { to: '/', label: 'Home', icon: IconHome, operation: 'get-overview' },
  { to: '/work', label: 'Work', icon: IconInbox, operation: 'list-work' },
  { to: '/accounts', label: 'Accounts', icon: IconListSearch, operation: 'search-accounts' },
  {
    to: '/books',
    label: 'Books',
    icon: IconBuildingBank,
    operation: 'list-loads',
    parts: [
      { to: '/books/loads', label: 'Loads', icon: IconFileImport },
      { to: '/books/corporate-actions', label: 'Corporate actions', icon: IconCoins },
      { to: '/books/breaks', label: 'Breaks', icon: IconLinkOff },
      { to: '/books/calls', label: 'Margin calls', icon: IconPhoneCall },
      { to: '/books/stock-record', label: 'Stock record', icon: IconCertificate },
      { to: '/books/locations', label: 'Locations', icon: IconBuildingWarehouse },
      { to: '/books/pending', label: 'Pending lines', icon: IconHourglass },
      { to: '/books/corrections', label: 'Corrections', icon: IconPencil },
      { to: '/books/business-day', label: 'Business day', icon: IconCalendarEvent },
    ],
  },
  { to: '/screening', label: 'Watch lists', icon: IconListCheck, operation: 'list-watch-lists' },
  { to: '/firms', label: 'Client firms', icon: IconBuildings, operation: 'list-firms' },
  { to: '/renewals', label: 'Renewals', icon: IconCalendarDue, operation: 'list-renewals' },
  { to: '/reports', label: 'Reports', icon: IconChartBar, operation: 'get-report' },
  { to: '/incidents', label: 'Incidents', icon: IconAlertTriangle, operation: 'list-incidents' },
  { to: '/audit', label: 'Audit', icon: IconShieldCheck, operation: 'list-audit' },
  { to: '/staff', label: 'Staff', icon: IconUsers, operation: 'list-staff' },
  { to: '/sandbox', label: 'Sandbox', icon: IconFlask, operation: 'get-overview', sandboxOnly: true },
]
