/**
 * The clearing firm's callers use a client firm's operations for the firm whose account the request names, or which the header
 * X-Clearing-Firm does: the request then runs in that firm's sight of the database and with its keys, under the caller's own name.
 */
import { type Rejection, reject } from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import type { Pool } from '../database/pool.ts'
import type { Parts } from '../operations/parts.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId, lookUpFirmOfAccount } from '../store/firms.ts'
import type { KnownCall } from './perform.ts'

const firmHeader = 'x-clearing-firm'

/** The firm that the call is for; the caller's own for everybody but the clearing firm. */
export const findFirmOfCall = async (
  call: KnownCall,
  value: unknown,
  request: FastifyRequest,
  { pools, parts }: { readonly pools: { readonly operations: Pool }; readonly parts: Parts },
): Promise<Firm | Rejection> => {
  const { firm, route } = call
  if (!route.firmBound || firm.firmId !== clearingFirmId) return firm
  const named = request.raw.headers[firmHeader]
  const { accountNumber } = value as { accountNumber?: unknown }
  // Of an account that does not exist the clearing firm has no rows, and its operation says so.
  const firmId =
    typeof accountNumber === 'string'
      ? ((await lookUpFirmOfAccount(pools.operations, accountNumber)) ?? clearingFirmId)
      : typeof named === 'string'
        ? named.toLowerCase()
        : clearingFirmId
  const known = (await parts.identity.directory.current()).firms.get(firmId)
  return known?.firm ?? reject('ERR.1003', '', 'There is no firm with the id of X-Clearing-Firm.')
}
