/**
 * The paths of values that a request names in another place than the record: `trustedContact` beside the owner,
 * `caisCustomerType`, and the members of `employer` (Reading 1.1). An error names the place that the caller used
 * (Reading 1.9).
 */
import type { Rejection } from '@clearing/protocol'

function move(path: string, from: string, to: string): string | undefined {
  if (path === from) return to
  const isInside = path.startsWith(`${from}.`) || path.startsWith(`${from}[`)
  return isInside ? to + path.slice(from.length) : undefined
}

export class MovedPaths {
  readonly #moved: { readonly record: string; readonly request: string }[] = []

  add(record: string, request: string): void {
    this.#moved.push({ record, request })
  }

  /** The rejections with the paths of the request. */
  inRequest(rejections: readonly Rejection[]): Rejection[] {
    return rejections.map((rejection) => {
      for (const { record, request } of this.#moved) {
        const field = move(rejection.field, record, request)
        if (field !== undefined) return { ...rejection, field }
      }
      return rejection
    })
  }

  /** The paths of the request, and beside them the paths of the same values in the record. */
  inRecord(paths: ReadonlySet<string>): ReadonlySet<string> {
    const others = this.#moved.flatMap(({ record, request }) =>
      [...paths].flatMap((path) => move(path, request, record) ?? []),
    )
    return new Set([...paths, ...others])
  }
}
