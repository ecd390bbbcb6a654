/** The documents of the account, each opened in the viewer; a document can be added for the firm. */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { AddDocument } from '../document/add-document.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

type Document = Answered<'get-document-details'>['documents'][number]

export const DocumentsTab = ({ accountNumber }: TabProps) => (
  <Shown
    read={useRead('get-document-details', {
      accountNumber,
      size: 100,
      sortBy: 'createdDate',
      sortMode: 'descend',
    })}
  >
    {({ documents, total }) => (
      <Panel
        title="Documents"
        note={total > documents.length ? `the latest ${documents.length} of ${total}` : `${total}`}
        flush
        acts={<AddDocument accountNumber={accountNumber} />}
      >
        <Table
          label="Documents"
          rows={documents}
          keyOf={({ documentId }) => documentId}
          empty="There is no document."
          columns={columns}
        />
      </Panel>
    )}
  </Shown>
)

const columns: readonly Column<Document>[] = [
  {
    key: 'name',
    header: 'Document',
    by: ({ displayName }) => displayName,
    cell: ({ accountNumber, documentId, displayName, fileName }) => (
      <Link to={`/accounts/${accountNumber}/documents/${documentId}`}>{displayName || fileName}</Link>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    by: ({ documentTypeName }) => documentTypeName,
    cell: ({ documentTypeName, reference }) => (
      <>
        {documentTypeName}
        <div className="quiet">{reference}</div>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    by: ({ status }) => status,
    cell: ({ status, rejectionCode }) => (
      <>
        <Status of={status} />
        {rejectionCode !== '' && <span className="quiet"> {rejectionCode}</span>}
      </>
    ),
  },
  { key: 'created', header: 'Created (US Eastern)', cell: ({ createdDate }) => createdDate },
  {
    key: 'size',
    header: 'Size',
    right: true,
    by: ({ sizeBytes }) => sizeBytes,
    cell: ({ sizeBytes }) => `${Math.ceil(sizeBytes / 1_000).toLocaleString()} kB`,
  },
]
