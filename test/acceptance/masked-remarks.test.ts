/** Tax ids that people type into notes, reasons and other texts are not stored, and the response says so. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(() => service?.stop())

test('tax ids in notes, reasons, comments and file names are masked before they are stored', async () => {
  const { operations } = service.operations
  const note = await operations.addNote({ accountNumber, text: 'SSN 219-09-9998 confirmed' })
  assert.equal(note.data.text, 'SSN ***-**-9998 confirmed')
  assert.match(note.message, /^Request successful\. Tax ids in text were masked/)
  const placed = await operations.placeRestriction({
    accountNumber,
    restrictionCode: 'NoTrading',
    reason: 'SSN: 219099998 is wrong',
  })
  assert.match(placed.message, /in reason were masked/)
  const added = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'SSCD',
    comments: 'card of 219-09-9998',
    file: { name: 'ssn 219-09-9998.pdf', content: new Uint8Array(samplePdf()) },
  })
  assert.match(added.message, /in comments, the name of the file were masked/)
  assert.equal(added.data.displayName, 'ssn ***-**-9998.pdf')
  const webhook = await service.alpha.createWebhook({
    url: 'http://127.0.0.1:9/hook',
    description: 'For SSN 219-09-9998',
  })
  assert.match(webhook.message, /in description were masked/)
  assert.equal(webhook.data.description, 'For SSN ***-**-9998')
  const incident = await operations.openIncident({
    title: 'SSN 219-09-9998 was shown',
    text: 'It is hidden now.',
    components: ['Reading'],
    impact: 'Degraded',
    state: 'Resolved',
  })
  assert.match(incident.message, /in title were masked/)
  const plain = await operations.addNote({ accountNumber, text: 'Called 201-555-0123.' })
  assert.equal(plain.message, 'Request successful.')
  const { rows } = await service.query(`select string_agg(row, ' ') as stored from (
    select to_jsonb(n)::text as row from clearing.note n union all select to_jsonb(d)::text from clearing.document d
    union all select to_jsonb(r)::text from clearing.restriction r union all select to_jsonb(w)::text from clearing.webhook w
    union all select to_jsonb(i)::text from clearing.incident i union all select to_jsonb(a)::text from clearing.audit a
    union all select to_jsonb(e)::text from clearing.event_row e) as rows`)
  assert.match(rows[0].stored, /9998/)
  assert.doesNotMatch(rows[0].stored, /219-?09-?9998/)
})
