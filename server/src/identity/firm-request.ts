/**
 * Checks that the operations on firms and credentials share: lists without repeats, firms and credentials that exist.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { parseUuid } from '../ids.ts'
import type { FirmSettings } from '../store/firm.ts'
import { addEntityNumbers, addRepCodes } from '../store/firms.ts'
import { type Cells, claimsOfFirm } from './cells/open-cells.ts'

/** ERR.1014 for each value that is in a list more than once. */
export function findRepeats(values: readonly string[], field: string): Rejection[] {
  const seen = new Set<string>()
  const found: Rejection[] = []
  for (const [at, value] of values.entries()) {
    if (seen.has(value))
      found.push(reject('ERR.1014', `${field}[${at}]`, 'The value is already in the list.'))
    seen.add(value)
  }
  return found
}

/** Adds numbers and codes to the firm. Returns ERR.1014 for each that another firm has. */
export async function claimForFirm(
  tx: Tx,
  firmId: string,
  claim: {
    field: string
    numbers: readonly string[]
    codesField: string
    codes: readonly string[]
    at: Date
  },
): Promise<Rejection[]> {
  const { field, numbers, codesField, codes, at } = claim
  const takenNumbers = new Set(await addEntityNumbers(tx, firmId, numbers, at))
  const takenCodes = new Set(await addRepCodes(tx, firmId, codes, at))
  const found: Rejection[] = []
  for (const [index, number] of numbers.entries())
    if (takenNumbers.has(number))
      found.push(reject('ERR.1014', `${field}[${index}]`, 'Another firm has this entity number.'))
  for (const [index, code] of codes.entries())
    if (takenCodes.has(code))
      found.push(reject('ERR.1014', `${codesField}[${index}]`, 'Another firm has this rep code.'))
  return found
}

/**
 * Claims the numbers and codes of the firm for this cell. Returns ERR.1014 for each that another cell has.
 */
export async function claimForCell(
  cells: Cells | undefined,
  firmId: string,
  claim: { field: string; numbers: readonly string[]; codesField: string; codes: readonly string[] },
): Promise<Rejection[]> {
  const { field, numbers, codesField, codes } = claim
  const taken = await cells?.claim(claimsOfFirm({ firmId, entityNumbers: numbers, repCodes: codes }))
  return (taken ?? []).map(({ kind, name }) =>
    kind === 'repCode'
      ? reject(
          'ERR.1014',
          `${codesField}[${codes.indexOf(name)}]`,
          'A firm in another cell has this rep code.',
        )
      : reject(
          'ERR.1014',
          `${field}[${numbers.indexOf(name)}]`,
          'A firm in another cell has this entity number.',
        ),
  )
}

/** The three digits of a number that may have been sent as an integer (Reading 1.3). */
export function parseEntityNumbers(numbers: readonly (string | number)[]): string[] {
  return numbers.map((number) => String(number).padStart(3, '0'))
}

/** The firm of an optional filter. An empty filter counts as absent (Reading 1.2). */
export function readFirmFilter(given: string | undefined): string | undefined | Rejected {
  if (given === undefined || given === '') return undefined
  return parseUuid(given) ?? firmNotFound()
}

export function firmNotFound(): Rejected {
  return new Rejected([reject('ERR.2013', 'firmId', 'There is no firm with this id.')])
}

export function credentialNotFound(): Rejected {
  return new Rejected([reject('ERR.2013', 'clientId', 'There is no credential with this client id.')])
}

/** The settings that a request names. Settings that the request omits do not change. */
export function parseSettings(given: {
  duplicateApplications?: string
  documentCatalogueClosed?: boolean
  requestsPerSecond?: number
  keysOnly?: boolean
  changesNeedingApproval?: readonly string[] | string
}): Partial<FirmSettings> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<FirmSettings>
}
