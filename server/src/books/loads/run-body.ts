/** Runs a load of the lines in a body (NDJSON or CSV), by the kind of the load. */
import type { LoadKind } from '../../store/load-list.ts'
import { readCsv } from '../lines/csv.ts'
import { readNdjson } from '../lines/ndjson.ts'
import { accountTermsLoader } from './account-terms.ts'
import { activityLoader } from './activity.ts'
import { announcementsLoader } from './announcements.ts'
import { heldAwayLoader } from './held-away.ts'
import { locationPositionsLoader } from './location-positions.ts'
import { fxRatesLoader, pricesLoader } from './quotes.ts'
import { type Load, type LoadAnswer, type Loader, runLoad } from './run-load.ts'
import { securitiesLoader } from './securities.ts'

const loaders = {
  'load-account-terms': accountTermsLoader,
  'load-activity': activityLoader,
  'load-corporate-actions': announcementsLoader,
  'load-fx-rates': fxRatesLoader,
  'load-held-away': heldAwayLoader,
  'load-location-positions': locationPositionsLoader,
  'load-prices': pricesLoader,
  'load-securities': securitiesLoader,
} satisfies Record<LoadKind, unknown>

/** The inputs of a load other than its lines. */
export interface BodySettings extends Omit<Load, 'loadId'> {
  readonly kind: LoadKind
  readonly format: 'ndjson' | 'csv'
}

export function runBody(
  { format, ...settings }: BodySettings,
  body: AsyncIterable<Buffer>,
): Promise<LoadAnswer> {
  const lines = format === 'csv' ? readCsv(body, settings.pace) : readNdjson(body, settings.pace)
  return runLoad<unknown>(settings, lines, loaders[settings.kind] as (load: Load) => Loader<unknown>)
}
