/** Corrects the tax id or the citizenship of an owner or party on an approved document, once a principal approves. */
import { documentsFor } from '@clearing/protocol'
import { Act } from '../act/act.tsx'
import type { Choice } from '../act/field.ts'
import type { RecordInForm } from '../act/use-form-draft.ts'
import { takeBackOf } from '../change/take-back.ts'
import { choicesOf } from '../design/codes.ts'
import { useRead } from '../reads.ts'
import { type Block, isBlock } from './record.ts'

const proofs: ReadonlySet<string> = new Set([
  ...documentsFor('TaxCertification'),
  ...documentsFor('ForeignIdentity'),
  ...documentsFor('EntityExistence'),
])

interface CorrectIdentityProps {
  readonly accountNumber: string
  readonly record: Block
}

export function CorrectIdentity({ accountNumber, record }: CorrectIdentityProps) {
  const { accountStatus: status } = record
  const isOpen = status === 'Open' || status === 'Restricted'
  const read = useRead('get-document-details', { accountNumber, status: 'Approved' }, { enabled: isOpen })
  const documents = (read.data?.documents ?? [])
    .filter(({ reference }) => proofs.has(reference))
    .map(({ documentId, reference, displayName }) => ({
      value: documentId,
      label: [reference, displayName].filter((part) => part !== '').join(' · '),
    }))
  return (
    <Act
      operation="correct-identity"
      label="Tax id and citizenship…"
      inAddress
      title="Correct a tax id or citizenship"
      explains="An approved tax form shows a tax id. A passport, national identity card or Form W-9 shows a citizenship, and a tax form or a certificate of incorporation the country of an entity. Each role of the person gets the values, which are screened. The change takes effect when a principal has approved it. The firm can read the reason."
      notNow={
        isOpen
          ? read.data !== undefined && documents.length === 0
            ? 'No tax form, identity document or certificate of incorporation of the account is approved.'
            : undefined
          : 'Only an open account can be changed.'
      }
      fields={[
        {
          name: 'customerId',
          label: 'Owner or party',
          kind: 'choice',
          none: 'The primary owner',
          choices: partiesOf(record),
        },
        {
          name: 'taxIdType',
          label: 'Kind of tax id',
          kind: 'choice',
          none: 'As it is',
          choices: choicesOf('taxIdType'),
        },
        { name: 'taxIdNumber', label: 'Tax id', kind: 'text' },
        {
          name: 'citizenshipCountry',
          label: 'Citizenship',
          kind: 'choice',
          none: 'As it is',
          choices: choicesOf('country'),
        },
        { name: 'documentIds', label: 'Documents', kind: 'several', required: true, choices: documents },
        { name: 'reason', label: 'Reason', kind: 'long', required: true },
      ]}
      fixed={{ accountNumber }}
      record={inForm(record)}
      undo={takeBackOf}
    />
  )
}

const replaced = ['taxIdType', 'taxIdNumber', 'citizenshipCountry'] as const

function inForm(record: Block): RecordInForm | undefined {
  const { version, primaryOwner, associatedParties } = record
  if (typeof version !== 'number') return undefined
  const parties: unknown[] = Array.isArray(associatedParties) ? associatedParties : []
  return {
    version,
    onFile: ({ customerId }) => {
      const index = parties.findIndex((party) => isBlock(party) && party.customerId === customerId)
      const [path, person] =
        index < 0 ? ['primaryOwner', primaryOwner] : [`associatedParties[${index}]`, parties[index]]
      return replaced.map((name) => ({
        name,
        path: `${path}.${name}`,
        value: isBlock(person) ? String(person[name] ?? '') : '',
      }))
    },
  }
}

function partiesOf({ associatedParties }: Block): Choice[] {
  if (!Array.isArray(associatedParties)) return []
  return associatedParties.filter(isBlock).map(({ customerId, name1, name3, role }) => ({
    value: String(customerId ?? ''),
    label: [name1, name3, role].filter(Boolean).join(' '),
  }))
}
