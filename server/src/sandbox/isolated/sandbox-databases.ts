/**
 * The databases and folders of isolated sandboxes. A template is made once: the service starts on an empty
 * database and, for demonstration accounts, loads them. Every sandbox is a copy of a template. The name of a
 * template contains the migrations. With demonstration accounts it also contains its day, because their dates
 * are counted back from it.
 */
import { createHash } from 'node:crypto'
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fingerprintOf, readMigrations } from '../../database/migrate.ts'
import type { DatabaseUrls } from '../../database/open-pools.ts'
import type { Pool } from '../../database/pool.ts'
import {
  addSandbox,
  countSessions,
  createDatabase,
  dropDatabase,
  hasDatabase,
  listDatabases,
  makingTemplate,
  renameDatabase,
  setSandboxSpare,
} from '../../store/sandboxes.ts'

export interface SandboxDatabasesSettings {
  /** The owner's pool of the service, with time for statements that copy whole databases. */
  readonly owner: Pool
  /** The addresses of the service's own database. */
  readonly urls: DatabaseUrls
  /** The folder for the folders of all sandboxes. */
  readonly folder: string
}

/** The location of a sandbox. */
export interface Place {
  readonly id: string
  readonly urls: DatabaseUrls
  readonly dataDir: string
  /** True if the demonstration accounts must still be loaded. */
  readonly loadsDemonstration: boolean
}

const baseLengthMax = 30
/** Longer than the drain of a sandbox. */
const closedByOthersMs = 15_000
const lookAgainMs = 50

export class SandboxDatabases {
  readonly #settings: SandboxDatabasesSettings
  readonly #startOnce: (place: Place) => Promise<void>
  readonly #base: string
  #fingerprint: string | undefined
  #dropping: Promise<void> = Promise.resolve()

  /** `startOnce` starts the service on a template, and stops it as soon as it is ready. */
  constructor(settings: SandboxDatabasesSettings, startOnce: (place: Place) => Promise<void>) {
    this.#settings = settings
    this.#startOnce = startOnce
    this.#base = shortened(decodeURIComponent(new URL(settings.urls.owner).pathname.slice(1)))
  }

  placeOf(id: string): Place {
    return this.#place(id, this.#databaseOf(id))
  }

  async templateName(demonstration: boolean): Promise<string> {
    this.#fingerprint ??= fingerprintOf(await readMigrations())
    const name = `${this.#templates}${this.#fingerprint.slice(0, 12)}`
    return demonstration ? `${name}_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}` : name
  }

  /** Creates the database and the folder of a sandbox, and first its template if it is missing. */
  async make(id: string, demonstration: boolean): Promise<void> {
    const { owner, folder } = this.#settings
    const template = await this.templateName(demonstration)
    if (!(await hasDatabase(owner, template)))
      await makingTemplate(owner, () => this.#makeTemplate(template, demonstration))
    await addSandbox(owner, id, template)
    await cp(join(folder, template), join(folder, id), { recursive: true })
    await createDatabase(owner, this.#databaseOf(id), template)
  }

  /** Called when the sandbox may be given to a caller. */
  isReady(id: string): Promise<void> {
    return setSandboxSpare(this.#settings.owner, id)
  }

  /**
   * Waits until other processes have closed the sandbox. Their connections are cut only if that takes too
   * long.
   */
  async remove(id: string): Promise<void> {
    const { owner } = this.#settings
    const endMs = performance.now() + closedByOthersMs
    while ((await countSessions(owner, this.#databaseOf(id))) > 0 && performance.now() < endMs)
      await pause(lookAgainMs)
    await this.#drop(id)
    await rm(join(this.#settings.folder, id), { recursive: true, force: true })
  }

  /** One at a time: each holds a connection of the owner's small pool, which other work of the service needs. */
  #drop(id: string): Promise<void> {
    const dropped = this.#dropping.then(() => dropDatabase(this.#settings.owner, this.#databaseOf(id)))
    this.#dropping = dropped.catch(() => {})
    return dropped
  }

  async #makeTemplate(template: string, demonstration: boolean): Promise<void> {
    const { owner, folder } = this.#settings
    // Another process may have created it in the meantime.
    if (await hasDatabase(owner, template)) return
    await this.#removeTemplates()
    const unfinished = `${this.#base}_unfinished`
    const place = this.#place(`template-${demonstration ? 'demonstration' : 'empty'}`, unfinished)
    await dropDatabase(owner, unfinished)
    await rm(place.dataDir, { recursive: true, force: true })
    await createDatabase(owner, unfinished, 'template0')
    await this.#startOnce({ ...place, loadsDemonstration: demonstration })
    await rm(join(folder, template), { recursive: true, force: true })
    await rename(place.dataDir, join(folder, template))
    // The last step: a template is complete when its database has its name.
    await renameDatabase(owner, unfinished, template)
  }

  /** Removes the templates of other migrations and days. */
  async #removeTemplates(): Promise<void> {
    const { owner, folder } = this.#settings
    const current = await Promise.all([false, true].map((kind) => this.templateName(kind)))
    const isOld = (name: string) => name.startsWith(this.#templates) && !current.includes(name)
    for (const name of (await listDatabases(owner, this.#templates)).filter(isOld))
      await dropDatabase(owner, name)
    const folders = await readdir(folder).catch(() => [])
    for (const name of folders.filter(isOld)) await rm(join(folder, name), { recursive: true, force: true })
  }

  get #templates(): string {
    return `${this.#base}_template_`
  }

  #databaseOf(id: string): string {
    return `${this.#base}_${id}`
  }

  #place(id: string, database: string): Place {
    const { urls, folder } = this.#settings
    const [owner, app, operations] = [urls.owner, urls.app, urls.operations].map((url) =>
      withDatabase(url, database),
    )
    if (!owner || !app || !operations) throw new Error('a role has no address')
    return { id, urls: { owner, app, operations }, dataDir: join(folder, id), loadsDemonstration: false }
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** PostgreSQL cuts names off after 63 characters. */
function shortened(name: string): string {
  if (name.length <= baseLengthMax) return name
  return `${name.slice(0, baseLengthMax - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
