/** list-firms: every firm, including the clearing firm, with its credentials, without secrets. */

import { renderCredential, renderFirm } from '../identity/render-firm.ts'
import { readCredentials } from '../store/credentials.ts'
import { readFirms } from '../store/firms.ts'
import type { Handler } from './context.ts'

export const listFirms: Handler<'list-firms'> = async (_request, { tx, parts }) => {
  const [firms, credentials] = await Promise.all([readFirms(tx), readCredentials(tx, parts.identity.now())])
  const byFirm = Map.groupBy(credentials, ({ firmId }) => firmId)
  return {
    firms: firms.map((firm) => ({
      ...renderFirm(firm),
      credentials: (byFirm.get(firm.firmId) ?? []).map(renderCredential),
    })),
  }
}
