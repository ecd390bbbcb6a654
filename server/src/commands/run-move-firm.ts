/** The commands `move-firm` and `router-map` of the platform team, on a machine with the settings of both cells. */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import { type Config, ConfigMistakes, readConfig } from '../config/config.ts'
import { StatementFailed } from '../database/faults.ts'
import { readMissing, SchemaMismatch } from '../database/migrate.ts'
import { namingSetting } from '../database/naming-setting.ts'
import { compareAddresses, settingOf } from '../database/open-pools.ts'
import { openPool, type Pool, type PoolName } from '../database/pool.ts'
import { areOneDatabase, type ComparedAddress } from '../database/same-database.ts'
import { hasMark, openBlobs, settingOfStore } from '../documents/open-documents.ts'
import { describeOtherStore } from '../documents/store-of-database.ts'
import { loadMasterKeys } from '../encryption/master-key-file.ts'
import { openDirectoryPool } from '../identity/cells/open-cells.ts'
import { parseUuid } from '../ids.ts'
import { Started } from '../started.ts'
import { prepareDirectory, readCellsIfAny, readClientCells } from '../store/cell-directory.ts'
import { readStoreId } from '../store/document-store.ts'
import { assertUsableKeys } from './assert-usable-keys.ts'
import { isMistakeOfOurs } from './is-mistake.ts'
import { type CellSide, callOff, MoveRefused, moveFirm, removeMoved } from './move-firm.ts'

const usage =
  'move-firm <firm id> --from <file> --to <file> [--remove | --call-off]: each file has the settings of a cell, one per line.'

/** The time limit, because the command reads every row of the firm. */
const limits = {
  connectionsMax: 4,
  connectionsMin: 0,
  statementTimeoutMs: 1_800_000,
  answerTimeoutMs: 1_810_000,
  idleInTransactionTimeoutMs: 1_800_000,
}

/** The options of `move-firm`: two files with settings, and what to do other than moving. */
export interface MoveOptions {
  readonly from?: string
  readonly to?: string
  readonly remove?: boolean
  readonly 'call-off'?: boolean
}

export async function runMoveFirm(word: string, options: MoveOptions): Promise<void> {
  const firmId = parseUuid(word)
  if (firmId === undefined) throw new MoveRefused(`There is no firm "${word}"; list-firms lists their ids.`)
  if (options.from === undefined || options.to === undefined) throw new MoveRefused(usage)
  if (options.remove && options['call-off'])
    throw new MoveRefused('--remove and --call-off exclude each other.')
  const started = new Started()
  try {
    const [from, to] = await Promise.all([readCell('--from', options.from), readCell('--to', options.to)])
    if (from.cell.name === to.cell.name || from.cell.directoryUrl !== to.cell.directoryUrl)
      throw new MoveRefused('The two files must have different names in CELL and the same DIRECTORY_URL.')
    const directory = openDirectoryPool(from.cell.directoryUrl)
    started.add(() => directory.end())
    await namingSetting('DIRECTORY_URL', prepareDirectory(directory))
    const settings = {
      from: await openSide(from, started),
      to: await openSide(to, started),
      directory,
      firmId,
      onState: (state: string) => console.log(`${new Date().toISOString()}  ${state}`),
    }
    for (const [config, side] of [
      [from, settings.from],
      [to, settings.to],
    ] as const)
      await assertUsableDatabase(config, side.owner, options['call-off'] === true)
    // After the removal, no process could open a key of the firm under a master key that its new cell lacks.
    if (!options['call-off'])
      for (const { name, operations, masterKeys } of [settings.from, settings.to])
        await assertUsableKeys(operations, masterKeys, `MASTER_KEY_FILE of ${name}`)
    if (await areOneDatabase(addressOf(from), addressOf(to)))
      throw new MoveRefused(
        `${from.cell.name} and ${to.cell.name} have one database: the settings of one of the files are those of the other cell.`,
      )
    if (options['call-off']) return await callOff(settings)
    for (const [config, side] of [
      [from, settings.from],
      [to, settings.to],
    ] as const)
      await assertOwnStore(config, side.operations, started)
    if (options.remove) await removeMoved(settings)
    else {
      assertSameRates(from, to)
      await moveFirm(settings)
      console.log(
        `${to.cell.name} serves the firm when the router directs the firm's calls there: write the router's map with router-map, and reload it. Then repeat this command with --remove.`,
      )
    }
  } finally {
    await started.stop({ error: () => {} } as never)
  }
}

function addressOf({ cell, database }: ConfigOfCell): ComparedAddress {
  return { setting: cell.name, url: database.ownerUrl }
}

type ConfigOfCell = Config & {
  readonly cell: NonNullable<Config['cell']>
  readonly database: Extract<Config['database'], { kind: 'external' }>
}

async function readCell(option: '--from' | '--to', file: string): Promise<ConfigOfCell> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const what = code === 'ENOENT' ? `there is no file ${file}` : `the file ${file} cannot be read (${code})`
    throw new MoveRefused(`${option}: ${what}.`)
  })
  const config = readSettings(file, parseEnv(text))
  if (config.cell === undefined || config.database.kind !== 'external')
    throw new MoveRefused(`${file} must have CELL, DIRECTORY_URL and DATABASE_URL.`)
  return { ...config, cell: config.cell, database: config.database }
}

/** Two files are read, so each mistake is reported with its file. */
function readSettings(file: string, environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment, [])
  } catch (fault) {
    throw fault instanceof ConfigMistakes ? new MoveRefused(`${file}: ${fault.message}`) : fault
  }
}

async function openSide(config: ConfigOfCell, started: Started): Promise<CellSide> {
  const { url, ownerUrl } = config.database
  const settingOfCell = (name: PoolName) => `${config.cell.name}, ${settingOf(config, name)}`
  const owner = openPool({ name: 'owner', url: ownerUrl, setting: settingOfCell('owner'), limits })
  const operations = openPool({ name: 'operations', url, setting: settingOfCell('operations'), limits })
  started.add(() => owner.end())
  started.add(() => operations.end())
  const [keyFile = '', ...olderKeyFiles] = config.masterKeyFiles
  const { name } = config.cell
  const ofCell = (fault: Error) => {
    throw new MoveRefused(`${name}, ${fault.message}`, { cause: fault })
  }
  const masterKeys = await loadMasterKeys(
    config.mode === 'production'
      ? { mode: 'production', keyFile, olderKeyFiles }
      : { mode: 'sandbox', dataFolder: config.dataDir, keyFiles: config.masterKeyFiles },
  ).catch(ofCell)
  const blobs = await openBlobs(config, started).catch(ofCell)
  return { name, owner, operations, masterKeys, blobs }
}

/**
 * Throws if the addresses of a cell lead to several databases, or if its schema is not that of this release: rows are
 * copied as they are. A move can be called off between cells of different releases, because no row is copied then.
 */
async function assertUsableDatabase(config: ConfigOfCell, owner: Pool, callOff: boolean): Promise<void> {
  const setting = `${config.cell.name}, ${settingOf(config, 'owner')}`
  await compareAddresses(config).catch((fault: Error) => {
    throw new MoveRefused(`${config.cell.name}, ${fault.message}`, { cause: fault })
  })
  const missing = await namingSetting(
    setting,
    readMissing(owner).catch((fault) => {
      if (callOff && fault instanceof SchemaMismatch) return []
      throw fault
    }),
  )
  const [first] = missing
  if (first === undefined || (callOff && !first.startsWith('001-'))) return
  throw new MoveRefused(
    `${setting}: the database lacks migration ${first}: start this release of the service in the cell, and repeat the command.`,
  )
}

/** Throws if the cells would compute other interest or requirements from the same books. */
function assertSameRates(from: ConfigOfCell, to: ConfigOfCell): void {
  const isEqual = isDeepStrictEqual(from.marginRates, to.marginRates)
  if (isEqual && isDeepStrictEqual(from.concentration, to.concentration)) return
  const name = isEqual ? 'MARGIN_CONCENTRATION' : 'MARGIN_RATES'
  throw new MoveRefused(
    `${from.cell.name} and ${to.cell.name} have different ${name}: the firm's accounts would have other figures after the move.`,
  )
}

/** Throws if the documents of the settings are not those of the database. A sandbox has no such id. */
async function assertOwnStore(config: ConfigOfCell, operations: Pool, started: Started): Promise<void> {
  const id = await readStoreId(operations)
  if (id === undefined || config.mode !== 'production' || (await hasMark(config, id, started))) return
  throw new MoveRefused(`${config.cell.name}: ${describeOtherStore(settingOfStore(config), id)}.`)
}

/**
 * The map of the router: the prefix of the client ids that each cell creates, and each client id without such
 * a prefix.
 */
export async function printRouterMap(config: Config): Promise<void> {
  if (config.cell === undefined)
    throw new MoveRefused('The map is made from the directory: set CELL, ACCOUNT_NUMBERS and DIRECTORY_URL.')
  const directory = openDirectoryPool(config.cell.directoryUrl)
  try {
    // An empty map, as of another database, would take the calls of every client from the router.
    if ((await readCellsIfAny(directory)).length === 0)
      throw new MoveRefused('DIRECTORY_URL: no cell has entered this directory.')
    for (const { clientId, cell } of await readClientCells(directory)) console.log(`${clientId} ${cell}`)
  } catch (fault) {
    if (!(fault instanceof StatementFailed)) throw fault
    throw new MoveRefused(`DIRECTORY_URL: ${fault.message}`, { cause: fault })
  } finally {
    await directory.end()
  }
}

/** Shows faults that a person can correct without a stack. */
export function reportFault(fault: unknown): void {
  if (isMistakeOfOurs(fault)) throw fault
  console.error((fault as Error).message)
  process.exitCode = 1
}
