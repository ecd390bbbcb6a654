/** A document beside the data on file, to be approved or rejected with a code. */
import { Stack } from '@mantine/core'
import { useNamedAccount } from '../account/named.ts'
import { flatten, recordOf } from '../account/record.ts'
import { inOrder } from '../account/record-sections.ts'
import { usePart } from '../address.ts'
import { labelOf } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Day, readEastern, Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { ClaimedBy } from '../work/claimed-by.tsx'
import { NextItem } from '../work/next-item.tsx'
import { AgreementToApply } from './agreement.tsx'
import { DecideDocument } from './decide-document.tsx'
import { Viewer } from './viewer.tsx'

export function DocumentScreen() {
  const accountNumber = usePart('accountNumber')
  const documentId = usePart('documentId')
  const named = useNamedAccount(accountNumber)
  const documents = useRead('get-document-details', { accountNumber, documentId })
  return (
    <Shown read={documents} rows={10} failedPage={{ title: 'Document' }}>
      {(data) => {
        const [document] = data.documents
        if (document === undefined) {
          return (
            <Page title="Document">
              <Empty what="There is no such document." />
            </Page>
          )
        }
        return (
          <Page
            title={document.displayName || document.fileName}
            windowTitle={`Document of ${accountNumber}`}
            subject={`${document.displayName || document.fileName} · ${named}`}
            note={`${document.documentTypeName} · ${labelOf('documentReference', document.reference)}`}
            above={[
              { label: 'Work', to: '/work' },
              { label: `Account ${accountNumber}`, to: `/accounts/${accountNumber}` },
            ]}
            badge={<Status of={document.status} />}
            acts={
              <>
                <ClaimedBy queue="Document" accountNumber={accountNumber} itemId={documentId} />
                <NextItem queue="Document" itemId={documentId} />
                <DecideDocument document={document} />
              </>
            }
          >
            <div className="beside">
              <Panel title="Document" flush>
                <Viewer accountNumber={accountNumber} documentId={documentId} />
              </Panel>
              <Stack gap="md">
                <AgreementToApply document={document} />
                <OnFile accountNumber={accountNumber} />
                <Panel title="File">
                  <Facts
                    facts={[
                      ['Uploaded', <Time key="uploaded" at={readEastern(document.createdDate)} />],
                      ['Changed', <Time key="changed" at={readEastern(document.updatedDate)} />],
                      ...(document.comments === '' ? [] : [['Comments', document.comments] as const]),
                      ['File name', document.fileName],
                      ['Kind', kinds[document.mediaType] ?? document.mediaType],
                      ['Size', `${renderCount(document.sizeBytes)} bytes`],
                      ...(document.signedOn === ''
                        ? []
                        : [['Signed on', <Day key="signed" on={document.signedOn} />] as const]),
                      ...(document.rejectionCode === ''
                        ? []
                        : [
                            [
                              'Rejected for',
                              labelOf('documentRejectionCode', document.rejectionCode),
                            ] as const,
                          ]),
                      [
                        'SHA-256',
                        <span key="sha" className="mono">
                          {document.sha256}
                        </span>,
                      ],
                    ]}
                  />
                </Panel>
              </Stack>
            </div>
          </Page>
        )
      }}
    </Shown>
  )
}

const kinds: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/tiff': 'TIFF',
}

/** The data to compare with a document of identity or address. */
const compared =
  /name|birth|address|street|city|state|postal|zip|country|taxId|governmentId|idNumber|idType|expir/i

function OnFile({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <Panel title="On file" note="the persons of the account">
      <Shown read={useRead('get-account', { accountNumber })}>
        {(data) => {
          const { primaryOwner, associatedParties, mailingAddress } = inOrder(recordOf(data))
          const values = flatten({ primaryOwner, associatedParties, mailingAddress }).filter(([path]) =>
            compared.test(path),
          )
          return (
            <Facts
              facts={values.map(([path, value]) => [pathInWords(path), valueInWords(path, value)] as const)}
            />
          )
        }}
      </Shown>
    </Panel>
  )
}
