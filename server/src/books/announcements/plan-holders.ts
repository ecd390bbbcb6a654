/**
 * Compares holders with what an announcement entitles them to, and plans the lines that are missing. A changed
 * entitlement cancels the lines of the holder and makes new ones. A line that the feed cancelled is not booked again
 * for the same entitlement.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type AnnouncedLine,
  type AnnouncedSecurity,
  type AnnouncedType,
  type EntitledPosition,
  linesOfHolder,
  matchPayments,
} from '@clearing/domain/books'
import { decimal, sum, ZERO } from '@clearing/domain/decimal'
import { settlementDayFrom } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import {
  type EntitlementState,
  type ExaminedEntitlement,
  type LineOfHolder,
  readEntitlements,
  type StoredEntitlement,
} from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import { readCancelsOfAnnounced } from '../../store/books/cancels-of-announced.ts'
import { type Holder, type LineOfFeed, readLinesOfFeed } from '../../store/books/holders.ts'
import { readClosedAccounts } from '../../store/books/suspensions.ts'
import { Directory } from '../directory.ts'
import { entitledPositions } from './entitled-positions.ts'
import { cancelOf, ownSuffix, prefixOf } from './ids-of-lines.ts'
import { keepUnreversed } from './keep-unreversed.ts'

/** A position after its examination, and the lines that bring its books there. */
export interface PlannedHolder {
  readonly examined: ExaminedEntitlement
  /** Lines as a feed would send them. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** The booked lines that these lines reverse. */
  readonly reversed: readonly LineOfHolder[]
}

export interface Examination {
  readonly announcement: StoredAnnouncement
  readonly security: AnnouncedSecurity
  /** Whether the lines are due. Otherwise the entitlements are noted, and lines of amended terms reversed. */
  readonly isDue: boolean
}

/** The positions whose entitlement, state or lines change. */
export async function planHolders(
  tx: Tx,
  examination: Examination,
  holders: readonly Holder[],
): Promise<PlannedHolder[]> {
  const { announcement, isDue } = examination
  const { externalId, security: secNo, exDate, payDate } = announcement
  const accountNumbers = holders.map(({ accountNumber }) => accountNumber)
  const types = typesOf(announcement)
  const [stored, cancels, ofFeed] = await Promise.all([
    readEntitlements(tx, externalId, accountNumbers, mayBeElected(examination)),
    readCancelsOfAnnounced(tx, accountNumbers, { prefix: prefixOf(externalId), ownSuffix }),
    isDue
      ? readLinesOfFeed(tx, accountNumbers, {
          secNo,
          types,
          exDate,
          payDate,
          externalId,
          paidBy: settlementDayFrom(payDate),
          prefix: prefixOf(externalId),
        })
      : [],
  ])
  const kept = new Map(stored.map((one) => [nameOf(one.accountNumber, one.acctType), one]))
  const refused = stored.filter(({ state }) => state === 'Refused')
  const closed = await readClosedAccounts(
    tx,
    refused.map(({ accountNumber }) => accountNumber),
  )
  const feed = Map.groupBy(ofFeed, ({ accountNumber }) => accountNumber)
  const planned: PlannedHolder[] = []
  const directory = new Directory()
  for (const holder of holders) {
    const positions = (await entitledPositions(tx, holder, announcement, directory)).map((position) => {
      return { position, before: kept.get(nameOf(holder.accountNumber, position.acctType)) }
    })
    const ofHolder = findByFeed(examination, feed.get(holder.accountNumber) ?? [], positions)
    for (const { position, before } of positions) {
      if (before === undefined && position.quantity === ZERO) continue
      const due = planHolder(examination, { holder, position, before, ...ofHolder(position), cancels })
      const isFutile = before?.state === 'Refused' && closed.has(holder.accountNumber)
      const plan = isFutile ? withoutLines(due, before.reason) : due
      if (before === undefined || plan.lines.length > 0 || isChanged(before, plan.examined))
        planned.push(plan)
    }
  }
  return planned
}

/** An election of the last day may still be on its way to COMMIT when the next day begins. */
export function mayBeElected({ announcement, isDue }: Examination): boolean {
  return isDue && announcement.state === 'Announced' && announcement.deadline !== undefined
}

/** The kinds of the lines that an announcement can make. */
function typesOf({ options }: StoredAnnouncement): AnnouncedType[] {
  return options.flatMap(({ type }) => (type === 'None' ? [] : [type]))
}

interface KnownPosition {
  readonly position: EntitledPosition
  readonly before: StoredEntitlement | undefined
}

interface OfFeed {
  /** The line by which the feed itself reported the action. */
  readonly byFeed: string | undefined
  /** A payment of the feed that belongs to no position of the account: it may be a payment of this one. */
  readonly beside: string | undefined
}

/** What the feed reported for each position of an account. */
function findByFeed(
  { announcement, security }: Examination,
  ofFeed: readonly LineOfFeed[],
  positions: readonly KnownPosition[],
): (position: EntitledPosition) => OfFeed {
  if (ofFeed.length === 0) return () => ({ byFeed: undefined, beside: undefined })
  const payable = positions.map(({ position, before }) => {
    const due = linesOfHolder(announcement, security, position, before?.elections ?? [])
    return { ...position, cash: sum(due.map(({ netAmount }) => decimal(netAmount ?? '0'))) }
  })
  const { lines, unmatched: beside } = matchPayments(ofFeed, payable)
  return ({ acctType }) => ({ byFeed: lines.get(acctType), beside })
}

interface ExaminedPosition extends KnownPosition, OfFeed {
  readonly holder: Holder
  /** The cancels of the feed, by the line of the announcement that each takes back. */
  readonly cancels: ReadonlyMap<string, string>
}

function planHolder(
  { announcement, security, isDue }: Examination,
  { holder: { accountNumber, firmId }, position, before, byFeed, beside, cancels }: ExaminedPosition,
): PlannedHolder {
  const { acctType, quantity } = position
  const { externalId } = announcement
  const { version = 0, lines: made = [], elections = [] } = before ?? {}
  const examined = { externalId, accountNumber, acctType, firmId, quantity, version }
  const isCancelled = announcement.state === 'Cancelling' || announcement.state === 'Cancelled'
  const isBookedHere = isDue && !isCancelled && byFeed === undefined
  const due = isBookedHere ? linesOfHolder(announcement, security, position, elections) : []
  const state: EntitlementState = isCancelled
    ? 'Reversed'
    : !isDue
      ? 'Expected'
      : byFeed !== undefined
        ? 'ByFeed'
        : due.length === 0
          ? 'Nothing'
          : 'Booked'
  const stateWith = (lines: readonly LineOfHolder[]): Pick<ExaminedEntitlement, 'state' | 'reason'> => {
    const taken = lines.find(({ externalId: id }) => cancels.has(id))
    if (state === 'Booked' && taken !== undefined)
      return { state: 'Reversed', reason: cancels.get(taken.externalId) ?? '' }
    return { state, reason: (state === 'ByFeed' ? byFeed : state === 'Booked' ? beside : undefined) ?? '' }
  }
  if (isSame(due, made))
    return { examined: { ...examined, ...stateWith(made), lines: made }, lines: [], reversed: [] }
  const next = version + 1
  const named = due.map((line, index): LineOfHolder => {
    const parts = [accountNumber, acctType, next, ...(index === 0 ? [] : [index + 1])]
    return { externalId: `${prefixOf(externalId)}${parts.join('-')}`, line }
  })
  const reversed = made.filter((old) => !cancels.has(old.externalId))
  return {
    examined: { ...examined, ...stateWith(named), lines: named, version: next },
    reversed,
    lines: [
      ...reversed.map((old) => ({
        externalId: cancelOf(old.externalId),
        acctNo: accountNumber,
        cancelType: 'C',
        tagNo: old.externalId,
      })),
      ...named.map(({ externalId: id, line }) => ({ externalId: id, acctNo: accountNumber, ...line })),
    ],
  }
}

/** Lines that the books refused because the account is closed are not sent again. */
function withoutLines(plan: PlannedHolder, reason: string): PlannedHolder {
  if (plan.lines.length === 0) return plan
  return { examined: keepUnreversed(plan, () => true, reason), lines: [], reversed: [] }
}

function isChanged(before: StoredEntitlement, examined: ExaminedEntitlement): boolean {
  const members = ['quantity', 'state', 'reason', 'version'] as const
  return members.some((member) => before[member] !== examined[member])
}

function nameOf(accountNumber: string, acctType: number): string {
  return `${accountNumber} ${acctType}`
}

function isSame(due: readonly AnnouncedLine[], made: readonly LineOfHolder[]): boolean {
  return isDeepStrictEqual(
    due,
    made.map(({ line }) => line),
  )
}
