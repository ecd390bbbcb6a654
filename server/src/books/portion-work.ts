/** The context of a step of a close: its portion of the accounts, and the transaction of the portion. */
import type { ConcentrationTier } from '@clearing/domain/market'
import type { MarginRate } from '../config/margin-rate.ts'
import type { Tx } from '../database/transaction.ts'
import type { AccountRange, DayClose } from '../store/business-day.ts'
import type { FoldsAtClose } from './folds-at-close.ts'
import type { MarketFacts } from './margin/market-facts.ts'

export interface PortionWork {
  readonly tx: Tx
  readonly close: DayClose
  readonly range: AccountRange
  readonly facts: MarketFacts
  readonly folds: FoldsAtClose
  readonly now: Date
  readonly traceId: string
  readonly marginRates: readonly MarginRate[]
  readonly concentration: readonly ConcentrationTier[]
}
