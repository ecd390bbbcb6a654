/**
 * update-credential: sets the networks from which a credential may be used, and whether its tokens are bound to a key.
 * If a person requests it, it takes effect after the approval of a second person.
 */
import { isIP } from 'node:net'
import { type Rejection, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { type CredentialLimits, limitCredential, readMade } from '../changes/change-credential.ts'
import { asFirm } from '../changes/firm-context.ts'
import type { Tx } from '../database/transaction.ts'
import { credentialNotFound, findRepeats } from '../identity/firm-request.ts'
import { renderCredential } from '../identity/render-firm.ts'
import { readCredential, readNetworks } from '../store/credentials.ts'
import type { Handler } from './context.ts'

export const updateCredential: Handler<'update-credential'> = async (request, context) => {
  const { tx, parts } = context
  const { clientId, boundTokens } = request
  const before = await readCredential(tx, clientId, parts.identity.now())
  if (before === undefined) return credentialNotFound()
  const { rejections, addressRanges } = await readRanges(request.addressRanges, tx)
  if (rejections.length > 0) return new Rejected(rejections)
  const limited: CredentialLimits = {
    clientId,
    ...(addressRanges === undefined ? {} : { addressRanges }),
    ...(boundTokens === undefined ? {} : { boundTokens }),
  }
  const changed = [
    ...changeOf('addressRanges', before.addressRanges.join(' '), addressRanges?.join(' ')),
    ...changeOf('boundTokens', String(before.boundTokens), boundTokens?.toString()),
  ]
  if (changed.length === 0) return renderCredential(before)
  const ofFirm = await asFirm(context, before.firmId)
  const subjects = subjectsToApprove(ofFirm, ['Credentials'])
  if (subjects.length === 0) {
    const refused = await limitCredential(limited, context)
    return refused.length > 0 ? new Rejected(refused) : renderCredential(await readMade(context, clientId))
  }
  askForChange(ofFirm, {
    operation: 'update-credential',
    accountNumber: '',
    subjects,
    request: limited,
    fields: [{ field: 'clientId', before: clientId, after: clientId }, ...changed],
    reason: '',
  })
  return new Answered(renderCredential(before), {
    message: 'The change takes effect after a second person has approved it.',
  })
}

function changeOf(field: string, before: string, after: string | undefined) {
  return after === undefined || after === before ? [] : [{ field, before, after }]
}

/**
 * Parses addresses and networks. A network with bits after its prefix is rejected, because a narrower network may be
 * intended.
 */
async function readRanges(
  given: readonly string[] | undefined,
  tx: Tx,
): Promise<{ readonly rejections: readonly Rejection[]; readonly addressRanges?: readonly string[] }> {
  if (given === undefined) return { rejections: [] }
  const malformed = given.flatMap((range, at) =>
    isNetwork(range) ? [] : [reject('ERR.1016', `addressRanges[${at}]`, form)],
  )
  if (malformed.length > 0) return { rejections: malformed }
  const networks = await readNetworks(tx, given)
  const addressRanges = networks.map(({ range }) => range)
  const tooWide = networks.flatMap(({ range, exact }, at) =>
    exact
      ? []
      : [reject('ERR.1016', `addressRanges[${at}]`, `Bits after the prefix are set: ${range} has none.`)],
  )
  return { rejections: [...tooWide, ...findRepeats(addressRanges, 'addressRanges')], addressRanges }
}

const form =
  'Range must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24 with a prefix of at least 1.'

function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([0-9a-f:.]+)(?:\/([1-9]\d{0,2}))?$/i.exec(text) ?? []
  const version = isIP(address)
  // An IPv4-mapped IPv6 address would never match, because addresses of callers are read as IPv4.
  if (version === 0 || /^::ffff:/i.test(address)) return false
  return prefix === undefined || Number(prefix) <= (version === 4 ? 32 : 128)
}
