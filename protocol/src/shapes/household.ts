/** Applications of a household: persons given once, and accounts that name them. */
import { block, list, optional, words } from '../field.ts'
import { newAccountRequest } from './account.ts'
import { beneficiaryRequest, retirementBeneficiaryRequest, todBeneficiaryRequest } from './beneficiary.ts'
import { associatedPartyRequest, primaryOwnerRequest } from './party.ts'

const personNameLengthMax = 40

const person = (description: string) => words(personNameLengthMax, { description, examples: ['ada'] })
const reference = {
  person: optional(person('Names one of `persons`; its members stand here unless they are given here.')),
}

const aliasesOf = (schema: object): Record<string, string> =>
  (schema as { 'x-aliases'?: Record<string, string> })['x-aliases'] ?? {}
const naming = <P extends { properties: object }>(schema: P) => ({ aliases: aliasesOf(schema) })

/** A person of the household, under a name of the caller's that is used in this request only. */
export const householdPersonRequest = block(
  { ...primaryOwnerRequest.properties, person: person('Your name for the person within this request.') },
  naming(primaryOwnerRequest),
)

/** What new-account takes, with persons named where they stand. */
export const householdAccountRequest = block(
  {
    ...newAccountRequest.properties,
    primaryOwner: block({ ...primaryOwnerRequest.properties, ...reference }, naming(primaryOwnerRequest)),
    associatedParties: optional(
      list(block({ ...associatedPartyRequest.properties, ...reference }, naming(associatedPartyRequest))),
    ),
    beneficiaries: optional(
      list(block({ ...beneficiaryRequest.properties, ...reference }, naming(beneficiaryRequest))),
    ),
    transferOfDeathBeneficiaries: optional(
      list(block({ ...todBeneficiaryRequest.properties, ...reference }, naming(todBeneficiaryRequest))),
    ),
    retirementBenes: optional(
      list(
        block(
          { ...retirementBeneficiaryRequest.properties, ...reference },
          naming(retirementBeneficiaryRequest),
        ),
      ),
    ),
  },
  naming(newAccountRequest),
)
