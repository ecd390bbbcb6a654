/**
 * The isolated sandboxes of this service. Each is a complete service on its own database and folder, at an address
 * below this one. A spare one is prepared in advance, so that creating one takes milliseconds. Every process serves
 * every sandbox and opens it at the first call. A sandbox that gets no calls for its lifetime is removed.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@clearing/protocol'
import type { Logger } from 'pino'
import { type ChangeListener, openChangeListener } from '../../database/change-listener.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  claimSandbox,
  endExpiredSandboxes,
  endSandbox,
  lockSandboxRows,
  mayCreateDatabases,
  readSandboxes,
  removeSandbox,
  type SandboxOwner,
  type StoredSandbox,
  touchSandboxes,
} from '../../store/sandboxes.ts'
import { type Place, SandboxDatabases, type SandboxDatabasesSettings } from './sandbox-databases.ts'

/** Answers a call of a sandbox. The address of the request is relative to the sandbox. */
export type Handle = (raw: IncomingMessage, response: ServerResponse) => void

/** A sandbox that this process serves. */
export interface OpenSandbox {
  /** Ends its event streams and accepts no further calls. */
  closeHttp(): Promise<void>
  stop(): Promise<void>
}

export interface Serving {
  /** The path of the sandbox below the address of the service. */
  readonly path: string
  /** The public address of the sandbox. */
  readonly baseUrl: string
  /** Resolves to the handler of its calls when it can answer. */
  readonly serve: (handle: Handle) => void
}

export interface IsolatedSandboxesSettings extends SandboxDatabasesSettings {
  /** The largest number of sandboxes of all firms. 0: none can be created. */
  readonly sandboxesMax: number
  /** The number of sandboxes prepared from the start on. */
  readonly sparesMin: number
  /** Starts the service for an isolated sandbox. */
  readonly open: (place: Place, serving: Serving) => Promise<OpenSandbox>
  /** The public address of the service. */
  readonly publicUrl: () => string
  readonly log: Logger
}

/** The address of a sandbox below that of the service. */
function pathOfSandbox(sandboxId: string): string {
  return `/sandboxes/${sandboxId}`
}

export type Created =
  | { readonly kind: 'created'; readonly sandbox: StoredSandbox }
  | { readonly kind: 'too many'; readonly most: number; readonly ofFirm: boolean }
  | { readonly kind: 'not permitted' }
  /** No sandbox is prepared yet. */
  | { readonly kind: 'none' }

/** A test may shorten the time before the service starts. */
export const sandboxLimits = { sweepEveryMs: 20_000 }
/** The time that running calls of a sandbox get when it is deleted. */
const drainMs = 5_000
const drainPollMs = 20

interface Served {
  readonly handle: Promise<Handle>
  readonly sandbox: Promise<OpenSandbox>
  /** Calls that are running. */
  running: number
  used: boolean
}

export class IsolatedSandboxes {
  readonly #settings: IsolatedSandboxesSettings
  readonly #databases: SandboxDatabases
  readonly #served = new Map<string, Served>()
  /** Templates that this process is creating; they have no row. */
  readonly #templates = new Set<string>()
  #preparing: Promise<void> = Promise.resolve()
  #sweeping: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #listener: ChangeListener | undefined
  #stopping = false

  constructor(settings: IsolatedSandboxesSettings) {
    this.#settings = settings
    this.#databases = new SandboxDatabases(settings, (place) => this.#startOnce(place))
  }

  start(): void {
    this.#timer = setInterval(() => this.#sweep(), sandboxLimits.sweepEveryMs)
    this.#timer.unref()
    this.#sweep()
    const { owner, log } = this.#settings
    const onFault = (fault: unknown) =>
      log.warn({ err: fault }, 'notifications of deleted sandboxes are not received')
    this.#listener = openChangeListener(owner, 'clearing_sandbox', { onFault })
    this.#listener.onChange(() =>
      this.#background(this.#closeEnded(), 'a deleted sandbox could not be closed'),
    )
    if (this.#settings.sparesMin > 0) this.#prepareNext(false)
  }

  addressOf(sandboxId: string): string {
    return this.#settings.publicUrl().replace(/\/$/, '') + pathOfSandbox(sandboxId)
  }

  /** The open sandboxes of a firm; `firmId` undefined: of all firms. */
  async list(firmId: string | undefined): Promise<StoredSandbox[]> {
    const rows = await readSandboxes(this.#settings.owner)
    return rows.filter((row) => row.state === 'open' && (firmId === undefined || row.firm_id === firmId))
  }

  /** Gives the owner a prepared sandbox. Without one the caller waits for `prepare` and asks again. */
  async create(owner: SandboxOwner, demonstration: boolean): Promise<Created> {
    const pool = this.#settings.owner
    if (!(await mayCreateDatabases(pool))) return { kind: 'not permitted' }
    const template = await this.#databases.templateName(demonstration)
    const created = await inTransaction(pool, { firm: null }, async (tx): Promise<Created> => {
      const open = (await lockSandboxRows(tx)).filter(({ state }) => state === 'open')
      const ofFirm = open.filter((row) => row.firm_id === owner.firmId)
      const { sandboxesMax } = this.#settings
      if (open.length >= sandboxesMax) return { kind: 'too many', most: sandboxesMax, ofFirm: false }
      if (ofFirm.length >= limits.sandboxesPerFirmMax)
        return { kind: 'too many', most: limits.sandboxesPerFirmMax, ofFirm: true }
      const sandbox = await claimSandbox(tx, template, owner)
      return sandbox ? { kind: 'created', sandbox } : { kind: 'none' }
    })
    if (created.kind !== 'created') return created
    await this.find(created.sandbox.sandbox_id)
    this.#prepareNext(demonstration)
    return created
  }

  /** Resolves when there is a spare sandbox, which another caller may take first. One is prepared at a time. */
  prepare(demonstration: boolean, wanted = 1): Promise<void> {
    this.#preparing = this.#preparing
      .catch(() => {})
      .then(async () => {
        const template = await this.#databases.templateName(demonstration)
        const rows = await readSandboxes(this.#settings.owner)
        const spares = rows.filter((row) => row.template === template && row.state === 'spare').length
        for (let more = spares; more < wanted && !this.#stopping; more++) await this.#makeSpare(demonstration)
      })
    return this.#preparing
  }

  /** Returns false when the firm has no such sandbox. */
  async delete(sandboxId: string, firmId: string | undefined): Promise<boolean> {
    const known = (await this.list(firmId)).some((row) => row.sandbox_id === sandboxId)
    if (!known) return false
    await endSandbox(this.#settings.owner, sandboxId)
    this.#background(this.#remove(sandboxId), 'a sandbox could not be removed')
    return true
  }

  /** The sandbox at an address; undefined when there is none. */
  async find(sandboxId: string): Promise<Handle | undefined> {
    const served = this.#served.get(sandboxId) ?? (await this.#openKnown(sandboxId))
    if (served === undefined) return undefined
    const handle = await served.handle
    return (raw, response) => {
      served.used = true
      served.running += 1
      response.once('close', () => {
        served.running -= 1
      })
      handle(raw, response)
    }
  }

  async #openKnown(sandboxId: string): Promise<Served | undefined> {
    const row = (await readSandboxes(this.#settings.owner)).find((each) => each.sandbox_id === sandboxId)
    if (row?.state !== 'open' || this.#stopping) return undefined
    return this.#served.get(sandboxId) ?? this.#serve(this.#databases.placeOf(sandboxId))
  }

  #serve(place: Place): Served {
    const { promise: handle, resolve, reject } = Promise.withResolvers<Handle>()
    const serving = { path: pathOfSandbox(place.id), baseUrl: this.addressOf(place.id), serve: resolve }
    const served: Served = { handle, sandbox: this.#settings.open(place, serving), running: 0, used: true }
    this.#served.set(place.id, served)
    handle.catch(() => {})
    served.sandbox.catch((fault) => {
      reject(fault)
      this.#served.delete(place.id)
    })
    return served
  }

  async #startOnce(place: Place): Promise<void> {
    this.#templates.add(place.id)
    try {
      await this.#serve(place).sandbox
    } finally {
      await this.#close(place.id)
      this.#templates.delete(place.id)
    }
  }

  async #makeSpare(demonstration: boolean): Promise<void> {
    const id = newId()
    await this.#databases.make(id, demonstration)
    await this.#serve(this.#databases.placeOf(id)).sandbox
    await this.#databases.isReady(id)
  }

  /** Prepared in advance for the next caller. */
  #prepareNext(demonstration: boolean): void {
    this.prepare(demonstration, Math.max(1, this.#settings.sparesMin)).catch((fault) =>
      this.#settings.log.warn({ err: fault }, 'no spare sandbox could be prepared'),
    )
  }

  #sweep(): void {
    this.#sweeping = this.#sweeping
      .then(() => this.#removeExpired())
      .catch((fault) =>
        this.#settings.log.warn({ err: fault }, 'sandboxes without calls could not be removed'),
      )
  }

  async #removeExpired(): Promise<void> {
    const { owner } = this.#settings
    const used = [...this.#served].filter(([, served]) => served.used || served.running > 0)
    for (const [, served] of used) served.used = false
    if (used.length > 0)
      await touchSandboxes(
        owner,
        used.map(([id]) => id),
      )
    const templates = await Promise.all([false, true].map((kind) => this.#databases.templateName(kind)))
    for (const id of await endExpiredSandboxes(owner, templates)) await this.#remove(id)
    await this.#closeEnded()
  }

  /** Closes the sandboxes that another process has ended. */
  async #closeEnded(): Promise<void> {
    // The sandboxes are closed before the rows are read, because a sandbox that is served has a row.
    const served = [...this.#served.keys()].filter((id) => !this.#templates.has(id))
    const rows = await readSandboxes(this.#settings.owner)
    const known = new Set(rows.filter(({ state }) => state !== 'ending').map((row) => row.sandbox_id))
    const ended = served.filter((id) => !known.has(id))
    await Promise.all(ended.map((id) => this.#close(id)))
  }

  async #remove(id: string): Promise<void> {
    await this.#close(id)
    await this.#databases.remove(id)
    await removeSandbox(this.#settings.owner, id)
  }

  async #close(id: string): Promise<void> {
    const served = this.#served.get(id)
    if (served === undefined) return
    this.#served.delete(id)
    const sandbox = await served.sandbox.catch(() => undefined)
    await sandbox?.closeHttp()
    const endMs = performance.now() + drainMs
    while (served.running > 0 && performance.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, drainPollMs))
    await sandbox?.stop()
  }

  #background(work: Promise<void>, why: string): void {
    this.#sweeping = Promise.all([
      this.#sweeping,
      work.catch((fault) => this.#settings.log.warn({ err: fault }, why)),
    ]).then(() => {})
  }

  /** Called before the server waits for its requests. */
  async closeHttp(): Promise<void> {
    this.#stopping = true
    await Promise.all(
      [...this.#served.values()].map((served) =>
        served.sandbox.then((sandbox) => sandbox.closeHttp()).catch(() => {}),
      ),
    )
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    await this.#listener?.[Symbol.asyncDispose]()
    await this.#preparing.catch(() => {})
    await this.#sweeping
    await Promise.all([...this.#served.keys()].map((id) => this.#close(id)))
  }
}

/** 100 random bits, so that the address of a sandbox cannot be guessed. */
function newId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return [...randomBytes(20)].map((byte) => letters[byte & 31]).join('')
}
