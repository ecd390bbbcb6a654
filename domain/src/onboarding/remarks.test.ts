import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reject } from '@clearing/protocol'
import { renderErrorResponses, renderRemarks } from './remarks.ts'
import {
  accepted,
  addressed,
  asked,
  askTwo,
  begin,
  created,
  ended,
  failed,
  play,
  screened,
  type Then,
  unavailable,
} from './testing/play-events.ts'

test('remarks describe the state, and errors contain only failures and corrections', () => {
  const shown = (events: Then[]) => {
    const { state } = play(events)
    return [renderRemarks(state), renderErrorResponses(state)]
  }
  assert.deepEqual(
    shown([...addressed, ended('TrustedContact', failed('No such phone.')), ended('ElectronicDelivery')]),
    [
      'The account was opened. The trusted contact could not be set up.',
      [reject('ERR.4000', 'primaryOwner.trustedContact', 'No such phone.')],
    ],
  )
  assert.deepEqual(shown([...screened, ended('AccountCreation', failed('Refused.', 'main.repCode'))]), [
    'The account creation failed: Refused.',
    [reject('ERR.4000', 'main.repCode', 'Refused.')],
  ])
  assert.deepEqual(shown([begin, ended('IdentityCheck', askTwo)]), [
    'Action required: proof of address; proof of the tax id.',
    [],
  ])
  const requests = [
    { code: 'FieldCorrection', field: 'primaryOwner.legalAddress', reason: 'A box.' },
    { code: 'AddressDocument', field: 'primaryOwner.legalAddress', reason: 'Not verified.' },
  ] as const
  const box = [begin, ended('IdentityCheck', { kind: 'asked', requests })]
  assert.deepEqual(shown(box), [
    'Action required: correction of a field; proof of address.',
    [reject('ERR.1015', 'primaryOwner.legalAddress', 'A box.')],
  ])
  assert.deepEqual(shown([...box, accepted]), ['Action required: proof of address.', []])
  const street = [...created, ended('MailingAddress', failed('No such street.', 'mailingAddress.street'))]
  assert.deepEqual(shown(street)[1], [reject('ERR.4000', 'mailingAddress.street', 'No such street.')])
  assert.deepEqual(shown([...asked, { kind: 'follow-up-answered', followUpId: 'FU-1' }]), [
    'Action required: an answer is being looked at.',
    [],
  ])
  assert.deepEqual(shown([...screened, ended('AccountCreation', unavailable)]), [
    'The account is being set up. The back end did not answer; attempt 2 is next.',
    [],
  ])
  const corrected = [...created, ended('MailingAddress', failed('No such street.')), accepted]
  assert.deepEqual(shown(corrected), ['The account is being set up.', []])
  assert.deepEqual(shown([...corrected, ended('MailingAddress')]), ['The account is being set up.', []])
})
