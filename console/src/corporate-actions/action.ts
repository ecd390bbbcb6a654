/** A corporate action and its options as the service returns them, and where they are shown. */
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'

export type Action = Answered<'list-corporate-actions'>['corporateActions'][number]
export type Option = Action['options'][number]
export type Entitlement = Answered<'list-action-entitlements'>['entitlements'][number]

/** An id can contain any character, so that it is not part of the path. */
export const actionAddress = '/books/corporate-actions/action'

/** Whether holders choose between options. */
export function isElective({ deadline }: Pick<Action, 'deadline'>): boolean {
  return deadline !== ''
}

type Titled = Pick<Action, 'type' | 'symbol'> & Partial<Pick<Action, 'secNo'>>

/** `Cash dividend of ANCR` */
export function titleOf({ type, symbol, secNo = '' }: Titled): string {
  return `${labelOf('corporateActionType', type)} of ${symbol || secNo}`
}
