/** For tests: the example applications of new-account with changed facts, and their records and rejections. */
import { operations, readRequest } from '@clearing/protocol'
import { checkApplication, parseApplication } from '../application.ts'

export const today = '2026-11-20'
const request = operations['new-account'].request
export const [individual, joint] = operations['new-account'].examples.map((example) =>
  structuredClone(example.request),
)

export type Json = { [name: string]: unknown }

/** Sets a dotted path of a copy; undefined removes it. */
export function change(base: unknown, changes: Record<string, unknown>): Json {
  const copy = JSON.parse(JSON.stringify(base)) as Json
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.')
    const last = names.pop() as string
    let at = copy
    for (const name of names) {
      at[name] ??= {}
      at = at[name] as Json
    }
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return copy
}

export function submit(body: Json, settings: { magic?: string[] } = {}) {
  const reading = readRequest(request, body)
  let next = 100_000_000_000_000_000n
  const application = parseApplication(reading.value as never, () => String(next++))
  const found = checkApplication(application, {
    today,
    magicTaxIds: new Set(settings.magic ?? []),
    refusedPaths: reading.refusedPaths,
  })
  return {
    application,
    codes: [...reading.rejections, ...found].map(({ code, field }) => `${code} ${field}`),
  }
}
