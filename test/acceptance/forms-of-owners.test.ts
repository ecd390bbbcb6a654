// Documents without a follow-up, of an account with several parties.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountRecord, fallsDue, unlinkedDocumentsOf } from '@clearing/domain'
import { formsOfOwners } from '../../server/src/onboarding/forms-of-owners.ts'
import type { FormReceived } from '../../server/src/store/renewals.ts'
import { applicationFor } from './applications.ts'

const none: ReadonlySet<string> = new Set()

/** A foreign owner, and a joint owner of a country. */
function jointly(country?: string): AccountRecord {
  const record = applicationFor('IndividualJointForeign') as unknown as AccountRecord
  const party = { ...record.primaryOwner, customerId: '2', role: 'Secondary', citizenshipCountry: country }
  const primaryOwner = { ...record.primaryOwner, customerId: '1' }
  return {
    ...record,
    primaryOwner,
    associatedParties: country === undefined ? [] : [party],
  } as unknown as AccountRecord
}

const followUps = [{ id: 'FU-1', field: 'primaryOwner' }]
const openedOn = '2026-11-20'

function dueWith(
  record: AccountRecord,
  ...given: [reference: string, countsFrom: string, followUpId?: string][]
) {
  const forms: FormReceived[] = given.map(([reference, countsFrom, followUpId = null]) => ({
    reference,
    countsFrom,
    followUpId,
    count: 1,
    isDated: true,
  }))
  const facts = {
    openedOn,
    ...formsOfOwners(forms, followUps, unlinkedDocumentsOf(record, none)),
    ofAgeAnswers: 0,
    residenceAtTransfer: undefined,
    magicTaxIds: none,
    usAddressSince: new Map([['primaryOwner', '2027-03-04']]),
  }
  return fallsDue(record, facts)
    .filter(({ field }) => field === 'primaryOwner')
    .map(({ kind, fallsOn }) => `${kind} ${fallsOn}`)
}

const signed: [string, string, string] = ['W8BE', '2027-03-04', 'FU-1']
const form = 'W8Certification 2031-01-01'
const evidence = 'ForeignStatusEvidence 2027-03-04'

test('a Form W-9 ends the foreign status of the first owner only if no other owner certifies on it', () => {
  const later: [string, string] = ['W9', '2027-03-05']
  assert.deepEqual(dueWith(jointly('US'), signed, later), [form, evidence])
  assert.deepEqual(dueWith(jointly('FR'), signed, later), [])
  assert.deepEqual(dueWith(jointly(), signed, later), [])
  // Linked to the follow-up of the first owner.
  assert.deepEqual(dueWith(jointly('US'), signed, ['W9', '2027-03-05', 'FU-1']), [])
})

test('a passport is evidence of the foreign status of the first owner only if the account has no other party', () => {
  assert.deepEqual(dueWith(jointly(), signed, ['PASS', '2027-03-05']), [form])
  for (const country of ['US', 'FR'])
    assert.deepEqual(dueWith(jointly(country), signed, ['PASS', '2027-03-05']), [form, evidence])
  assert.deepEqual(dueWith(jointly('US'), signed, ['NATL', '2027-03-05', 'FU-1']), [form])
})
