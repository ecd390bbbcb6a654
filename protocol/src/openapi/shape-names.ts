/**
 * The names of shapes that several operations share, so that OpenAPI describes each shape once. They derive from the
 * exports of the modules in `shapes/` (`addressShape` is `Address`). Shapes are compared by content, since an optional
 * shape is a copy.
 */
import type { TSchema } from 'typebox'
import * as envelope from '../envelope.ts'
import * as account from '../shapes/account.ts'
import * as accountList from '../shapes/account-list.ts'
import * as address from '../shapes/address.ts'
import * as affiliation from '../shapes/affiliation.ts'
import * as beneficiary from '../shapes/beneficiary.ts'
import * as close from '../shapes/close.ts'
import * as correction from '../shapes/correction.ts'
import * as document from '../shapes/document.ts'
import * as event from '../shapes/event.ts'
import * as firm from '../shapes/firm.ts'
import * as household from '../shapes/household.ts'
import * as load from '../shapes/load.ts'
import * as main from '../shapes/main.ts'
import * as marginInterest from '../shapes/margin-interest.ts'
import * as match from '../shapes/match.ts'
import * as onboarding from '../shapes/onboarding.ts'
import * as party from '../shapes/party.ts'
import * as pendingLine from '../shapes/pending-line.ts'
import * as positionSummary from '../shapes/position-summary.ts'
import * as realizedGains from '../shapes/realized-gains.ts'
import * as request from '../shapes/request.ts'
import * as signedHead from '../shapes/signed-head.ts'
import * as status from '../shapes/status.ts'
import * as tradeActivity from '../shapes/trade-activity.ts'
import * as trustedContact from '../shapes/trusted-contact.ts'
import * as work from '../shapes/work.ts'
import { pascalCase } from './schema-json.ts'

export const shapeModules = {
  account,
  'account-list': accountList,
  address,
  affiliation,
  beneficiary,
  close,
  correction,
  document,
  event,
  firm,
  household,
  load,
  main,
  'margin-interest': marginInterest,
  match,
  onboarding,
  party,
  'pending-line': pendingLine,
  'position-summary': positionSummary,
  'realized-gains': realizedGains,
  request,
  'signed-head': signedHead,
  status,
  'trade-activity': tradeActivity,
  'trusted-contact': trustedContact,
  work,
}

function isShape(value: unknown): value is TSchema & { type: 'object'; properties: object } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'object' &&
    'properties' in value
  )
}

interface NamedShape {
  readonly name: string
  /** The shape with the description that it has wherever no other one is given. */
  readonly shape: object
}

/** The description of a shape in one place is no part of the shape. */
function keyOf(shape: object): string {
  return JSON.stringify({ ...shape, description: undefined })
}

const named = new Map<string, NamedShape>()
for (const exported of [envelope, ...Object.values(shapeModules)]) {
  for (const [name, shape] of Object.entries(exported)) {
    if (!isShape(shape) || named.has(keyOf(shape))) continue
    named.set(keyOf(shape), { name: pascalCase(name.replace(/Shape$/, '')), shape })
  }
}

/** The name of a shape, and the shape as it was exported; undefined if it has no name. */
export function findNamedShape(shape: object): NamedShape | undefined {
  return named.get(keyOf(shape))
}
