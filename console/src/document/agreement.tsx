/** What is still to do after a margin or option agreement was approved: the approval does not change the account. */
import { documentsFor } from '@clearing/protocol'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { recordOf } from '../account/record.ts'
import { entitlementsOf, SetEntitlements } from '../account/set-entitlements.tsx'
import type { Answered } from '../client.ts'
import { Panel } from '../design/panel.tsx'
import { useAll, useRead } from '../reads.ts'

type Document = Answered<'get-document-details'>['documents'][number]

const ofMargin: ReadonlySet<string> = new Set(documentsFor('MarginAgreement'))
const ofOptions: ReadonlySet<string> = new Set(documentsFor('OptionAgreement'))

export function isAgreement({ reference }: Document): boolean {
  return ofMargin.has(reference) || ofOptions.has(reference)
}

/** Nothing while the agreement is not approved, and once the account has what it is for. */
export function AgreementToApply({ document }: { readonly document: Document }) {
  return isAgreement(document) && document.status === 'Approved' ? <StillToDo document={document} /> : null
}

function StillToDo({ document: { accountNumber, reference } }: { readonly document: Document }) {
  const { data } = useRead('get-account', { accountNumber })
  const { rows: changes } = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  if (data === undefined) return null
  const record = recordOf(data)
  const { margin, level } = entitlementsOf(record)
  const isOfMargin = ofMargin.has(reference)
  if (isOfMargin ? margin : level !== '0') return null
  const waiting = changes.find(({ operation }) => operation === 'set-entitlements')
  return (
    <Panel
      title="Still to do"
      acts={
        <SetEntitlements
          accountNumber={accountNumber}
          record={record}
          first={isOfMargin ? { marginIndicator: 'true' } : {}}
        />
      }
    >
      <Text size="sm">
        {isOfMargin
          ? 'The agreement is approved, and the account has no margin yet.'
          : 'The agreement is approved, and the account has no option level yet.'}
        {waiting !== undefined && (
          <>
            {' '}
            <Link to={`/changes/${waiting.changeId}`}>A change waits for a second person.</Link>
          </>
        )}
      </Text>
    </Panel>
  )
}
