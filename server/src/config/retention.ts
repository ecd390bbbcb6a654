/**
 * How long records are kept. The service never removes records that a law or rule requires. It removes other
 * kinds when they are older than a setting. The setting may be longer than the contract promises, but not
 * shorter.
 */
import { limits } from '@clearing/protocol'
import type { Settings } from './read-settings.ts'

export interface Retention {
  readonly requestDays: number
  readonly deliveryDays: number
  readonly eventDays: number
  readonly accessRecordDays: number
}

interface Kind {
  readonly setting: string
  readonly days: number
  readonly daysMin: number
}

const daysOfSixYears = 2_192
const daysOfThreeYears = 1_096
const daysMax = 36_525

export const kinds = {
  requestDays: {
    setting: 'KEEP_REQUESTS_DAYS',
    days: limits.requestKeptDays,
    daysMin: limits.requestKeptDays,
  },
  deliveryDays: {
    setting: 'KEEP_DELIVERIES_DAYS',
    days: limits.webhookDeliveryKeptDays,
    daysMin: limits.webhookDeliveryKeptDays,
  },
  eventDays: { setting: 'KEEP_EVENTS_DAYS', days: limits.eventKeptDays, daysMin: limits.eventKeptDays },
  // The same time as for the records that were read. The database refuses to remove records younger than
  // three years.
  accessRecordDays: {
    setting: 'KEEP_ACCESS_RECORDS_DAYS',
    days: daysOfSixYears,
    daysMin: daysOfThreeYears,
  },
} as const satisfies Record<keyof Retention, Kind>

export function readRetention(settings: Settings): Retention {
  const days = ({ setting, days, daysMin }: Kind) => settings.whole(setting, days, daysMin, daysMax)
  return {
    requestDays: days(kinds.requestDays),
    deliveryDays: days(kinds.deliveryDays),
    eventDays: days(kinds.eventDays),
    accessRecordDays: days(kinds.accessRecordDays),
  }
}

/**
 * Rows that are never removed, with the rule that requires them and its number of years. The rules count from
 * different times (the record, the end of the account), so the service removes none of these rows.
 */
export const keptForGood: readonly {
  readonly what: string
  readonly tables: readonly string[]
  readonly years: number
  readonly source: string
}[] = [
  {
    what: 'ledgers: activity, entries, closings, balances and seals of each day',
    tables: [
      'activity',
      'entry',
      'closing',
      'sealed_balance',
      'day_seal',
      'firm_seal',
      'day_firms',
      'business_day_close',
    ],
    years: 6,
    source: '17 CFR 240.17a-4(a), of the records of 240.17a-3(a)(1) to (3) and (5)',
  },
  {
    what: 'accounts: every version, applications and their steps, documents',
    tables: [
      'account',
      'account_version',
      'account_change',
      'account_terms_version',
      'onboarding',
      'onboarding_transition',
      'document',
    ],
    years: 6,
    source: '17 CFR 240.17a-4(c) and (e)(5): after the account is closed, or the information replaced',
  },
  {
    what: 'identification of customers: screening and its decisions',
    tables: ['screening_match'],
    years: 5,
    source: '31 CFR 1023.220(a)(3)(ii)',
  },
  {
    what: 'the audit trail and its signed heads',
    tables: ['audit', 'audit_head', 'audit_signed_head', 'moved_signed_head', 'audit_proof'],
    years: 6,
    source: '17 CFR 240.17a-4(f)(2)(i)(A): as long as the records whose changes it shows',
  },
]
