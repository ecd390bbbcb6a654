/**
 * Replaces `node:test` for the tests: it collects the tests of a file instead of running them, so that one process can
 * run them often.
 */

export interface KeptTest {
  readonly file: string
  readonly name: string
  readonly run: () => unknown
}

type Options = { skip?: boolean | string; todo?: boolean | string }
type Body = () => unknown

const kept: KeptTest[] = []
const way: string[] = []
let file = ''
let skipping = 0

/** Imports a file and returns the tests in it. */
export async function collectTests(path: string, load: () => Promise<unknown>): Promise<KeptTest[]> {
  kept.length = 0
  way.length = 0
  file = path
  await load()
  return kept.slice()
}

export function test(name: string, ...rest: unknown[]): void {
  const { options, body } = sort(rest)
  if (skipping > 0 || options.skip || options.todo || body === undefined) return
  kept.push({ file, name: [...way, name].join(': '), run: body })
}

export function describe(name: string, ...rest: unknown[]): void {
  const { options, body } = sort(rest)
  way.push(name)
  if (options.skip) skipping += 1
  body?.()
  if (options.skip) skipping -= 1
  way.pop()
}

function sort(rest: readonly unknown[]): { options: Options; body: Body | undefined } {
  return {
    options: (rest.find((one) => typeof one === 'object') as Options | undefined) ?? {},
    body: rest.find((one) => typeof one === 'function') as Body | undefined,
  }
}

export default test
