/**
 * Compares every response with the contract that the service publishes: its path, method and status must be in
 * `/openapi.json`, its body must be valid against the schema, and its headers
 * must be declared if the contract describes them. Every difference is recorded as a violation (R084).
 */
import { Compile, type XSchema } from 'typebox/schema'

interface Contract {
  readonly paths: Readonly<Record<string, Record<string, { responses: Record<string, Response> }>>>
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

/** The headers that the contract describes. `Cache-Control` is described for tokens alone. */
const describedHeaders = [
  ...['Allow', 'Clearing-Consistency', 'Content-Disposition', 'Deprecation', 'Idempotent-Replayed'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Sunset', 'WWW-Authenticate'],
]

interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, { schema?: object }>>
}

/** The reported part of a violation. Longer lists add nothing. */
const errorsShownMax = 3

export class ContractWatch {
  readonly violations: string[] = []
  /** The number of checked responses of each kind: `get-account 200`. */
  readonly seen = new Map<string, number>()
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  /** A `fetch` whose responses are compared with the contract; pass it to the sdk. */
  readonly fetch = async (...request: Parameters<typeof globalThis.fetch>): Promise<globalThis.Response> => {
    const answer = await fetch(...request)
    const [to, init] = request
    const url = new URL(to instanceof Request ? to.url : String(to))
    if (url.origin === new URL(this.#base).origin) {
      const method = (init?.method ?? (to instanceof Request ? to.method : 'GET')).toLowerCase()
      await this.look(url.pathname, method, answer.clone())
    }
    return answer
  }

  async look(path: string, method: string, answer: globalThis.Response): Promise<void> {
    const { status } = answer
    const text = await answer.text().catch(() => undefined)
    const what = `${path.split('/').at(-1)} ${status}`
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
    const contract = await readContract(this.#base)
    const operation = contract.paths[path]?.[method]
    if (operation === undefined) return
    const declared = operation.responses[String(status)]
    if (declared === undefined) {
      this.violations.push(`${method} ${path} answered ${status}, which the contract does not declare`)
      return
    }
    const response = declared.$ref === undefined ? declared : find(contract, declared.$ref)
    const undeclared = describedHeaders.filter(
      (name) => answer.headers.has(name) && response.headers?.[name] === undefined,
    )
    if (undeclared.length > 0)
      this.violations.push(`${method} ${path} ${status} has undeclared headers: ${undeclared.join(', ')}`)
    const mediaType = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
    const content = response.content?.[mediaType]
    if (content === undefined) {
      this.violations.push(
        `${method} ${path} ${status} has the media type ${mediaType}, which is not declared`,
      )
      return
    }
    if (!/[/+]json$/.test(mediaType) || content.schema === undefined || text === undefined) return
    const errors = errorsOf(contract, content.schema, JSON.parse(text))
    if (errors.length > 0) {
      const shown = JSON.stringify(errors.slice(0, errorsShownMax))
      this.violations.push(`${method} ${path} ${status}: ${shown}\n${text.slice(0, 2_000)}`)
    }
  }
}

/** The errors of a value against a schema of the contract that the service publishes; empty if it is valid. */
export async function errorsOfSchema(base: string, name: string, value: unknown): Promise<unknown[]> {
  const contract = await readContract(base)
  const schema = contract.components.schemas[name]
  if (schema === undefined) throw new Error(`the contract has no schema ${name}`)
  return errorsOf(contract, schema, value)
}

let read: Promise<Contract> | undefined

/** Services of one process publish the same contract, so it is read and its validators are compiled once. */
function readContract(base: string): Promise<Contract> {
  read ??= fetch(`${base}/openapi.json`)
    .then(async (answer) => (await answer.json()) as Contract)
    .catch((fault: unknown) => {
      read = undefined
      throw fault
    })
  return read
}

function find(contract: Contract, reference: string): Response {
  return contract.components.responses[reference.split('/').at(-1) ?? ''] ?? {}
}

type Validator = ReturnType<typeof Compile>

/** Compiled once: as long as the contract is cached, the schema of a response is the same object. */
const validators = new WeakMap<object, Validator>()

/** The errors of a value against a schema of the contract; empty if it is valid. */
function errorsOf(contract: Contract, schema: object, value: unknown): unknown[] {
  let validator = validators.get(schema)
  if (validator === undefined) {
    const schemas = namedBy(contract, schema)
    validator = Compile({ allOf: [schema], components: { schemas } } as XSchema)
    validators.set(schema, validator)
  }
  return validator.Check(value) ? [] : validator.Errors(value)[1]
}

/** The schemas of the contract that a schema refers to, and those that they refer to. */
function namedBy(contract: Contract, schema: object): Record<string, object> {
  const named: Record<string, object> = {}
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const found = contract.components.schemas[name]
      if (found === undefined || name in named) continue
      named[name] = found
      waiting.push(found)
    }
  }
  return named
}
