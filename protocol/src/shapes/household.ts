/** Applications of a household: persons defined once, and accounts that name them. */
import { block, list, optional, words } from '../field.ts'
import { newAccountRequest } from './account.ts'
import { beneficiaryRequest, retirementBeneficiaryRequest, todBeneficiaryRequest } from './beneficiary.ts'
import { associatedPartyRequest, primaryOwnerRequest } from './party.ts'

const personNameLengthMax = 40

function person(description: string) {
  return words(personNameLengthMax, { description, examples: ['ada'] })
}
const reference = {
  person: optional(
    person('The name of one of `persons`. Its members apply here, except for members that are given here.'),
  ),
}

/** The other spellings of the names of a block. */
function naming(schema: object) {
  const { 'x-aliases': aliases = {}, 'x-shown-aliases': shownAliases = [] } = schema as {
    'x-aliases'?: Record<string, string>
    'x-shown-aliases'?: readonly string[]
  }
  return { aliases, shownAliases }
}

/** A person of the household, under a name that the caller chooses for this request. */
export const householdPersonRequest = block(
  { ...primaryOwnerRequest.properties, person: person('A name for the person, valid within this request.') },
  naming(primaryOwnerRequest),
)

/** The request of new-account with references to the persons of the household. */
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
