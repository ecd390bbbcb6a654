/** Remembers the paths of an application with their methods, for paths that are called with another method. */
import type { FastifyInstance } from 'fastify'

interface ServedPath {
  readonly form: RegExp
  readonly methods: Set<string>
}

/**
 * Counts the routes that are added from now on. The returned function finds the methods of a path; none if it is not
 * served.
 */
export function rememberPaths(app: FastifyInstance): (path: string) => string[] {
  const served = new Map<string, ServedPath>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.onlyRefuses) return
    const known = served.get(url) ?? { form: formOf(url), methods: new Set<string>() }
    for (const each of [method].flat()) known.methods.add(each)
    served.set(url, known)
  })
  return (path) => {
    const methods = [...served.values()]
      .filter(({ form }) => form.test(path))
      .flatMap((each) => [...each.methods])
    return [...new Set(methods)].sort()
  }
}

/** A part `:name` of a route takes one segment of a path, and `*` the rest. */
function formOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
