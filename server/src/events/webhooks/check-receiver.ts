/** Checks whether webhooks may be sent to an address of a request, before anything is sent. */
import { type Rejection, reject } from '@clearing/protocol'
import { type AddressPolicy, parseReceiverUrl, refuseByName } from './receiver-address.ts'

export async function checkReceiver(url: string, policy: AddressPolicy): Promise<Rejection[]> {
  const parsed = parseReceiverUrl(url, policy)
  const refused = typeof parsed === 'string' ? parsed : await refuseByName(parsed, policy)
  return refused === undefined ? [] : [reject('ERR.1015', 'url', refused)]
}
