/**
 * The documents of the account, each opened in the viewer, and its statements. A document can be added for the firm.
 */
import { codeLists } from '@clearing/protocol'
import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { renderOrder, useSorting } from '../design/sorting.ts'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { readEastern, Time } from '../design/time.tsx'
import { AddDocument } from '../document/add-document.tsx'
import { usePages } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { Statements } from './statements.tsx'

type Document = Answered<'get-document-details'>['documents'][number]

export function DocumentsTab({ accountNumber }: TabProps) {
  const [sorting] = useSorting('Documents')
  const { sortBy, sortMode } = renderOrder(sorting, codeLists.documentSort)
  const pages = usePages('get-document-details', 'documents', {
    accountNumber,
    sortBy: sortBy ?? 'createdDate',
    sortMode: sortMode ?? 'descend',
  })
  return (
    <Stack gap="md">
      <Panel title="Documents" flush acts={<AddDocument accountNumber={accountNumber} />}>
        <Listed
          label="Documents"
          pages={pages}
          total={pages.data?.pages[0]?.total}
          keyOf={({ documentId }) => documentId}
          empty="The account has no documents."
          columns={columns}
        />
      </Panel>
      <Statements accountNumber={accountNumber} />
    </Stack>
  )
}

const columns: readonly Column<Document>[] = [
  {
    key: 'name',
    header: 'Document',
    order: 'displayName',
    cell: ({ accountNumber, documentId, displayName, fileName }) => (
      <Link to={`/accounts/${accountNumber}/documents/${documentId}`}>{displayName || fileName}</Link>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    order: 'documentTypeName',
    cell: ({ documentTypeName, reference }) => (
      <>
        {documentTypeName}
        <div className="quiet">{labelOf('documentReference', reference)}</div>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    order: 'status',
    cell: ({ status, rejectionCode }) => (
      <>
        <Status of={status} />
        {rejectionCode !== '' && (
          <span className="quiet"> {labelOf('documentRejectionCode', rejectionCode)}</span>
        )}
      </>
    ),
  },
  {
    key: 'created',
    order: 'createdDate',
    header: 'Created',
    cell: ({ createdDate }) => <Time at={readEastern(createdDate)} />,
  },
  {
    key: 'size',
    header: 'Size',
    right: true,
    cell: ({ sizeBytes }) => `${renderCount(Math.ceil(sizeBytes / 1_000))} kB`,
  },
]
