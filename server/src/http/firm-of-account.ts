/**
 * Lets callers of the clearing firm use the operations of a client firm. The call then runs with the rights
 * and the keys of a client firm: the owner of the account in the request, or the firm in the header
 * X-Clearing-Firm. The call is recorded under the caller's own name.
 */
import { type Rejection, reject } from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import type { Pool } from '../database/pool.ts'
import type { Parts } from '../operations/parts.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId, lookUpFirmOfAccount } from '../store/firms.ts'
import type { KnownCall } from './perform.ts'

const firmHeader = 'x-clearing-firm'

/** Returns the firm of the call: the caller's own firm, except for callers of the clearing firm. */
export async function findFirmOfCall(
  call: KnownCall,
  value: unknown,
  request: FastifyRequest,
  { pools, parts }: { readonly pools: { readonly operations: Pool }; readonly parts: Parts },
): Promise<Firm | Rejection> {
  const { firm, route } = call
  if (!route.firmBound || firm.firmId !== clearingFirmId) return firm
  const named = request.raw.headers[firmHeader]
  const { accountNumber } = value as { accountNumber?: unknown }
  // For an unknown account the call stays with the clearing firm, which has no such rows, so the operation reports the
  // missing account.
  const firmId =
    typeof accountNumber === 'string'
      ? ((await lookUpFirmOfAccount(pools.operations, accountNumber)) ?? clearingFirmId)
      : typeof named === 'string'
        ? named.toLowerCase()
        : clearingFirmId
  const known = (await parts.identity.directory.current()).firms.get(firmId)
  return known?.firm ?? reject('ERR.1003', '', 'There is no firm with the id of X-Clearing-Firm.')
}
