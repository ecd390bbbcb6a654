/** States that the filter of a webhook matches no event that the firm can receive: nothing else would show it. */
import { codeLists, type EventType, isOfAccount } from '@clearing/protocol'
import { noteOfAccount } from '../../firm-rules/account-not-found.ts'
import type { FirmContext } from '../../firm-rules/context.ts'
import { type EventFilter, matchesType, readLogPage } from '../../store/event-log.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { restoredType } from '../../store/restored-log.ts'

/** The log contains no tests of webhooks, and only the clearing firm's events name its staff. */
const ofNoFirm: readonly EventType[] = ['webhook.test']
const ofClearingFirm: readonly EventType[] = ['staff.notified']

export async function noteOfFilter(
  filter: EventFilter,
  { firm, tx }: Pick<FirmContext, 'firm' | 'tx'>,
): Promise<string | undefined> {
  const { types, entityNumber, repCode, accountNumber } = filter
  const isReceived = (type: EventType) =>
    !ofNoFirm.includes(type) && (firm.firmId === clearingFirmId || !ofClearingFirm.includes(type))
  const received = codeLists.eventType
    .map(({ value }) => value as EventType)
    .filter((type) => isReceived(type) && types.some((wanted) => matchesType(wanted, type)))
  if (types.length > 0 && received.length === 0)
    return 'The webhook will receive no events: your firm has none of these types.'
  const isBound = [entityNumber, repCode, accountNumber].some((one) => one !== undefined)
  if (types.length > 0 && isBound && !received.some((type) => isOfAccount(type) || type === restoredType))
    return 'The webhook will receive no events: those of these types belong to no account. Remove the other filters.'
  if (accountNumber === undefined) return undefined
  // A reserved number has events, and is not an account yet.
  const rows = tx.rows.bind(tx)
  const log = await readLogPage(rows, firm.firmId, undefined, { types: [], accountNumber }, { size: 1 })
  const isEmpty = typeof log === 'string' || log.events.length === 0
  return isEmpty ? noteOfAccount(accountNumber, { firm, tx }) : undefined
}
