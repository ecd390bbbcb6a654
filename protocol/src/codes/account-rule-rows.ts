// What the rules of account policy do, and when: the rows of the table in `account-rules.ts`.

import type { ErrorCode } from '../errors/error-catalogue.ts'
import type { CodeRow } from './code-list.ts'
import type { FollowUpCodeRow } from './onboarding.ts'

/**
 * What a finding does. `refuse`: the request is rejected. `ask`: a follow-up is opened. `review`: operations decide.
 * `restrict`: the account is restricted. `note`: a remark that staff and the firm see; nothing waits.
 */
export type RuleEffect = 'refuse' | 'ask' | 'review' | 'restrict' | 'note'

/** When a rule is applied: to an application, to a change of an open account, by the business day. */
export type RuleMoment = 'opening' | 'change' | 'day'

export interface AccountRuleRow extends CodeRow {
  readonly area: 'Roles' | 'Tax identification' | 'Entitlements' | 'Identity' | 'Due diligence' | 'Renewals'
  /** The effect at each moment. The rule is not applied at a moment that is absent. */
  readonly effects: Readonly<Partial<Record<RuleMoment, RuleEffect>>>
  /** The milder effect in the sandbox, where names and numbers are fictitious; empty if the effect is the same. */
  readonly sandbox: RuleEffect | ''
  /** The code of the error catalogue if the effect is `refuse`. */
  readonly code: ErrorCode | ''
  /** The code of the follow-up if the effect is `ask`. */
  readonly asks: FollowUpCodeRow['value'] | ''
  /** Whether the opening waits for the answer to the follow-up. */
  readonly holdsUp: boolean
  /** The source of the rule, in one line. */
  readonly source: string
}

type Given = Omit<AccountRuleRow, 'since' | 'sandbox' | 'code' | 'asks' | 'holdsUp' | 'effects' | 'area'>

export function refused(area: AccountRuleRow['area'], code: ErrorCode, row: Given) {
  return {
    ...row,
    area,
    effects: { opening: 'refuse', change: 'refuse' } as const,
    sandbox: '' as const,
    code,
    asks: '' as const,
    holdsUp: true,
  }
}
/**
 * Refused of an application. Once the account is open it can come true by itself, such as by a move, and the record
 * must be able to say so: the change is noted, and the owners are asked what becomes of the account.
 */
export function refusedUntilOpen(code: ErrorCode, row: Given) {
  return {
    ...refused('Roles', code, row),
    effects: { opening: 'refuse', change: 'note', day: 'ask' } as const,
    asks: 'OwnerInstruction' as const,
    holdsUp: false,
  }
}
/** Requested of an application; a change that leaves open what holds up an opening is noted. */
export function asked(
  area: AccountRuleRow['area'],
  asks: FollowUpCodeRow['value'],
  holdsUp: boolean,
  row: Given,
) {
  return {
    ...row,
    area,
    effects: holdsUp ? ({ opening: 'ask', change: 'note' } as const) : ({ opening: 'ask' } as const),
    sandbox: '' as const,
    code: '' as const,
    asks,
    holdsUp,
  }
}
/** An application waits for operations, and so does a change that newly causes the finding (decision 243). */
export function reviewed(area: AccountRuleRow['area'], sandbox: 'note' | '', row: Given) {
  return {
    ...row,
    area,
    effects: { opening: 'review', change: 'review' } as const,
    sandbox,
    code: '' as const,
    asks: '' as const,
    holdsUp: true,
  }
}
/** Operations decide about an application; a change is noted. */
export function reviewedUntilOpen(area: AccountRuleRow['area'], sandbox: 'note' | '', row: Given) {
  return { ...reviewed(area, sandbox, row), effects: { opening: 'review', change: 'note' } as const }
}
/** An application waits for the answer; a change that newly causes the finding waits for operations (decision 253). */
export function askedOrReviewed(area: AccountRuleRow['area'], asks: FollowUpCodeRow['value'], row: Given) {
  return { ...asked(area, asks, true, row), effects: { opening: 'ask', change: 'review' } as const }
}
/** Requested once the account is open, and again at the close of the business day on which it is missing. */
export function askedAgain(area: AccountRuleRow['area'], asks: FollowUpCodeRow['value'], row: Given) {
  return {
    ...asked(area, asks, false, row),
    effects: { opening: 'ask', day: 'ask' } as const,
  }
}
/** Requested at the close of the business day on which it falls due. */
export function renewed(asks: FollowUpCodeRow['value'], row: Given) {
  return {
    ...asked('Renewals', asks, false, row),
    effects: { day: 'ask' } as const,
  }
}
export function noted(area: AccountRuleRow['area'], row: Given) {
  return {
    ...row,
    area,
    effects: { opening: 'note', change: 'note' } as const,
    sandbox: '' as const,
    code: '' as const,
    asks: '' as const,
    holdsUp: false,
  }
}
