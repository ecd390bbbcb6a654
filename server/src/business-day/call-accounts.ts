/** Issues the calls that marking the day found, ages open calls, and ends calls that were met. */
import { type Decimal, max, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { extended, openCalls } from '@clearing/domain/market'
import type { PortionWork } from '../books/portion-work.ts'
import { writeEventsOfAccounts } from '../store/books/events.ts'
import { extensionsOf, readExtensions } from '../store/call-extensions.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import { putMarginCalls, readFirmsOf, readOpenCalls, type StoredCall } from '../store/margin-calls.ts'
import { readLedgersWithCalls, type StoredMarginLedger } from '../store/margin-ledger.ts'

export async function callAccounts(work: PortionWork): Promise<PortionCounts> {
  const { tx, range, close } = work
  const [ledgers, open] = await Promise.all([
    readLedgersWithCalls(tx, range, close.closeDate),
    readOpenCalls(tx, range),
  ])
  const firms = await readFirmsOf(
    tx,
    ledgers.map(({ accountNumber }) => accountNumber),
  )
  const extensions = await readExtensions(
    tx,
    ledgers.map(({ accountNumber }) => accountNumber),
    close.closeDate,
  )
  // Other calls are aged elsewhere.
  const own = open.filter(({ kind }) => kind === 'Fed' || kind === 'Maintenance')
  const known = new Map(own.map((call) => [nameOf(call), call]))
  const issued: StoredCall[] = []
  const aged: StoredCall[] = []
  for (const found of ledgers.flatMap((kept) => callsOf(kept, firms, close.closeDate))) {
    const call = { ...found, dueBy: extended(found.dueBy, extensionsOf(extensions, found)) }
    const before = known.get(nameOf(call))
    if (before === undefined) issued.push(call)
    else {
      known.delete(nameOf(call))
      aged.push({ ...call, amount: max(call.amount, before.amount) })
    }
  }
  const met = [...known.values()].map((call) => ({
    ...call,
    outstanding: ZERO,
    agedOn: close.closeDate,
    metOn: close.closeDate,
  }))
  putMarginCalls(tx, [...issued, ...aged, ...met])
  writeCallEvents(work, issued, met)
  return { callsIssued: issued.length, callsMet: met.length }
}

/** One statement writes the first event of every account, another the second, and so on. */
export function writeCallEvents(
  { tx, now, traceId }: PortionWork,
  issued: readonly StoredCall[],
  met: readonly StoredCall[],
  ended: readonly StoredCall[] = [],
): void {
  const events = [
    ...issued.map((call) => ({ type: 'call.issued', call })),
    ...met.map((call) => ({ type: 'call.met', call })),
    ...ended.map((call) => ({ type: 'call.ended', call })),
  ]
  const ofAccount = new Map<string, number>()
  const waves = Map.groupBy(events, ({ call: { accountNumber } }) => {
    const wave = ofAccount.get(accountNumber) ?? 0
    ofAccount.set(accountNumber, wave + 1)
    return wave
  })
  for (const wave of waves.values()) {
    writeEventsOfAccounts(
      tx,
      wave.map(({ type, call }) => ({
        firmId: call.firmId,
        accountNumber: call.accountNumber,
        type,
        content: {
          kind: call.kind,
          issuedOn: call.issuedOn,
          dueBy: call.dueBy,
          amount: renderDecimal(call.amount, moneyPlaces),
        },
      })),
      now,
      traceId,
    )
  }
}

const moneyPlaces = 2

function nameOf({ accountNumber, kind, issuedOn }: StoredCall): string {
  return `${accountNumber} ${kind} ${issuedOn}`
}

function callsOf(
  { accountNumber, ledger }: StoredMarginLedger,
  firms: ReadonlyMap<string, string>,
  closeDate: string,
): StoredCall[] {
  const firmId = firms.get(accountNumber)
  if (firmId === undefined) throw new Error(`account ${accountNumber} has no books`)
  const maintenanceCall = ledger.maintenanceCall?.amount ?? ZERO
  const asIssued = new Map<string, Decimal>(ledger.calls.map(({ openedOn, amount }) => [openedOn, amount]))
  return openCalls({ maintenanceCall }, ledger, closeDate).map(
    ({ kind, openedOn, dueOn, ageDays, outstanding }) => ({
      accountNumber,
      firmId,
      kind,
      issuedOn: openedOn,
      dueBy: dueOn,
      amount: kind === 'Fed' ? (asIssued.get(openedOn) ?? outstanding) : outstanding,
      outstanding,
      agedOn: closeDate,
      ageDays,
      metOn: null,
    }),
  )
}
