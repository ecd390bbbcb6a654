/**
 * Announcements and amendments that are sent again. Their identifiers mean the securities of the stored line, if these
 * have or have had them, even if a symbol has passed to another security since (decision 294).
 */
import type { Announcement } from '@clearing/domain/books'
import type { Rejection } from '@clearing/protocol/values'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { readAmendmentsOf } from '../../store/books/amendments.ts'
import { readAnnouncements } from '../../store/books/announcements.ts'
import type { Directory, KnownSecurity } from '../directory.ts'
import type { CorporateActionValues } from '../lines/shapes.ts'
import {
  findNamed,
  identifiers,
  identifiersReceived,
  type NamingValues,
  namesStill,
  requireNamed,
} from '../posting/find-named.ts'
import type { ReadLines } from './read-lines.ts'

/** The securities of a stored line. */
export type TermsBefore = Pick<Announcement, 'security' | 'options'>

/** The stored lines that lines of a batch may repeat, by their ids, and the past identifiers of their securities. */
export async function readRepeated(
  { lines }: ReadLines<CorporateActionValues>,
  pool: Pool,
  directory: Directory,
): Promise<ReadonlyMap<string, TermsBefore>> {
  const named = lines.flatMap(({ values: { externalId, amends, cancelType } }) =>
    externalId === undefined || cancelType === 'C' ? [] : [{ externalId, amends }],
  )
  if (named.length === 0) return new Map()
  const settings = { firm: null, readOnly: true, repeatable: true } as const
  const found = await inTransaction(pool, settings, (tx) => readTerms(tx, named))
  const secNos = [...found.values()].flatMap(({ security, options }) => [
    security,
    ...options.flatMap(({ toSecurity }) => toSecurity ?? []),
  ])
  if (secNos.length === 0) return found
  await directory.learn(
    [],
    secNos.map((secNo) => ({ secNo })),
  )
  await directory.learnPast(secNos)
  return found
}

async function readTerms(
  tx: Tx,
  named: readonly { readonly externalId: string; readonly amends: string | undefined }[],
): Promise<Map<string, TermsBefore>> {
  const ids = named.flatMap(({ externalId, amends }) => [externalId, amends ?? externalId])
  const announced = await readAnnouncements(tx, [...new Set(ids)])
  const byId = new Map(announced.map((one) => [one.externalId, one]))
  const amendments = await readAmendmentsOf(tx, [...byId.keys()])
  const terms = new Map<string, TermsBefore>()
  for (const { externalId, amends } of named) {
    const announcement = byId.get(externalId)
    const amended = amends === undefined ? undefined : byId.get(amends)
    if (announcement !== undefined) {
      const first = amendments.find((one) => one.amends === externalId)
      const { options } = first?.replaced ?? announcement
      terms.set(externalId, { security: announcement.security, options })
    } else if (amended !== undefined) {
      const before = amendments.find((one) => one.externalId === externalId)
      terms.set(externalId, { security: amended.security, options: before?.terms.options ?? [] })
    }
  }
  return terms
}

/** The security of the stored line if the line names it, and otherwise the one that it names now. */
export function givenAgain(
  values: NamingValues,
  before: string | undefined,
  directory: Directory,
  rejections: Rejection[],
): KnownSecurity | undefined {
  const stored = before === undefined ? undefined : directory.security(before)
  if (stored !== undefined && namesStill(identifiers, values, directory, stored)) return stored
  return requireNamed(values, directory, rejections)
}

/** As above, for the security received. */
export function receivedAgain(
  values: NamingValues,
  before: string | undefined,
  directory: Directory,
  rejections: Rejection[],
): KnownSecurity | undefined {
  const stored = before === undefined ? undefined : directory.security(before)
  if (stored !== undefined && namesStill(identifiersReceived, values, directory, stored)) return stored
  return findNamed(identifiersReceived, values, directory, rejections)
}
