/**
 * The checklist before a business day is closed: open items and their severity. Readers must accept kinds of items that
 * they do not know.
 */
import { isAtLeast, type Severity, severityOfBreak } from '@clearing/domain/books'
import { addDays } from '@clearing/domain/market'
import type { CheckSettings } from '../config/close-checks.ts'
import type { Tx } from '../database/transaction.ts'
import { checkLocations, type LocationCheck } from '../store/books/location-positions.ts'
import {
  type CheckItem,
  countBreaksByKind,
  countOpenCalls,
  countOpenLoads,
  countStalePrices,
  type Held,
} from '../store/open-items.ts'

const severities: readonly Severity[] = ['High', 'Medium', 'Low']

/** Reads with the permissions of operations. Prices until `at` count. */
export async function readChecklist(
  tx: Tx,
  { day, at }: { readonly day: string; readonly at: Date },
  { stalePriceDays }: CheckSettings,
): Promise<CheckItem[]> {
  const [loads, breaks, prices, calls, locations] = await Promise.all([
    countOpenLoads(tx),
    countBreaksByKind(tx),
    countStalePrices(tx, at, { oldest: addDays(day, -stalePriceDays), day }),
    countOpenCalls(tx, day),
    checkLocations(tx, day),
  ])
  const lines = `${loads.rejected_lines} ${loads.rejected_lines === 1n ? 'line' : 'lines'}`
  return [
    held(checkItem('LoadsRunning', 'Medium', loads.running, ''), {
      oldest: loads.running_since,
      owners: loads.running_by,
    }),
    held(checkItem('LoadsCutOff', 'Medium', loads.cut_off, ''), {
      oldest: loads.cut_off_since,
      owners: loads.cut_off_by,
    }),
    held(checkItem('Rejects', 'Medium', loads.rejecting, loads.rejecting > 0n ? lines : ''), {
      oldest: loads.rejecting_since,
      owners: loads.rejecting_by,
    }),
    ...severities.map((severity) => {
      const kinds = breaks.filter(({ kind }) => severityOfBreak(kind) === severity)
      const count = kinds.reduce((sum, one) => sum + one.count, 0n)
      const detail = kinds.map((one) => `${one.kind} ${one.count}`).join(', ')
      return held(checkItem('Breaks', severity, count, detail), together(kinds))
    }),
    checkItem(
      'Locations',
      'High',
      locations.differing + BigInt(locations.missing.length),
      describeLocations(locations),
    ),
    {
      ...checkItem('StalePrices', 'Medium', prices.stale, firstOf(prices.stale_names, prices.stale)),
      names: prices.stale_names,
    },
    {
      ...checkItem('NoPrice', null, prices.unpriced, firstOf(prices.unpriced_names, prices.unpriced)),
      names: prices.unpriced_names,
    },
    held(checkItem('Calls', null, calls.open, calls.overdue > 0n ? `${calls.overdue} overdue` : ''), calls),
  ]
}

const examplesMax = 5

function firstOf(names: readonly string[], count: bigint): string {
  return someOf(names.slice(0, examplesMax), count)
}

/** As a close stores it and reports it: with examples only. */
export function withExamples({ names: _, ...item }: CheckItem): CheckItem {
  return item
}

/** Some names of several, and the number of the others. */
function someOf(names: readonly string[], count: bigint): string {
  const others = count - BigInt(names.length)
  return [...names, ...(others > 0n ? [`and ${others} more`] : [])].join(', ')
}

function describeLocations({ names, differing, missing }: LocationCheck): string {
  const silent = missing.map((location) => `no report of ${location}`)
  return [...(names.length === 0 ? [] : [someOf(names, differing)]), ...silent].join(', ')
}

/** Without a severity, the item is listed and needs no acceptance. */
function checkItem(
  item: CheckItem['item'],
  severity: Severity | null,
  count: bigint,
  detail: string,
): CheckItem {
  const open = severity !== null && count > 0n
  return { item, severity, count: Number(count), open, detail, oldestOn: null, owners: [] }
}

function held(item: CheckItem, { oldest, owners }: Held): CheckItem {
  return { ...item, oldestOn: oldest, owners }
}

/** The oldest of several items, and all their owners. */
function together(several: readonly Held[]): Held {
  const times = several.flatMap(({ oldest }) => (oldest === null ? [] : [oldest])).sort()
  return { oldest: times[0] ?? null, owners: [...new Set(several.flatMap(({ owners }) => owners))] }
}

export function openItems(checklist: readonly CheckItem[]): CheckItem[] {
  return checklist.filter(({ open }) => open)
}

/** Whether the open items are too severe for one person to accept. */
export function needsSecondPerson(
  checklist: readonly CheckItem[],
  { secondPersonFrom: from }: CheckSettings,
): boolean {
  return (
    from !== undefined &&
    openItems(checklist).some(({ severity }) => severity !== null && isAtLeast(severity, from))
  )
}

/** An item as a sentence. */
export function describeItem({ item, severity, count, detail }: CheckItem): string {
  return `${item}: ${count.toLocaleString('en-US')}${severity === null ? '' : ` of severity ${severity}`}${detail && ` (${detail})`}.`
}
