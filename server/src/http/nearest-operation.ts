/** Refuses a path without an operation, and names the operation that the caller may have meant. */
import { nearestName, type Rejection, reject } from '@clearing/protocol'

/** The paths without an operation. The name may be spelled in other letters, or follow another prefix. */
export function prepareNoSuchPath(paths: readonly string[]): (path: string) => Rejection {
  const byName = new Map(paths.map((path) => [nameOf(path), path]))
  const names = [...byName.keys()]
  return (path) => {
    const nearest = byName.get(nearestName(nameOf(path), names) ?? '')
    const hint = nearest === undefined ? '' : ` Nearest: ${nearest}.`
    return reject('ERR.2013', '', `There is no such operation.${hint}`)
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
