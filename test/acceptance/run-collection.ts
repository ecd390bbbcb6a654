/**
 * Runs a Postman collection as Postman and newman do, with the part of their semantics that the project's collection
 * uses: requests in order, scripts of the collection, the folders and the request, variables, `pm.sendRequest`, and
 * `pm.execution.setNextRequest`. The nightly test runs the same collection with newman itself.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'

interface ScriptEvent {
  readonly listen: 'prerequest' | 'test'
  readonly script: { readonly exec: readonly string[] }
}
interface Pair {
  readonly key: string
  readonly value: string
}
interface CollectionRequest {
  readonly method: string
  readonly url: { readonly raw: string; readonly path: readonly string[] }
  readonly header: readonly Pair[]
  readonly body: { readonly raw: string }
}
interface Item {
  readonly name: string
  readonly event?: readonly ScriptEvent[]
  readonly item?: readonly Item[]
  readonly request?: CollectionRequest
}
export interface Collection extends Item {
  readonly variable: readonly Pair[]
  readonly auth: { readonly bearer: readonly Pair[] }
}
interface Task {
  readonly id: string
  readonly name: string
  readonly request: CollectionRequest
  readonly events: readonly ScriptEvent[]
}
interface Received {
  readonly code: number
  readonly headers: Headers
  readonly text: () => string
  readonly json: () => unknown
}

/** The outcome of a run: the names of the sent requests, and the failures. */
export interface CollectionRun {
  readonly sent: readonly string[]
  readonly failures: readonly string[]
}

const requestsMax = 5_000

export async function runCollection(
  collection: Collection,
  fetch = globalThis.fetch,
): Promise<CollectionRun> {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  const tasks = [...tasksOf(collection, [])]
  const sent: string[] = []
  const failures: string[] = []
  const send = async (request: {
    url: string
    method: string
    headers: [string, string][]
    body: string
  }) => {
    const { url, ...rest } = request
    const response = await fetch(url, rest)
    const text = await response.text()
    return {
      code: response.status,
      headers: response.headers,
      text: () => text,
      json: () => JSON.parse(text),
    } satisfies Received
  }
  for (let place = 0; place < tasks.length; ) {
    assert.ok(sent.length < requestsMax, `the collection does not end: ${sent.slice(-3).join(', ')}`)
    const task = tasks[place] as Task
    const run = { task, variables, failures, send, next: undefined as string | undefined }
    await runScripts(run, 'prerequest', undefined)
    const fill = (text: string) => fillIn(text, variables)
    const { method, url, header, body } = task.request
    const token = fill(collection.auth.bearer[0]?.value ?? '')
    const response = await send({
      url: fill(url.raw),
      method,
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...header.map(({ key, value }) => [key, fill(value)] as [string, string]),
      ],
      body: fill(body.raw),
    })
    sent.push(task.name)
    await runScripts(run, 'test', response)
    place = run.next === undefined ? place + 1 : tasks.findIndex(({ id }) => id === run.next)
  }
  return { sent, failures }
}

function* tasksOf(item: Item, outer: readonly ScriptEvent[]): Generator<Task> {
  const events = [...outer, ...(item.event ?? [])]
  if (item.request !== undefined) yield { id: randomUUID(), name: item.name, request: item.request, events }
  for (const inner of item.item ?? []) yield* tasksOf(inner, events)
}

/** Replaces `{{name}}`. An unknown variable stays as it is, as in Postman. */
function fillIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) =>
    name === '$guid' ? randomUUID() : (variables.get(name) ?? whole),
  )
}

interface Run {
  readonly task: Task
  readonly variables: Map<string, string>
  readonly failures: string[]
  readonly send: (request: {
    url: string
    method: string
    headers: [string, string][]
    body: string
  }) => Promise<Received>
  next: string | undefined
}

async function runScripts(run: Run, listen: ScriptEvent['listen'], response: Received | undefined) {
  for (const { script } of run.task.events.filter((event) => event.listen === listen)) {
    const waits: Promise<unknown>[] = []
    const fail = (error: unknown) => run.failures.push(`${run.task.name}: ${error}`)
    const timer = (then: () => void, delayMs: number) =>
      void waits.push(new Promise<void>((resolve) => setTimeout(resolve, delayMs)).then(then).catch(fail))
    // Postman gives scripts a variable `data`, which a script may not declare again.
    const context = createContext({ pm: makePm(run, response, waits), data: {}, setTimeout: timer })
    try {
      runInContext(script.exec.join('\n'), context)
      for (const wait of waits) await wait
    } catch (error) {
      fail(error)
    }
  }
}

function makePm(run: Run, response: unknown, waits: Promise<unknown>[]) {
  const { task, variables, failures, send } = run
  const store = {
    get: (name: string) => variables.get(name),
    set: (name: string, value: unknown) => void variables.set(name, String(value)),
    unset: (name: string) => void variables.delete(name),
    replaceIn: (text: string) => fillIn(text, variables),
  }
  return {
    variables: store,
    collectionVariables: store,
    info: { requestId: task.id, requestName: task.name },
    request: { url: { getPath: () => `/${task.request.url.path.join('/')}` }, body: task.request.body },
    response,
    execution: {
      setNextRequest(id: string) {
        run.next = id
      },
    },
    expect: (value: unknown, message?: string) => ({
      to: {
        equal: (wanted: unknown) => assert.equal(value, wanted, message ?? ''),
        eql: (wanted: unknown) =>
          assert.deepEqual(JSON.stringify(value), JSON.stringify(wanted), message ?? ''),
      },
    }),
    test(name: string, check: () => void) {
      try {
        check()
      } catch (error) {
        failures.push(`${task.name}: ${name}: ${error}`)
      }
    },
    sendRequest(
      wanted: { url: string; method: string; header: Record<string, string>; body: { urlencoded: Pair[] } },
      done: (error: unknown, response?: Received) => void,
    ) {
      const body = new URLSearchParams(wanted.body.urlencoded.map(({ key, value }) => [key, value]))
      const headers = Object.entries(wanted.header)
      waits.push(
        send({ url: wanted.url, method: wanted.method, headers, body: body.toString() }).then(
          (received) => done(null, received),
          (error: unknown) => done(error),
        ),
      )
    },
  }
}
