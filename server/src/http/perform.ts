/**
 * Calls the handler of an operation in its transaction, with one effect however often the request is sent, and within a
 * time limit.
 */
import { type OperationName, type Rejection, reject, successMessage } from '@clearing/protocol'
import { Answered, FileAccepted, FileAnswer, JsonText, Rejected, Streamed } from '../answers.ts'
import type { Pool } from '../database/pool.ts'
import type { Replica } from '../database/replica.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { whileAlive } from '../database/while-alive.ts'
import { storeUpload } from '../documents/content.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import type { Caller } from '../identity/caller.ts'
import { type Context, operationsWithFurtherRules } from '../operations/context.ts'
import type { Parts } from '../operations/parts.ts'
import type { Firm } from '../store/firm.ts'
import type { StoredResponse } from '../store/idempotency.ts'
import type { Outlet } from './answer/answer.ts'
import { renderMasked } from './body/mask-remarks.ts'
import type { Received as Unjudged } from './body/receive-request.ts'
import type { Call, Route } from './call.ts'
import { HandlingTooSlow, renderFault } from './faults.ts'
import { judgeBody, type Judged as Received, whenJudged } from './judge-body.ts'
import {
  type ConcurrentDuplicates,
  duplicateRunning,
  isStored,
  neverStored,
  type Once,
  type OnceOutcome,
  type OpenCall,
  performOnce,
} from './once/idempotency.ts'

/** A handler of any operation, as the pipeline calls it. */
export type AnyHandler = (request: never, context: Context) => Promise<unknown>

export interface Performer {
  readonly outlet: Outlet
  readonly parts: Parts
  readonly clock: () => Date
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Operations whose reads must all see the same snapshot of the database. */
  readonly readInOneView: ReadonlySet<string>
  /** Standbys that answer these operations while they lag little behind the primary. */
  readonly replica?: Replica | undefined
  readonly readFromReplica: ReadonlySet<string>
  readonly duplicates: ConcurrentDuplicates
}

export type KnownCall = Call & { readonly route: Route; readonly firm: Firm; readonly caller: Caller }

export type Performed =
  | { readonly kind: 'data'; readonly answer: StoredResponse; readonly replayed: boolean }
  | { readonly kind: 'file'; readonly file: FileAnswer }
  /** The response has been written already. */
  | { readonly kind: 'streamed' }
  | {
      readonly kind: 'rejected'
      readonly rejections: readonly Rejection[]
      readonly message?: string | undefined
      readonly retryAfterSeconds?: number | undefined
    }

/**
 * The result of a transaction that checked the request, changed nothing, and needs the file stored before the next one.
 */
type Handled = Performed | { readonly kind: 'file accepted' }

/** Reads whose list is written while their transaction is open. A slow client keeps the connection. */
const streamed: ReadonlySet<string> = new Set<OperationName>(['trade-activity', 'non-trade-activity'])

/** Writes a list while its transaction is open. */
export type WriteStreamed = (streamed: Streamed) => Promise<void>

export async function performOperation(
  performer: Performer,
  call: KnownCall,
  unjudged: Unjudged,
  key: string | undefined,
  writeStreamed: WriteStreamed,
): Promise<Performed> {
  const { name, operation } = call.route
  const { rejections } = unjudged.refused
  if (rejections.length > 0 && !operationsWithFurtherRules.has(name as OperationName)) {
    return { kind: 'rejected', rejections }
  }
  const received = judgeBody(performer.parts, call.firm, unjudged)
  if (rejections.length > 0 && !mayBeStored(call, unjudged))
    return findFurtherRejections(performer, call, received)
  const deadline = new Deadline(performer.outlet.limits.handlingTimeoutMs, operation.body === 'lines')
  const write: WriteStreamed = (streamed) => {
    deadline.lift()
    return writeStreamed(streamed)
  }
  const { controls } = performer.parts
  const handling: Handling = { call, received, idempotencyKey: key, write }
  const perform = () => performOnceIfStored(performer, handling, deadline)
  // A restore waits until the running calls have ended, so it must not count as a running call itself.
  const pass = () =>
    controls === undefined || neverStored.has(name)
      ? perform()
      : controls.drain.run(perform).then((performed) => performed ?? beingPutBack)
  const { activityTurns, loadThread, loadTurns } = performer.parts
  const { calls } = loadThread
  const isLoad = operation.body === 'lines'
  if (!isLoad) calls.begin()
  try {
    const begin = async () => {
      await whenJudged(received)
      deadline.begin()
      if (isLarge(received)) return loadTurns.run(pass, '', received.lines)
      return streamed.has(name) ? activityTurns.run(pass, call.firm.firmId) : pass()
    }
    return await Promise.race([deadline.passed, begin()])
  } finally {
    if (!isLoad) calls.end()
    deadline.lift()
  }
}

/** Whether an update was refused only for values that its record may have already, which its handler finds out. */
function mayBeStored({ route }: KnownCall, { refused: { rejections, unlessStored } }: Unjudged): boolean {
  return route.name === 'update-account' && rejections.every(({ field }) => unlessStored?.has(field))
}

function isLarge({ body }: Received): boolean {
  return body.kind === 'lines' && !body.isShort
}

const beingPutBack: Performed = {
  kind: 'rejected',
  rejections: [reject('ERR.5003', '', 'A snapshot of the sandbox is being restored; nothing was changed.')],
  retryAfterSeconds: 1,
}

async function performOnceIfStored(
  performer: Performer,
  handling: Handling,
  deadline: Deadline,
): Promise<Performed> {
  const { call, received, idempotencyKey: key } = handling
  const { name, operation } = call.route
  const scope = { firmId: call.firm.firmId, clientId: call.caller.clientId, operation: name }
  const request = { value: JSON.stringify(received.value), content: received.content }
  const once = isStored(name, operation.writes, key) ? { scope, key, request } : undefined
  const attempt = () => handleOnce(performer, handling, once, deadline)
  const outcome = await (once === undefined
    ? attempt()
    : performer.duplicates.wait(once, performer.outlet.limits.duplicateWaitMs, attempt))
  if (outcome === undefined || 'code' in outcome) return { kind: 'rejected', rejections: [duplicateRunning] }
  switch (outcome.kind) {
    case 'done':
      if (outcome.result.kind === 'file accepted') throw new Error('a stored file was accepted again')
      return outcome.result
    case 'rejected':
      return { kind: 'rejected', rejections: outcome.rejections }
    case 'replayed':
      return replay(outcome.answer, call)
    default:
      throw new Error(`unknown outcome ${outcome satisfies never}`)
  }
}

/**
 * Handles a request in one transaction. A file that the first transaction accepts is stored after the end of that
 * transaction, so that a slow document store holds no connection. A second transaction then does the work.
 */
async function handleOnce(
  performer: Performer,
  handling: Handling,
  once: Once | undefined,
  deadline: Deadline,
): Promise<OnceOutcome<Handled> | undefined> {
  const { call, received } = handling
  const { body } = received
  const outcome = await handleInTransaction(performer, handling, once)
  if (outcome?.kind !== 'done' || outcome.result.kind !== 'file accepted' || body.kind !== 'file')
    return outcome
  deadline.pause()
  const { blobs, keyring } = performer.parts
  const stored = await storeUpload(blobs, keyring, call.firm.firmId, performer.clock(), body.file.upload)
  deadline.begin()
  const withFile = { ...handling, received: { ...received, body: { ...body, stored } } }
  return handleInTransaction(performer, withFile, once)
}

/** Resolves to undefined while a concurrent duplicate runs. */
function handleInTransaction(
  performer: Performer,
  handling: Handling,
  once: Once | undefined,
): Promise<OnceOutcome<Handled> | undefined> {
  return inFirm(performer, handling.call, async (open) => {
    const run = () => callHandler(performer, handling, open)
    if (once === undefined) return { kind: 'done', result: await run() }
    return performOnce(once, open, async () => {
      const result = await run()
      return { result, answer: result.kind === 'data' ? result.answer : undefined }
    })
  })
}

/**
 * A stored response holds the data that its first caller could read. Another token of the same client may have fewer
 * scopes.
 */
function replay(answer: StoredResponse, call: KnownCall): Performed {
  if (!answer.personal || call.caller.scopes.has('pii:read')) return { kind: 'data', answer, replayed: true }
  const reason = 'The stored response was sent to a token with the scope pii:read.'
  return { kind: 'rejected', rejections: [{ code: 'ERR.3004', field: '', reason }] }
}

/**
 * Called when reading the request found errors. The handler's own rules may add errors; its writes are rolled
 * back in any case.
 */
async function findFurtherRejections(
  performer: Performer,
  call: KnownCall,
  received: Received,
): Promise<Performed> {
  const first: Performed = { kind: 'rejected', rejections: received.refused.rejections }
  try {
    const handling = { call, received, idempotencyKey: undefined, write: () => Promise.resolve() }
    const outcome = await inFirm(performer, call, (open) => {
      open.tx.abandon()
      return callHandler(performer, handling, open)
    })
    return outcome.kind === 'rejected' ? outcome : first
  } catch (fault) {
    const { traceId, route } = call
    performer.outlet.logger.warn(
      { traceId, operation: route.name, fault: renderFault(fault) },
      'further rules failed',
    )
    return first
  }
}

/**
 * Runs the body in the transaction of the call, with the firm's keys. Runs it again after contention, or when another
 * process made a new key.
 */
async function inFirm<T>(
  performer: Performer,
  call: KnownCall,
  body: (open: OpenCall) => Promise<T>,
): Promise<T> {
  const { route, firm, caller } = call
  const { operation } = route
  const allFirms = caller.scopes.has('operations') ? route.allFirms : undefined
  const scope = {
    firm: route.firmBound && allFirms === undefined ? firm.firmId : null,
    readOnly: !operation.writes,
    // get-account records the access after it has read.
    flushFollows: route.name === 'get-account' && caller.scopes.has('pii:read'),
    repeatable: operation.body !== 'lines',
    ...(performer.readInOneView.has(route.name) ? { isolation: 'repeatable read' as const } : {}),
  }
  const pool = allFirms ?? route.pool
  const run = (keys: FirmKeys) => (tx: Tx) => body({ tx, keys, now: performer.clock() })
  const attempt = async (keys: FirmKeys) => {
    const read = await readFromReplica(performer, call, (session) =>
      // In one transaction, so that all reads use the session whose position was checked.
      inTransaction(session, { ...scope, isolation: 'repeatable read', repeatable: false }, run(keys)),
    )
    return read === undefined ? inTransaction(pool, scope, run(keys)) : read.result
  }
  return (await performer.parts.keyring.using(firm.firmId, attempt)) as T
}

function readFromReplica<T>(
  { replica, readFromReplica: names }: Performer,
  { route, firm, consistencySent }: KnownCall,
  body: (session: Pool) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  if (replica === undefined || !names.has(route.name)) return Promise.resolve(undefined)
  return replica.read(route.poolName, { firm: firm.firmId, wanted: consistencySent }, body)
}

/** The input of a handler, before its transaction begins. */
interface Handling {
  readonly call: KnownCall
  readonly received: Received
  readonly idempotencyKey: string | undefined
  readonly write: WriteStreamed
}

async function callHandler(
  performer: Performer,
  { call, received, idempotencyKey, write }: Handling,
  { tx, keys, now }: OpenCall,
): Promise<Handled> {
  const { firm, caller, traceId, route } = call
  const { value, body, refused } = received
  const { parts } = performer
  const asControl = route.asControl === true
  const common = { tx, firm, keys, caller, now, traceId, idempotencyKey, parts, asControl }
  const context: Context = { ...common, body, refused }
  const handler = performer.handlers[route.name] as (request: unknown, context: Context) => Promise<unknown>
  const outcome = await handler(value, context)
  if (outcome instanceof Rejected) {
    tx.abandon()
    const { rejections, message, retryAfterSeconds } = outcome
    return { kind: 'rejected', rejections, message, retryAfterSeconds }
  }
  if (outcome instanceof FileAccepted) {
    tx.abandon()
    return { kind: 'file accepted' }
  }
  if (outcome instanceof Streamed) {
    // A client may read slowly: the transaction behind the list must not time out as idle meanwhile.
    await whileAlive(tx, write(new Streamed(outcome.member, settledAtEnd(tx, outcome.chunks), outcome.rest)))
    return { kind: 'streamed' }
  }
  if (outcome instanceof FileAnswer) return { kind: 'file', file: outcome }
  const answered = outcome instanceof Answered ? outcome : undefined
  return {
    kind: 'data',
    answer: {
      message: withMasked(answered?.message, received.masked),
      data: renderData(answered === undefined ? outcome : answered.data),
      personal: caller.scopes.has('pii:read'),
    },
    replayed: answered?.replayed ?? false,
  }
}

/** The message of the handler, and the notice that tax ids in texts were masked. */
function withMasked(message: string | undefined, masked: readonly string[]): string | undefined {
  const notice = renderMasked(masked)
  return notice === undefined ? message : `${message ?? successMessage} ${notice}`
}

function renderData(data: unknown): string {
  return data instanceof JsonText ? data.text : JSON.stringify(data)
}

/** Delays the last bytes of a response until no crash can undo the rows from which the list was read. */
async function* settledAtEnd(tx: Tx, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield* chunks
  await tx.endReading()
}

/**
 * The time limit of a call. A call that waits for its file to be inspected until then does not begin. The limit does
 * not apply to a response that has begun, or to streams of lines.
 */
class Deadline {
  readonly passed: Promise<never>
  readonly #timer: NodeJS.Timeout | undefined
  #fault: HandlingTooSlow | undefined
  #begun = false

  constructor(timeoutMs: number, unbounded: boolean) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.passed = promise
    const tooSlow = () => {
      this.#fault = new HandlingTooSlow(`no answer within ${timeoutMs} ms`, this.#begun)
      reject(this.#fault)
    }
    this.#timer = unbounded ? undefined : setTimeout(tooSlow, timeoutMs)
    // A handler that hangs must not keep the process from ending.
    this.#timer?.unref()
  }

  /** Called before the first effect. Throws when the limit has passed. */
  begin(): void {
    if (this.#fault !== undefined) throw this.#fault
    this.#begun = true
  }

  /** Called when nothing has taken effect, before a wait. */
  pause(): void {
    this.#begun = false
  }

  lift(): void {
    clearTimeout(this.#timer)
  }
}
