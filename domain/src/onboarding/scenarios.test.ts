/** The scenarios as `list-scenarios` returns them: each step, and the operations that show the result. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@clearing/protocol'
import { scenarios } from './scenarios.ts'

/**
 * Columns: the name, the selected stage and its outcome, each step with its resulting state, and the operations that
 * show the result.
 */
const table: [name: string, decides: string, steps: string[], lookAt: string][] = [
  ['opens', '', ['submit CreationComplete'], 'onboarding-result get-account list-events'],
  ['identity-rejected', 'IdentityCheck failed', ['submit Rejected'], 'onboarding-result list-events'],
  [
    'address-document',
    'IdentityCheck asked AddressDocument primaryOwner.legalAddress',
    ['submit ActionRequired', 'add-document UTIL ActionRequired', 'decide-document CreationComplete'],
    'onboarding-result get-account list-events get-document-details',
  ],
  [
    'identity-document',
    'IdentityCheck asked IdentityDocument primaryOwner',
    ['submit ActionRequired', 'add-document PASS ActionRequired', 'decide-document CreationComplete'],
    'onboarding-result get-account list-events get-document-details',
  ],
  [
    'manual-review',
    'IdentityCheck referred IdentityReview',
    ['submit ManualReview', 'decide-onboarding CreationComplete'],
    'onboarding-result get-account list-events',
  ],
  [
    'watch-list-match',
    'WatchlistCheck referred WatchlistReview',
    ['submit ManualReview', 'decide-match CreationComplete'],
    'onboarding-result get-account list-events list-matches',
  ],
  [
    'tax-id-document',
    'IdentityCheck asked TaxIdDocument primaryOwner.taxIdNumber',
    ['submit ActionRequired', 'add-document SSCD ActionRequired', 'decide-document CreationComplete'],
    'onboarding-result get-account list-events get-document-details',
  ],
  [
    'trusted-contact-fails',
    'TrustedContact failed',
    ['submit CreationComplete'],
    'onboarding-result get-account list-events',
  ],
  [
    'back-end-times-out',
    'AccountCreation unavailable, unavailable, succeeded',
    ['submit CreationComplete'],
    'onboarding-result get-account list-events',
  ],
  [
    'creation-fails',
    'AccountCreation failed The account system refused the account.',
    ['submit CreationFailed'],
    'onboarding-result list-events',
  ],
  [
    'document-rejected',
    'IdentityCheck asked IdentityDocument primaryOwner',
    [
      'submit ActionRequired',
      'add-document PASS ActionRequired',
      'add-document DRLC ActionRequired',
      'decide-document CreationComplete',
    ],
    'onboarding-result get-account list-events get-document-details',
  ],
  [
    'listed-name',
    '',
    ['submit ManualReview', 'decide-match CreationComplete'],
    'onboarding-result get-account list-events list-matches',
  ],
  ['slow', '', ['submit Screening'], 'onboarding-result get-clock list-events'],
]

function renderDecision({ decides }: (typeof scenarios)[number]): string {
  if (decides === undefined) return ''
  const outcomes = decides.outcomes.map((outcome) => {
    switch (outcome.kind) {
      case 'asked':
        return ['asked', ...outcome.requests.map(({ code, field }) => `${code} ${field}`)].join(' ')
      case 'referred':
        return `referred ${outcome.code}`
      case 'failed':
        return ['failed', ...outcome.errors.map(({ field, reason }) => field + reason)].join(' ')
      default:
        return outcome.kind
    }
  })
  return `${decides.stage} ${outcomes.join(', ')}`
}

for (const [name, decides, steps, lookAt] of table) {
  test(`the scenario ${name} has its listed steps and results`, () => {
    const scenario = scenarios.find((one) => one.name === name) ?? assert.fail('the scenario is missing')
    assert.equal(renderDecision(scenario), decides)
    assert.deepEqual(
      scenario.steps.map(({ does, reference, reaches }) =>
        [does, reference, reaches].filter(Boolean).join(' '),
      ),
      steps,
    )
    assert.equal(scenario.lookAt.join(' '), lookAt)
  })
}

test('every scenario is in the table, and names only existing operations', () => {
  assert.deepEqual(
    scenarios.map(({ name }) => name),
    table.map(([name]) => name),
  )
  for (const { lookAt } of scenarios) for (const name of lookAt) assert.ok(name in operations, name)
})

test('the reason of a requested document names what could not be verified', () => {
  const reasons = scenarios.flatMap(({ decides }) =>
    (decides?.outcomes ?? []).flatMap((outcome) =>
      outcome.kind === 'asked' ? outcome.requests.map(({ code, reason }) => `${code}: ${reason}`) : [],
    ),
  )
  assert.deepEqual(
    [...new Set(reasons)],
    [
      ['AddressDocument', 'address'],
      ['IdentityDocument', 'identity'],
      ['TaxIdDocument', 'tax id'],
    ].map(([code, what]) => `${code}: The ${what} could not be verified; a document is needed.`),
  )
})

test('the name in the scenario of the watch list is on the fictitious list', () => {
  const { owner } = scenarios.find(({ name }) => name === 'listed-name') ?? assert.fail()
  assert.deepEqual(owner, { firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' })
})
