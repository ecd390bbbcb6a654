/**
 * This cell and its directory. Enters the cell in the directory, claims the names that only one cell may
 * have, and exchanges the public keys that sign tokens, so that each cell verifies the tokens of all. While
 * the directory is unavailable the cell continues to serve: only new firms and credentials need the
 * directory.
 */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { breaks, DatabaseUnavailable } from '../../database/faults.ts'
import { openPool, type Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Started } from '../../started.ts'
import {
  type Cell,
  type Claim,
  type ClaimOfCell,
  claimNames,
  everyCell,
  exchangeKeys,
  findClaims,
  prepareDirectory,
  putCell,
  rangesDoNotMeet,
  readCells,
} from '../../store/cell-directory.ts'
import { findMovedAccounts, type MovedAccount } from '../../store/cell-moves.ts'
import { replaceKeysOfCells } from '../../store/cell-signing-keys.ts'
import { readCredentials, type StoredCredential } from '../../store/credentials.ts'
import { clearingFirmId, readFirms } from '../../store/firms.ts'
import { readSigningKeys } from '../../store/signing-keys.ts'

type CredentialOfFirm = Pick<StoredCredential, 'clientId' | 'firmId'>

/** Another cell has the account numbers or a name of this cell. */
class NotOfThisCell extends Error {
  override readonly name = 'NotOfThisCell'
}

export interface Cells {
  /** The name of this cell. */
  readonly own: string
  list(): Promise<Cell[]>
  /**
   * Claims names for this cell, and returns the claims of other cells. If another cell has one of the names,
   * none is claimed. Throws DatabaseUnavailable.
   */
  claim(claims: readonly Claim[]): Promise<ClaimOfCell[]>
  /** The same for client ids. Those of the clearing firm may be in every cell. */
  claimClientIds(credentials: readonly CredentialOfFirm[]): Promise<ClaimOfCell[]>
  /** The cell that has a name, which may be this cell; undefined when none has it. */
  find(claim: Claim): Promise<string | undefined>
  /**
   * The account numbers that have left the cell of their range. With a number, only that number if it has
   * left.
   */
  findMoved(accountNumber?: string): Promise<MovedAccount[]>
  /** Updates the keys of all cells, here and in the directory. */
  exchangeKeys(): Promise<void>
  /** Enters this cell and all its names; throws NotOfThisCell. Starts the exchange of keys. */
  join(): Promise<void>
}

const connections = { connectionsMax: 2, connectionsMin: 0 }
const exchangeEveryMs = 10_000

export function openDirectoryPool(url: string): Pool {
  return openPool({ name: 'owner', url, setting: 'DIRECTORY_URL', limits: connections })
}

/** Enters the cell with its range. Throws NotOfThisCell when the range overlaps that of another cell. */
async function enterCell(directory: Pool, cell: Cell): Promise<void> {
  try {
    await inTransaction(directory, { firm: null }, (tx) => putCell(tx, cell))
  } catch (fault) {
    if (!breaks(fault, rangesDoNotMeet)) throw fault
    throw new NotOfThisCell(describeOverlap(cell, await readCells(directory)))
  }
}

/** Describes the overlap of a cell's range with the ranges of other cells; empty without overlap. */
export function describeOverlap({ name, accountNumbers: own }: Cell, cells: readonly Cell[]): string {
  return cells
    .filter(
      ({ name: other, accountNumbers: { first, last } }) =>
        other !== name && first <= own.last && own.first <= last,
    )
    .map(
      ({ name: other, accountNumbers: { first, last } }) =>
        `ACCOUNT_NUMBERS ${own.first}-${own.last} overlaps ${first}-${last} of the cell ${other}`,
    )
    .join('; ')
}

/** Opens the directory; undefined without the setting `CELL`. Nothing is written before `join` or a claim. */
export function openCells(
  { cell, accountNumbers }: Config,
  parts: { pools: { readonly operations: Pool }; started: Started; log: Logger },
): Cells | undefined {
  if (cell === undefined || accountNumbers === undefined) return undefined
  const { name: own } = cell
  const { operations } = parts.pools
  const onFault = (fault: unknown) => parts.log.error({ err: fault }, 'the directory of cells')
  const directory = openDirectoryPool(cell.directoryUrl)
  let timer: NodeJS.Timeout | undefined
  let exchanging: Promise<void> | undefined
  let entered = false

  const enter = async (): Promise<void> => {
    await prepareDirectory(directory)
    await enterCell(directory, { name: own, accountNumbers })
    entered = true
  }
  const claim = async (claims: readonly Claim[], cell = own): Promise<ClaimOfCell[]> => {
    if (!entered) await enter()
    return inTransaction(directory, { firm: null }, async (tx) => {
      const taken = await claimNames(tx, cell, claims)
      if (taken.length > 0) tx.abandon()
      return taken
    })
  }
  const exchange = async (): Promise<void> => {
    const ownKeys = await inTransaction(operations, { firm: null, readOnly: true }, readSigningKeys)
    const others = await exchangeKeys(
      directory,
      own,
      ownKeys.map(({ kid, publicJwk, activeFrom, retiredAt }) => ({
        kid,
        publicJwk,
        activeFrom: activeFrom.toISOString(),
        retiredAt: retiredAt?.toISOString() ?? null,
      })),
    )
    await inTransaction(operations, { firm: null }, (tx) => replaceKeysOfCells(tx, others))
  }
  const exchangeOnce = (): Promise<void> => {
    exchanging ??= exchange().finally(() => {
      exchanging = undefined
    })
    return exchanging
  }
  const claimClientIds = async (credentials: readonly CredentialOfFirm[]): Promise<ClaimOfCell[]> => {
    const isShared = ({ firmId }: CredentialOfFirm) => firmId === clearingFirmId
    const claimsOf = (some: readonly CredentialOfFirm[]): Claim[] =>
      some.map(({ clientId: name }) => ({ kind: 'clientId', name }))
    const taken = await claim(claimsOf(credentials.filter((each) => !isShared(each))))
    return [...taken, ...(await claim(claimsOf(credentials.filter(isShared)), everyCell))]
  }
  const claimAll = async (): Promise<void> => {
    const [firms, credentials] = await inTransaction(operations, { firm: null, readOnly: true }, (tx) =>
      Promise.all([readFirms(tx), readCredentials(tx, new Date())]),
    )
    // The directory decides the cell of a firm that moves.
    const elsewhere = new Set(firms.filter(({ moving }) => moving).map(({ firmId }) => firmId))
    const own = firms.filter(({ firmId }) => firmId !== clearingFirmId && !elsewhere.has(firmId))
    const taken = [
      ...(await claim(own.flatMap(claimsOfFirm))),
      ...(await claimClientIds(credentials.filter(({ firmId }) => !elsewhere.has(firmId)))),
    ]
    if (taken.length > 0) throw new NotOfThisCell(`${taken.map(describeTaken).join('; ')}`)
  }
  const begin = async (): Promise<void> => {
    await enter()
    await claimAll()
    await exchangeOnce()
  }
  let joined = false
  parts.started.add(async () => {
    clearInterval(timer)
    await exchanging?.catch(() => {})
    await directory.end()
  })
  return {
    own,
    list: () => readCells(directory),
    claim: (claims) => claim(claims),
    claimClientIds,
    find: async (wanted) => (await findClaims(directory, [wanted], ''))[0]?.cell,
    findMoved: (accountNumber) => findMovedAccounts(directory, accountNumber),
    exchangeKeys: exchangeOnce,
    async join() {
      const tryToJoin = async () => {
        if (!joined) await begin()
        joined = true
      }
      await tryToJoin().catch((fault) => {
        if (!(fault instanceof DatabaseUnavailable)) throw fault
        onFault(fault)
      })
      timer = setInterval(() => {
        tryToJoin().then(exchangeOnce).catch(onFault)
      }, exchangeEveryMs)
    },
  }
}

export function claimsOfFirm(firm: {
  readonly firmId: string
  readonly entityNumbers: readonly string[]
  readonly repCodes: readonly string[]
}): Claim[] {
  return [
    { kind: 'firm', name: firm.firmId },
    ...firm.entityNumbers.map((name): Claim => ({ kind: 'entityNumber', name })),
    ...firm.repCodes.map((name): Claim => ({ kind: 'repCode', name })),
  ]
}

const nouns: Record<Claim['kind'], string> = {
  firm: 'firm',
  entityNumber: 'entity number',
  repCode: 'rep code',
  clientId: 'client id',
}

function describeTaken({ kind, name, cell }: ClaimOfCell): string {
  return `the ${nouns[kind]} ${name} belongs to the cell ${cell}`
}
