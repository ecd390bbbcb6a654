/** Firms and credentials in the form of responses for operations. */
import type { Data } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { StoredCredential } from '../store/credentials.ts'
import { defaultSettings, type StoredFirm } from '../store/firms.ts'
import { readWebhooksSetBy } from '../store/webhooks.ts'

export function renderFirm(firm: StoredFirm): Data<'create-firm'> {
  return {
    firmId: firm.firmId,
    name: firm.name,
    entityNumbers: [...firm.entityNumbers],
    repCodes: [...firm.repCodes],
    settings: { ...defaultSettings, ...firm.settings },
    disabled: firm.disabledAt !== null,
    createdOn: firm.createdAt,
  }
}

export function renderCredential(credential: StoredCredential): Data<'update-credential'> {
  return {
    clientId: credential.clientId,
    firmId: credential.firmId,
    name: credential.name,
    scopes: [...credential.scopes],
    addressRanges: [...credential.addressRanges],
    boundTokens: credential.boundTokens,
    disabled: credential.disabledAt !== null,
    createdOn: credential.createdAt,
    secrets: credential.secrets.map(({ secretId, createdAt, expiresAt }) => ({
      secretId,
      createdOn: createdAt.toISOString(),
      expiresOn: expiresAt === null ? null : expiresAt.toISOString(),
    })),
  }
}

/** The credential with the webhooks that it set, which outlive it. */
export async function renderWithWebhooks(
  tx: Tx,
  credential: StoredCredential,
): Promise<Data<'disable-credential'>> {
  const webhooks = await readWebhooksSetBy(tx, credential.firmId, credential.clientId)
  return {
    ...renderCredential(credential),
    webhooks: webhooks.map(({ webhook_id, url, disabled_at }) => ({
      webhookId: webhook_id,
      url,
      disabled: disabled_at !== null,
    })),
  }
}
