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

/** The meaning of a list of persons in new-account. */
function meaningOf(name: keyof typeof newAccountRequest.properties): string {
  const { description = '' } = newAccountRequest.properties[name] as { description?: string }
  return description
}

/** A person of the household, under a name that the caller chooses for this request. */
export const householdPersonRequest = block(
  { ...primaryOwnerRequest.properties, person: person('A name for the person, valid within this request.') },
  { ...naming(primaryOwnerRequest), description: 'A person of the household.' },
)

/** The request of new-account with references to the persons of the household. */
export const householdAccountRequest = block(
  {
    ...newAccountRequest.properties,
    primaryOwner: block(
      { ...primaryOwnerRequest.properties, ...reference },
      { ...naming(primaryOwnerRequest), description: 'The primary owner of the account.' },
    ),
    associatedParties: optional(
      list(block({ ...associatedPartyRequest.properties, ...reference }, naming(associatedPartyRequest)), {
        description: meaningOf('associatedParties'),
      }),
    ),
    beneficiaries: optional(
      list(block({ ...beneficiaryRequest.properties, ...reference }, naming(beneficiaryRequest)), {
        description: meaningOf('beneficiaries'),
      }),
    ),
    transferOfDeathBeneficiaries: optional(
      list(block({ ...todBeneficiaryRequest.properties, ...reference }, naming(todBeneficiaryRequest)), {
        description: meaningOf('transferOfDeathBeneficiaries'),
      }),
    ),
    retirementBenes: optional(
      list(
        block(
          { ...retirementBeneficiaryRequest.properties, ...reference },
          naming(retirementBeneficiaryRequest),
        ),
        { description: meaningOf('retirementBenes') },
      ),
    ),
  },
  naming(newAccountRequest),
)
