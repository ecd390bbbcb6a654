/**
 * load-location-positions: positions at depositories, custodian banks and clearing houses at the end of a business day.
 */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadLocationPositions: Handler<'load-location-positions'> = (request, context) =>
  loadBody('load-location-positions', request, context)
