/**
 * Turns the context of an operations request into that of the firm that owns the account: the firm's settings and keys.
 */
import type { FirmContext } from '../firm-rules/context.ts'
import { defaultSettings, readFirm } from '../store/firms.ts'

export async function asFirm(context: FirmContext, firmId: string): Promise<FirmContext> {
  const row = await readFirm(context.tx, firmId)
  if (row === undefined) throw new Error(`there is no firm ${firmId}`)
  const { name, entityNumbers, repCodes, settings, moves, moving } = row
  const firm = {
    firmId,
    name,
    entityNumbers: new Set(entityNumbers),
    repCodes: new Set(repCodes),
    settings: { ...defaultSettings, ...settings },
    moves,
    moving,
  }
  return { ...context, firm, keys: await context.parts.keyring.load(firmId) }
}
