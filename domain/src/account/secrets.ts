/**
 * Separates the personal numbers from a record: tax ids, government id numbers and birth dates are stored encrypted,
 * and the rest in the clear. `withoutSecrets` and `withSecrets` are inverse functions.
 */
import type { AccountRecord, Beneficiary, Party } from './record.ts'

export interface PersonSecrets {
  taxIdNumber?: string
  birthDate?: string
  governmentId1?: string
  governmentId2?: string
}

/** By customer id. */
export type RecordSecrets = Record<string, PersonSecrets>

/** Splits a record into the part that is stored in the clear and the personal numbers by customerId. */
export function withoutSecrets(record: AccountRecord): { open: AccountRecord; secrets: RecordSecrets } {
  const secrets: RecordSecrets = {}
  const keep = (customerId: string | undefined, person: PersonSecrets) => {
    if (Object.keys(person).length > 0) secrets[customerId ?? ''] = person
  }
  const openParty = (party: Party): Party => {
    const { taxIdNumber, birthDate, governmentIdentification: ids, ...open } = party
    keep(party.customerId, {
      ...(taxIdNumber ? { taxIdNumber } : {}),
      ...(birthDate ? { birthDate } : {}),
      ...(ids?.governmentId1?.idNumber ? { governmentId1: ids.governmentId1.idNumber } : {}),
      ...(ids?.governmentId2?.idNumber ? { governmentId2: ids.governmentId2.idNumber } : {}),
    })
    if (!ids) return open
    const governmentIdentification = { ...ids }
    for (const which of ['governmentId1', 'governmentId2'] as const) {
      const id = governmentIdentification[which]
      if (!id) continue
      const { idNumber: _, ...rest } = id
      governmentIdentification[which] = rest
    }
    return { ...open, governmentIdentification }
  }
  const openBeneficiary = ({ taxIdNumber, birthDate, ...open }: Beneficiary): Beneficiary => {
    keep(open.customerId, { ...(taxIdNumber ? { taxIdNumber } : {}), ...(birthDate ? { birthDate } : {}) })
    return open
  }
  const open: AccountRecord = {
    ...record,
    primaryOwner: openParty(record.primaryOwner),
    associatedParties: record.associatedParties.map(openParty),
    beneficiaries: record.beneficiaries.map(openBeneficiary),
  }
  return { open, secrets }
}

/** Joins the two parts that `withoutSecrets` made. */
export function withSecrets(open: AccountRecord, secrets: RecordSecrets): AccountRecord {
  const wholeParty = (party: Party): Party => {
    const secret = secrets[party.customerId ?? '']
    if (!secret) return party
    const { governmentId1, governmentId2, ...plain } = secret
    const whole: Party = { ...party, ...plain }
    if (party.governmentIdentification) {
      const ids = { ...party.governmentIdentification }
      if (ids.governmentId1 && governmentId1)
        ids.governmentId1 = { ...ids.governmentId1, idNumber: governmentId1 }
      if (ids.governmentId2 && governmentId2)
        ids.governmentId2 = { ...ids.governmentId2, idNumber: governmentId2 }
      whole.governmentIdentification = ids
    }
    return whole
  }
  return {
    ...open,
    primaryOwner: wholeParty(open.primaryOwner),
    associatedParties: open.associatedParties.map(wholeParty),
    beneficiaries: open.beneficiaries.map((item) => ({ ...item, ...secrets[item.customerId ?? ''] })),
  }
}
