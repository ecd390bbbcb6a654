/** reset: restores the state after the first start. */
import { reject } from '@clearing/protocol'
import { restore } from '../sandbox/snapshot-request.ts'
import { firstSnapshot } from '../sandbox/snapshots.ts'
import type { Handler } from './context.ts'

const absent = reject(
  'ERR.2013',
  '',
  'This sandbox was created by a release without snapshots; start a new one with another data folder.',
)

export const reset: Handler<'reset'> = (_request, context) => restore('reset', firstSnapshot, context, absent)
