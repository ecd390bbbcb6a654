/** Refuses a path that leads nowhere, and names the path that the caller may have meant. */
import { nearestName, type Rejection, reject } from '@clearing/protocol'

/**
 * The paths without an operation. The name may be spelled in other letters, follow another prefix, or end with a slash.
 * `isServed` knows the paths that are not operations, such as pages of the documentation.
 */
export function prepareNoSuchPath(
  paths: readonly string[],
  isServed: (path: string) => boolean,
): (path: string) => Rejection {
  const byName = new Map(paths.map((path) => [nameOf(path), path]))
  const names = [...byName.keys()]
  const nearestOf = (path: string) => {
    const withoutSlashes = dropSlashes(path)
    if (withoutSlashes === '') return undefined
    if (withoutSlashes !== path && isServed(withoutSlashes)) return withoutSlashes
    return byName.get(nearestName(nameOf(withoutSlashes), names) ?? '')
  }
  return (path) => {
    const nearest = nearestOf(path)
    const hint =
      nearest !== undefined
        ? ` Nearest: ${nearest}.`
        : path === '/' && isServed('/docs')
          ? ' The documentation is at /docs.'
          : ''
    return reject('ERR.2013', '', `There is no such operation.${hint}`)
  }
}

/** Anyone may send a path of 16 kB. A regular expression would take a second for one full of slashes. */
function dropSlashes(path: string): string {
  let end = path.length
  for (;;) {
    if (path[end - 1] === '/') end -= 1
    else if (path.slice(Math.max(0, end - 3), end).toLowerCase() === '%2f') end -= 3
    else return path.slice(0, end)
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
