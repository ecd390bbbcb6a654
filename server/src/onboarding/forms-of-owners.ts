/**
 * The approved tax forms of an account by owner: a form is of the owner whose follow-up it answered, otherwise of the
 * primary owner, unless it may be of another party. Proofs of authority are counted.
 */
import {
  type FollowUp,
  type FormDays,
  proofsOfAuthority,
  type UnlinkedDocuments,
  type YearFacts,
} from '@clearing/domain'
import { type RenewalKind, renewalKinds } from '@clearing/protocol'
import type { FormReceived } from '../store/renewals.ts'

const primary = 'primaryOwner'

type Days = { -readonly [Name in keyof FormDays]: FormDays[Name] }

const namesOf = {
  W9: ['w9On'],
  W8BE: ['w8On'],
  'W8BEN-E': ['w8EntityOn'],
  W8IMY: ['w8FlowThroughOn'],
  // A reviewer states the day of the signature if the form lapses.
  W8EXP: ['w8FlowThroughOn'],
  // Of a person or an entity.
  W8ECI: ['w8On', 'w8EntityOn'],
  PASS: [],
  NATL: [],
} as const satisfies Record<string, readonly (keyof FormDays)[]>

function isCounted(reference: string): reference is keyof typeof namesOf {
  return Object.hasOwn(namesOf, reference)
}

export function formsOfOwners(
  forms: readonly FormReceived[],
  followUps: readonly Pick<FollowUp, 'id' | 'field'>[],
  unlinked: UnlinkedDocuments,
): FormDays & Required<Pick<YearFacts, 'formsOfJointOwners' | 'foreignEvidence'>> {
  const foreignEvidence = new Set<string>()
  const byOwner = new Map<string, Days>([[primary, noDays()]])
  for (const { reference, followUpId, countsFrom, isDated } of forms) {
    if (!isCounted(reference)) continue
    const isEvidence = reference === 'PASS' || reference === 'NATL'
    const asked = followUps.find(({ id }) => id === followUpId)?.field
    if (asked === undefined && ((reference === 'W9' && !unlinked.w9) || (isEvidence && !unlinked.evidence)))
      continue
    const field = (asked ?? primary).replace(/\.governmentIdentification.*$/, '')
    if (isEvidence) foreignEvidence.add(field)
    const days = byOwner.get(field) ?? noDays()
    byOwner.set(field, days)
    const lapses = reference === 'W8EXP' && isDated
    for (const name of lapses ? (['w8EntityOn'] as const) : namesOf[reference]) {
      const before = days[name]
      days[name] = before === undefined || before < countsFrom ? countsFrom : before
    }
  }
  return { ...(byOwner.get(primary) ?? noDays()), formsOfJointOwners: byOwner, foreignEvidence }
}

function noDays(): Days {
  return { w9On: undefined, w8On: undefined, w8EntityOn: undefined, w8FlowThroughOn: undefined }
}

/** The number of approved documents by the kind of renewal that requests them, for the kinds of authority. */
export function authoritiesShown(forms: readonly FormReceived[]): ReadonlyMap<RenewalKind, number> {
  return new Map(
    renewalKinds.map(({ value, asks }) => {
      const proofs: readonly string[] = proofsOfAuthority(asks)
      const shown = forms.filter(({ reference }) => proofs.includes(reference))
      return [value, shown.reduce((total, { count }) => total + count, 0)]
    }),
  )
}
