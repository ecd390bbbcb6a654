/** Every screen by its address. A screen is loaded when it is first opened. Its filters are texts in the address. */
import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Page } from './design/page.tsx'
import { Empty, Failure, Loading } from './design/states.tsx'
import { Shell } from './shell/shell.tsx'

const screens = {
  '/': lazyRouteComponent(() => import('./home/home-screen.tsx'), 'HomeScreen'),
  '/work': lazyRouteComponent(() => import('./work/work-screen.tsx'), 'WorkScreen'),
  '/accounts': lazyRouteComponent(() => import('./account/search-screen.tsx'), 'SearchScreen'),
  '/accounts/$accountNumber': lazyRouteComponent(
    () => import('./account/account-screen.tsx'),
    'AccountScreen',
  ),
  '/accounts/$accountNumber/correct': lazyRouteComponent(
    () => import('./account/correct-screen.tsx'),
    'CorrectScreen',
  ),
  '/accounts/$accountNumber/application': lazyRouteComponent(
    () => import('./application/application-screen.tsx'),
    'ApplicationScreen',
  ),
  '/accounts/$accountNumber/screening': lazyRouteComponent(
    () => import('./screening/screening-screen.tsx'),
    'ScreeningScreen',
  ),
  '/accounts/$accountNumber/documents/$documentId': lazyRouteComponent(
    () => import('./document/document-screen.tsx'),
    'DocumentScreen',
  ),
  '/screening': lazyRouteComponent(() => import('./screening/lists-screen.tsx'), 'ListsScreen'),
  '/screening/matches': lazyRouteComponent(() => import('./screening/matches-screen.tsx'), 'MatchesScreen'),
  '/screening/restrictions': lazyRouteComponent(
    () => import('./screening/restrictions-screen.tsx'),
    'RestrictionsScreen',
  ),
  '/changes/$changeId': lazyRouteComponent(() => import('./change/change-screen.tsx'), 'ChangeScreen'),
  '/books': lazyRouteComponent(() => import('./books/loads-screen.tsx'), 'LoadsScreen'),
  '/books/loads': lazyRouteComponent(() => import('./books/loads-screen.tsx'), 'LoadsScreen'),
  '/books/loads/$loadId': lazyRouteComponent(() => import('./books/load-screen.tsx'), 'LoadScreen'),
  '/books/corporate-actions': lazyRouteComponent(
    () => import('./corporate-actions/actions-screen.tsx'),
    'ActionsScreen',
  ),
  '/books/corporate-actions/action': lazyRouteComponent(
    () => import('./corporate-actions/action-screen.tsx'),
    'ActionScreen',
  ),
  '/books/breaks': lazyRouteComponent(() => import('./books/breaks-screen.tsx'), 'BreaksScreen'),
  '/books/calls': lazyRouteComponent(() => import('./books/calls-screen.tsx'), 'CallsScreen'),
  '/books/stock-record': lazyRouteComponent(
    () => import('./books/stock-record-screen.tsx'),
    'StockRecordScreen',
  ),
  '/books/locations': lazyRouteComponent(() => import('./books/locations-screen.tsx'), 'LocationsScreen'),
  '/books/pending': lazyRouteComponent(() => import('./books/pending-screen.tsx'), 'PendingScreen'),
  '/books/corrections': lazyRouteComponent(
    () => import('./books/corrections-screen.tsx'),
    'CorrectionsScreen',
  ),
  '/books/business-day': lazyRouteComponent(
    () => import('./books/business-day-screen.tsx'),
    'BusinessDayScreen',
  ),
  '/renewals': lazyRouteComponent(() => import('./renewals/renewals-screen.tsx'), 'RenewalsScreen'),
  '/reports': lazyRouteComponent(() => import('./reports/reports-screen.tsx'), 'ReportsScreen'),
  '/firms': lazyRouteComponent(() => import('./firms/firms-screen.tsx'), 'FirmsScreen'),
  '/firms/$firmId': lazyRouteComponent(() => import('./firms/firm-screen.tsx'), 'FirmScreen'),
  '/incidents': lazyRouteComponent(() => import('./incidents/incidents-screen.tsx'), 'IncidentsScreen'),
  '/audit': lazyRouteComponent(() => import('./audit/audit-screen.tsx'), 'AuditScreen'),
  '/staff': lazyRouteComponent(() => import('./staff/staff-screen.tsx'), 'StaffScreen'),
  '/profile': lazyRouteComponent(() => import('./staff/profile-screen.tsx'), 'ProfileScreen'),
  '/sandbox': lazyRouteComponent(() => import('./sandbox/sandbox-screen.tsx'), 'SandboxScreen'),
} as const

function NotThere() {
  return (
    <Page title="There is no such screen">
      <Empty what="The address is not that of a screen." hint={<Link to="/">Home</Link>} />
    </Page>
  )
}

export function makeScreens(): AnyRouter {
  const root = createRootRoute({ component: Shell, notFoundComponent: NotThere })
  const routes = Object.entries(screens).map(([path, component]) =>
    createRoute({ getParentRoute: () => root, path, component }),
  )
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    // Values stay texts, because an account number is not a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
      return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`
    },
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error }) => <Failure fault={error} again={() => location.reload()} />,
    scrollRestoration: true,
    // Dialogs, typed text and given reasons belong to one item. A screen of another item begins without them.
    defaultRemountDeps: ({ params }) => params,
  })
}
