/** Every screen by its address. A screen is loaded when it is first opened. Its filters are texts in the address. */
import { type AnyRouter, createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router'
import { Page } from './design/page.tsx'
import { Empty, Failure, Loading } from './design/states.tsx'
import { loadLater } from './load-later.tsx'
import { Shell } from './shell/shell.tsx'

const screens = {
  '/': loadLater(() => import('./home/home-screen.tsx').then((file) => file.HomeScreen)),
  '/work': loadLater(() => import('./work/work-screen.tsx').then((file) => file.WorkScreen)),
  '/accounts': loadLater(() => import('./account/search-screen.tsx').then((file) => file.SearchScreen)),
  '/accounts/$accountNumber': loadLater(() =>
    import('./account/account-screen.tsx').then((file) => file.AccountScreen),
  ),
  '/accounts/$accountNumber/correct': loadLater(() =>
    import('./account/correct-screen.tsx').then((file) => file.CorrectScreen),
  ),
  '/accounts/$accountNumber/application': loadLater(() =>
    import('./application/application-screen.tsx').then((file) => file.ApplicationScreen),
  ),
  '/accounts/$accountNumber/screening': loadLater(() =>
    import('./screening/screening-screen.tsx').then((file) => file.ScreeningScreen),
  ),
  '/accounts/$accountNumber/documents/$documentId': loadLater(() =>
    import('./document/document-screen.tsx').then((file) => file.DocumentScreen),
  ),
  '/screening': loadLater(() => import('./screening/lists-screen.tsx').then((file) => file.ListsScreen)),
  '/screening/matches': loadLater(() =>
    import('./screening/matches-screen.tsx').then((file) => file.MatchesScreen),
  ),
  '/screening/restrictions': loadLater(() =>
    import('./screening/restrictions-screen.tsx').then((file) => file.RestrictionsScreen),
  ),
  '/changes/$changeId': loadLater(() =>
    import('./change/change-screen.tsx').then((file) => file.ChangeScreen),
  ),
  '/books': loadLater(() => import('./books/loads-screen.tsx').then((file) => file.LoadsScreen)),
  '/books/loads': loadLater(() => import('./books/loads-screen.tsx').then((file) => file.LoadsScreen)),
  '/books/loads/$loadId': loadLater(() => import('./books/load-screen.tsx').then((file) => file.LoadScreen)),
  '/books/corporate-actions': loadLater(() =>
    import('./corporate-actions/actions-screen.tsx').then((file) => file.ActionsScreen),
  ),
  '/books/corporate-actions/action': loadLater(() =>
    import('./corporate-actions/action-screen.tsx').then((file) => file.ActionScreen),
  ),
  '/books/breaks': loadLater(() => import('./books/breaks-screen.tsx').then((file) => file.BreaksScreen)),
  '/books/calls': loadLater(() => import('./books/calls-screen.tsx').then((file) => file.CallsScreen)),
  '/books/stock-record': loadLater(() =>
    import('./books/stock-record-screen.tsx').then((file) => file.StockRecordScreen),
  ),
  '/books/locations': loadLater(() =>
    import('./books/locations-screen.tsx').then((file) => file.LocationsScreen),
  ),
  '/books/pending': loadLater(() => import('./books/pending-screen.tsx').then((file) => file.PendingScreen)),
  '/books/corrections': loadLater(() =>
    import('./books/corrections-screen.tsx').then((file) => file.CorrectionsScreen),
  ),
  '/books/business-day': loadLater(() =>
    import('./books/business-day-screen.tsx').then((file) => file.BusinessDayScreen),
  ),
  '/renewals': loadLater(() => import('./renewals/renewals-screen.tsx').then((file) => file.RenewalsScreen)),
  '/reports': loadLater(() => import('./reports/reports-screen.tsx').then((file) => file.ReportsScreen)),
  '/firms': loadLater(() => import('./firms/firms-screen.tsx').then((file) => file.FirmsScreen)),
  '/firms/$firmId': loadLater(() => import('./firms/firm-screen.tsx').then((file) => file.FirmScreen)),
  '/incidents': loadLater(() =>
    import('./incidents/incidents-screen.tsx').then((file) => file.IncidentsScreen),
  ),
  '/audit': loadLater(() => import('./audit/audit-screen.tsx').then((file) => file.AuditScreen)),
  '/staff': loadLater(() => import('./staff/staff-screen.tsx').then((file) => file.StaffScreen)),
  '/profile': loadLater(() => import('./staff/profile-screen.tsx').then((file) => file.ProfileScreen)),
  '/sandbox': loadLater(() => import('./sandbox/sandbox-screen.tsx').then((file) => file.SandboxScreen)),
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
    defaultErrorComponent: ({ error, reset }) => <Failure fault={error} again={reset} />,
    scrollRestoration: true,
    // Dialogs, typed text and given reasons belong to one item. A screen of another item begins without them.
    defaultRemountDeps: ({ params }) => params,
  })
}
