/**
 * The checklist before a business day is closed: what is open, and how much it weighs. More items may come; whoever reads
 * it takes each as it says of itself.
 */
import { isAtLeast, type Severity, severityOfBreak } from '@clearing/domain/books'
import { addDays } from '@clearing/domain/market'
import type { CheckSettings } from '../config/close-checks.ts'
import type { Tx } from '../database/transaction.ts'
import {
  type CheckItem,
  countOpenBreaks,
  countOpenCalls,
  countOpenLoads,
  countStalePrices,
} from '../store/open-items.ts'

const severities: readonly Severity[] = ['High', 'Medium', 'Low']

/** Read in the sight of operations; prices until `at` count. */
export async function readChecklist(
  tx: Tx,
  { day, at }: { readonly day: string; readonly at: Date },
  { stalePriceDays }: CheckSettings,
): Promise<CheckItem[]> {
  const [loads, breaks, prices, calls] = await Promise.all([
    countOpenLoads(tx),
    countOpenBreaks(tx),
    countStalePrices(tx, at, addDays(day, -stalePriceDays)),
    countOpenCalls(tx, day),
  ])
  const lines = `${loads.rejected_lines} lines`
  return [
    asked('LoadsRunning', 'Medium', loads.running, ''),
    asked('LoadsCutOff', 'Medium', loads.cut_off, ''),
    asked('Rejects', 'Medium', loads.rejecting, loads.rejecting > 0n ? lines : ''),
    ...severities.map((severity) => {
      const kinds = breaks.filter(({ kind }) => severityOfBreak(kind) === severity)
      const count = kinds.reduce((sum, one) => sum + one.count, 0n)
      return asked('Breaks', severity, count, kinds.map((one) => `${one.kind} ${one.count}`).join(', '))
    }),
    asked('StalePrices', 'Medium', prices.stale, prices.stale_names.join(', ')),
    told('NoPrice', prices.unpriced, prices.unpriced_names.join(', ')),
    told('Calls', calls.open, calls.overdue > 0n ? `${calls.overdue} overdue` : ''),
  ]
}

function asked(item: CheckItem['item'], severity: Severity, count: bigint, detail: string): CheckItem {
  return {
    item,
    severity,
    count: Number(count),
    open: count > 0n,
    detail,
  }
}

function told(item: CheckItem['item'], count: bigint, detail: string): CheckItem {
  return {
    item,
    severity: null,
    count: Number(count),
    open: false,
    detail,
  }
}

export function openItems(checklist: readonly CheckItem[]): CheckItem[] {
  return checklist.filter(({ open }) => open)
}

/** Whether what is open is too much for one person to accept. */
export function needsSecondPerson(
  checklist: readonly CheckItem[],
  { secondPersonFrom: from }: CheckSettings,
): boolean {
  return (
    from !== undefined &&
    openItems(checklist).some(({ severity }) => severity !== null && isAtLeast(severity, from))
  )
}

/** An item in a sentence. */
export function describeItem({ item, severity, count, detail }: CheckItem): string {
  return `${item}: ${count.toLocaleString('en-US')}${severity === null ? '' : ` of severity ${severity}`}${detail && ` (${detail})`}.`
}
