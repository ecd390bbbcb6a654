/**
 * get-application: the request that created an account, as it was sent, beside the record created from it. An
 * access to personal numbers is recorded.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { recordReading } from '../firm-rules/record-reading.ts'
import { compareApplication } from '../onboarding/compare-application.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { readSent } from '../store/sent-applications.ts'
import type { Handler } from './context.ts'

const notKept = reject(
  'ERR.2013',
  'accountNumber',
  'The application of this account was not stored as it was sent.',
)

export const getApplication: Handler<'get-application'> = async ({ accountNumber }, context) => {
  const { tx, parts, caller } = context
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const [kept, onboarding] = await Promise.all([
    parts.keyring.using(head.firm_id, (keys) => readSent(tx, accountNumber, keys)),
    readOnboarding(tx, accountNumber),
  ])
  if (kept === undefined) return new Rejected([notKept])
  await recordReading(context, { firmId: head.firm_id, accountNumber }, 'get-application')
  const { text, values } = compareApplication(kept, caller.scopes.has('pii:read'))
  return {
    accountNumber,
    operation: kept.operation,
    sentOn: kept.at,
    text,
    fields: [
      ...values.map(({ field, sentAs, sent, understood }) => ({ field, sentAs, sent, understood })),
      ...addedTo(new Set(values.map(({ field }) => field)), onboarding?.request),
    ],
  }
}

/** The members of the record that the request does not have: defaults, ids, and names in parts. */
function addedTo(sent: ReadonlySet<string>, record: unknown) {
  return flatten(record, '')
    .filter(([field]) => !sent.has(field))
    .map(([field, understood]) => ({ field, sentAs: '', sent: '', understood }))
}

function flatten(value: unknown, path: string): [field: string, text: string][] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value !== 'object') return [[path, String(value)]]
  if (Array.isArray(value)) {
    return value.every((one) => typeof one !== 'object')
      ? value.length === 0
        ? []
        : [[path, value.join(', ')]]
      : value.flatMap((one, at) => flatten(one, `${path}[${at}]`))
  }
  return Object.entries(value).flatMap(([name, one]) => flatten(one, path === '' ? name : `${path}.${name}`))
}
