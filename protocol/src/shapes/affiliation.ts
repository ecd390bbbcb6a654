/** The affiliations of a person, in the flat form of the specification or in its extended form (Reading 3.5). */
import Type, { type TProperties } from 'typebox'
import { block, codeOrText, described, flag, flagOrText, name, optional, text, wholeName } from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'

const meanings = {
  affiliation: 'Affiliations of the person that the clearing firm must know.',
  publicCompany:
    'Whether the person is a director, 10 % shareholder or policy-making officer of a public company: `True` or `False`, or a block with the company.',
  industry:
    'Whether the person is associated with a broker-dealer, an exchange or FINRA: `True` or `False`, or a block with the company.',
  political:
    'Whether the person is a senior political figure, or a family member or close associate of one: `True` or `False`, or a block with the figure.',
  service: 'How the person is related to the clearing firm or its staff.',
  relationship: 'Relationship to the affiliated person.',
  name: 'Name of the affiliated person.',
  organization: 'Organization of the affiliation.',
  address: 'Address of the affiliation.',
}

function flagOf(description: string) {
  return flag('True', { description })
}
function textOf(description: string, lengthMax: number = limits.freeTextLengthMax) {
  return optional(text(lengthMax, { description }))
}

function affiliationBlock(properties: TProperties) {
  const associated = flagOf(
    'Whether the person has this affiliation. If true, the other fields of the block are required.',
  )
  return block({ associated: optional(associated), ...properties })
}

const relationshipLengthMax = 30
const symbolLengthMax = 10

const affiliationProperties = {
  industry: optional(
    Type.Union(
      [
        flagOf('The flag alone.'),
        affiliationBlock({
          firmClearing: optional(
            flagOrText(limits.freeTextLengthMax, { description: 'The clearing firm of the company.' }),
          ),
          companyName: textOf('Name of the company.'),
        }),
      ],
      { description: meanings.industry },
    ),
  ),
  political: optional(
    Type.Union(
      [
        flagOf('The flag alone.'),
        affiliationBlock({
          name: optional(
            wholeName(limits.freeTextLengthMax, {
              description: 'Name of the political figure. It can also be given as first and last name.',
            }),
          ),
          firstName: optional(name({ description: 'First name of the political figure.' })),
          lastName: optional(name({ description: 'Last name of the political figure.' })),
          organization: textOf('Government, party or other organization of the political figure.'),
          relationship: textOf('Relationship to the political figure.', relationshipLengthMax),
        }),
      ],
      { description: meanings.political },
    ),
  ),
  publicCompany: optional(
    Type.Union(
      [
        flagOf('The flag alone.'),
        affiliationBlock({
          name: textOf('Name of the company.'),
          symbol: textOf('Ticker symbol of the company.', symbolLengthMax),
        }),
      ],
      { description: meanings.publicCompany },
    ),
  ),
  service: optional(
    described(
      affiliationBlock({
        name: textOf('Name of the related person.'),
        position: textOf('Position of the related person.'),
        relationship: textOf('Relationship to the related person.', relationshipLengthMax),
        affiliatedEntity: textOf('Organization that the related person belongs to.'),
      }),
      meanings.service,
    ),
  ),
}

export const affiliationRequest = block(
  {
    ...affiliationProperties,
    relationship: optional(
      codeOrText('relationship', relationshipLengthMax, { description: meanings.relationship }),
    ),
    name: textOf(meanings.name),
    organization: optional(
      text(limits.freeTextLengthMax, {
        description: `${meanings.organization} Account policy asks for it, or for \`name\`, if \`industry\` or \`publicCompany\` is true.`,
      }),
    ),
    address: optional(described(addressRequest, `${meanings.address} \`stateProvince\` may be absent.`)),
  },
  { description: meanings.affiliation },
)

const openBlock = Type.Record(Type.String(), Type.String())

/** The form in which the affiliation was submitted: a flag, or a block. */
function flagOrBlock(description: string) {
  return Type.Optional(Type.Union([Type.String(), openBlock], { description }))
}

export const affiliationShape = Type.Object(
  {
    publicCompany: flagOrBlock(meanings.publicCompany),
    industry: flagOrBlock(meanings.industry),
    political: flagOrBlock(meanings.political),
    service: Type.Optional(Type.Record(Type.String(), Type.String(), { description: meanings.service })),
    relationship: Type.Optional(Type.String({ description: meanings.relationship })),
    name: Type.Optional(Type.String({ description: meanings.name })),
    organization: Type.Optional(Type.String({ description: meanings.organization })),
    address: Type.Optional(described(addressShape, meanings.address)),
  },
  { additionalProperties: false, description: meanings.affiliation },
)
