/** Makes the objects that the addresses of all screens name: waiting work, a change, a firm, a load. */
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { signIn } from '../acceptance/person.ts'
import type { RunningService } from '../acceptance/running-service.ts'
import type { Shown } from './screens.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

export async function makeShown(service: RunningService): Promise<Shown> {
  const { operations } = service.operations
  const { data: firms } = await operations.listFirms({})
  const operator = await signIn(service, 'operator@example.com')
  await operator.call('place-restriction', {
    accountNumber: '30100008',
    restrictionCode: 'ReturnedMail',
    reason: 'The address is in doubt',
  })
  const principal = await signIn(service, 'principal@example.com')
  await principal.call('add-note', {
    accountNumber: '30100002',
    text: 'The owner promised a transfer by Friday. Please look at the call again then.',
    mentions: ['operator@example.com'],
  })
  const { data: changes } = await operations.listChanges({})
  const { data: load } = await operations.loadPrices({ lines: { ndjson: [{ symbol: 'NOSUCH' }] } })
  return {
    application: await waitingApplication(service.alpha),
    match: await waitingMatch(service.alpha),
    document: await waitingDocument(service.alpha, { name: 'bill.pdf', content: samplePdf() }),
    changeId: changes.changes[0]?.changeId ?? '',
    firmId: firms.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? '',
    loadId: load.loadId,
  }
}
