/** Requests documents and fields from the firm, for an application that waits for a decision. */
import { codeLists } from '@clearing/protocol'
import { recordOf } from '../account/record.ts'
import { Act } from '../act/act.tsx'
import type { Choice } from '../act/field.ts'
import { plainChoices } from '../design/codes.ts'
import { pathInWords } from '../design/record-words.ts'
import { useRead } from '../reads.ts'

const askable: readonly Choice[] = codeLists.followUpCode.filter(({ kind }) => kind !== 'Review')

const ofParty = [
  'firstName',
  'lastName',
  'birthDate',
  'legalAddress',
  'email',
  'phoneNumberCell',
  'governmentIdentification',
  'occupation',
  'employerName',
  'sourceOfFunds',
  'affiliation',
]
const ofAccount = ['mailingAddress', 'electronicDelivery', 'financialProfile']

interface AskFirmProps {
  readonly accountNumber: string
  readonly notNow: string | undefined
  readonly onDone: () => void
}

export function AskFirm({ accountNumber, notNow, onDone }: AskFirmProps) {
  const { data } = useRead('get-account', { accountNumber })
  const { associatedParties = [] } = data === undefined ? {} : recordOf(data)
  return (
    <Act
      operation="request-information"
      label="Ask the firm"
      shortcut="i"
      title="Ask the firm"
      submit="Ask"
      notNow={notNow}
      explains="The application waits for the answers, and is then checked again. The firm reads the reasons, so do not write personal data."
      fields={[
        { name: 'requests[0].code', label: 'What', kind: 'choice', required: true, choices: askable },
        {
          name: 'requests[0].field',
          label: 'About',
          kind: 'choice',
          none: 'The application',
          choices: plainChoices(pathsOf(associatedParties), pathInWords),
        },
        { name: 'requests[0].reason', label: 'Reason', kind: 'long', required: true },
      ]}
      repeated={{ list: 'requests', item: 'Request', add: 'Ask for more' }}
      fixed={{ accountNumber }}
      onDone={onDone}
    />
  )
}

function pathsOf(parties: unknown): string[] {
  const others = Array.isArray(parties) ? parties.map((_, at) => `associatedParties[${at}]`) : []
  const persons = ['primaryOwner', ...others]
  return [
    ...persons.flatMap((person) => [person, ...ofParty.map((name) => `${person}.${name}`)]),
    ...ofAccount,
  ]
}
