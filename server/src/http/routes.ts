/** Makes the routes of the service from the table of operations: one route for each path of an operation. */
import { codeLists, type OperationDefinition, pathOf, prepareReading, type Scope } from '@clearing/protocol'
import type { Pool } from '../database/pool.ts'
import type { Route, RoutePool } from './call.ts'

export interface RouteSettings {
  readonly operations: Readonly<Record<string, OperationDefinition>>
  readonly sandbox: boolean
  readonly pools: Readonly<Record<RoutePool, Pool>>
  /** Operations of the clearing firm whose statements may take long. */
  readonly readAtLength?: ReadonlySet<string>
}

/**
 * Denies by default: an operation without a known scope, an unreadable request shape, or a path of two operations
 * prevents the start. Paths below /sandbox-api/ exist only in the sandbox.
 */
export function listRoutes({ operations, sandbox, pools, readAtLength }: RouteSettings): Route[] {
  const routes = new Map<string, Route>()
  const add = (route: Route) => {
    if (!knownScopes.has(route.scope)) throw new Error(`operation ${route.name} has no known scope`)
    const other = routes.get(route.path)
    if (other !== undefined) throw new Error(`${other.name} and ${route.name} want one path, ${route.path}`)
    routes.set(route.path, route)
  }
  for (const [name, operation] of Object.entries(operations)) {
    prepareReading(operation.request)
    const { audience, scope, inSandbox, aliases = [] } = operation
    const ofOperations = audience === 'operations'
    const poolName = !ofOperations ? 'app' : readAtLength?.has(name) ? 'loads' : 'operations'
    const bound = { name, operation, firmBound: !ofOperations, poolName, pool: pools[poolName] } as const
    if (audience !== 'sandbox' || sandbox) {
      const allFirms = audience === 'sandbox' ? { allFirms: pools.operations } : {}
      for (const path of [pathOf(name, audience), ...aliases]) add({ ...bound, ...allFirms, scope, path })
    }
    // A firm uses this path for its own accounts, so the pool sees only that firm's rows. Operations use it for all.
    if (inSandbox !== undefined && sandbox) {
      add({
        name,
        operation,
        firmBound: true,
        poolName: 'app',
        pool: pools.app,
        allFirms: bound.pool,
        scope: inSandbox,
        path: pathOf(name, 'sandbox'),
        asControl: true,
      })
    }
  }
  return [...routes.values()]
}

const knownScopes: ReadonlySet<Scope> = new Set(codeLists.scope.map((row) => row.value))
