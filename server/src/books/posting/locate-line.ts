/** Finds the account and the securities that a line names. */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { FoundAccount } from '../../store/books/accounts.ts'
import type { Directory, KnownSecurity } from '../directory.ts'
import type { ActivityValues } from '../lines/shapes.ts'
import { findNamed, identifiers, identifiersReceived } from './find-named.ts'

/** A line whose account and securities are known. */
export interface LocatedLine {
  readonly source: number
  readonly values: ActivityValues
  readonly account: FoundAccount
  readonly security: KnownSecurity | undefined
  readonly toSecurity: KnownSecurity | undefined
}

/** A line whose identifiers name no security, or several. It can still repeat or correct a stored line. */
export interface UnnamedLine {
  readonly source: number
  readonly values: ActivityValues
  readonly account: FoundAccount
  readonly rejections: readonly Rejection[]
}

/**
 * Finds the account and the securities of the line. With `byNumber`, a security whose secNo is given is found by it
 * alone: it was found when the line was accepted.
 */
export function locateLine(
  source: number,
  values: ActivityValues,
  directory: Directory,
  byNumber: boolean,
): LocatedLine | UnnamedLine | { readonly rejections: readonly Rejection[] } {
  const rejections: Rejection[] = []
  if (values.externalId === undefined)
    rejections.push(reject('ERR.1000', 'externalId', 'externalId is required.'))
  const account = values.acctNo === undefined ? undefined : directory.account(values.acctNo)
  if (values.acctNo === undefined) rejections.push(reject('ERR.1000', 'acctNo', 'acctNo is required.'))
  else if (account === undefined) {
    rejections.push(reject('ERR.2003', 'acctNo', 'There is no account with this number.'))
  }
  const isPlaced = rejections.length === 0
  const { secNo, toSecNo } = values
  const named = byNumber && secNo !== undefined ? { secNo } : values
  const received = byNumber && toSecNo !== undefined ? { toSecNo } : values
  const security = findNamed(identifiers, named, directory, rejections)
  const toSecurity = findNamed(identifiersReceived, received, directory, rejections)
  if (account === undefined || !isPlaced) return { rejections }
  if (rejections.length > 0) return { source, values, account, rejections }
  const traded = security && directory.onDay(security, values.tradeDate)
  return { source, values, account, security: traded, toSecurity }
}
