/** Staff find and read accounts of every firm, and see everything that waits for a decision in one inbox. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, createClient } from '@clearing/sdk'
import { startReceiver } from '../../server/src/events/webhooks/test-receiver.ts'
import { clearingFirmId } from '../../server/src/store/firms.ts'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
let viewer: PersonAtWork
let alphaAccount: string
let betaAccount: string
const alphaTaxId = newTaxId()
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
  viewer = await signIn(service, 'viewer@example.com')
  alphaAccount = await openAndFollow(
    service.alpha,
    applicationOf({ firstName: 'Ada', lastName: 'Quillfeather', taxIdNumber: alphaTaxId }),
  )
  betaAccount = await openAndFollow(
    service.beta,
    applicationOf(
      { firstName: 'Bo', lastName: 'Quillfeather', taxIdNumber: alphaTaxId },
      { entityNumber: '302', main: { repCode: 'BB01' } },
    ),
  )
})
after(() => service?.stop())

/** Reads the events of the clearing firm itself. An admin creates the credential, and a principal approves it. */
async function credentialOfTheHouse(): Promise<Client> {
  const [admin, principal] = [
    await signIn(service, 'admin@example.com'),
    await signIn(service, 'principal@example.com'),
  ]
  const asked = { firmId: clearingFirmId, name: 'Chat', scopes: ['events:read'] }
  const { clientId, clientSecret } = (await admin.call('create-credential', asked)).json.data
  const { changes } = (await principal.call('list-changes', { state: 'Requested' })).json.data
  const { changeId } = changes.find(
    ({ operation }: { operation: string }) => operation === 'create-credential',
  )
  await principal.call('decide-change', { changeId, decision: 'Approved' })
  return createClient({ baseUrl: service.address, clientId, clientSecret })
}

function numbersOf(answer: { json: { data: { accounts: { accountNumber: string }[] } } }) {
  return answer.json.data.accounts.map(({ accountNumber }) => accountNumber)
}
async function accesses(who: string, accountNumber: string) {
  return (
    await service.query(
      'select operation from clearing.access_record where client_id = $1 and account_number = $2 order by at',
      [who, accountNumber],
    )
  ).rows.map(({ operation }) => operation)
}

describe('an account of any firm', () => {
  test('is found by number, by either name, by tax id and by firm', async () => {
    const search = async (filter: object) => numbersOf(await operator.call('search-accounts', filter))
    assert.deepEqual(await search({ text: alphaAccount.slice(0, 6) }), [alphaAccount])
    assert.deepEqual(new Set(await search({ text: 'quillf' })), new Set([alphaAccount, betaAccount]))
    assert.deepEqual(await search({ text: 'bo quill' }), [betaAccount])
    assert.deepEqual(await search({ taxIdNumber: alphaTaxId, entityNumber: '301' }), [alphaAccount])
    assert.deepEqual(await search({ repCode: 'BB01', accountStatus: 'Open', text: 'quill' }), [betaAccount])
    assert.deepEqual(await search({ text: 'nobody' }), [])
    assert.deepEqual(new Set(await search({ taxIdNumber: alphaTaxId })), new Set([alphaAccount, betaAccount]))
    assert.ok((await accesses('operator@example.com', betaAccount)).includes('search-accounts'))
  })

  test('is found page by page', async () => {
    const first = await operator.call('search-accounts', { text: 'quill', size: 1 })
    const second = await operator.call('search-accounts', {
      text: 'quill',
      size: 1,
      after: first.json.data.next,
    })
    assert.deepEqual([...numbersOf(first), ...numbersOf(second)], [betaAccount, alphaAccount])
    assert.equal(second.json.data.next, '')
    assert.equal((await operator.call('search-accounts', { after: 'x' })).status, 400)
  })

  test('is read by staff as its firm reads it, with masked numbers; unmasked only with permission and a reason', async () => {
    const masked = await viewer.call('get-account', { accountNumber: betaAccount })
    assert.equal(masked.status, 200)
    assert.match(masked.json.data.primaryOwner.taxIdNumber, /^\*{5}\d{4}$/)
    assert.deepEqual(await accesses('viewer@example.com', betaAccount), [])
    const reveal = {
      'x-clearing-reveal': 'personal-numbers',
      'x-clearing-reveal-reason': 'The firm asks which number is on file',
    }
    const refused = await viewer.call('get-account', { accountNumber: betaAccount }, reveal)
    assert.equal(refused.status, 403)
    assert.match(refused.json.errors[0].reason, /role operator or principal/)
    const whole = await operator.call('get-account', { accountNumber: betaAccount }, reveal)
    assert.equal(whole.json.data.primaryOwner.taxIdNumber, alphaTaxId)
    assert.deepEqual((await accesses('operator@example.com', betaAccount)).at(-1), 'get-account')
  })

  test('shows its positions, activity and application, and one that does not exist is not found', async () => {
    for (const operation of [
      'position-summary',
      'balance-summary',
      'onboarding-result',
      'list-calls',
    ] as const) {
      assert.equal((await viewer.call(operation, { accountNumber: alphaAccount })).status, 200, operation)
      assert.equal((await viewer.call(operation, { accountNumber: betaAccount })).status, 200, operation)
    }
    assert.equal((await viewer.call('get-account', { accountNumber: '99999999' })).status, 404)
  })

  test('is closed to a program of operations without the scope', async () => {
    const answer = await service.send('/account-api/v1/get-account', {
      headers: {
        authorization: `Bearer ${await service.token('operations')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ accountNumber: alphaAccount }),
    })
    assert.equal(answer.status, 403)
  })

  test('has notes that only staff can read', async () => {
    const text = 'Called the firm; they send a <b>better</b> scan.'
    assert.equal((await viewer.call('add-note', { accountNumber: betaAccount, text })).status, 403)
    assert.equal((await operator.call('add-note', { accountNumber: betaAccount, text })).status, 200)
    const { json } = await viewer.call('list-notes', { accountNumber: betaAccount })
    assert.equal(json.data.notes[0].text, text)
    assert.equal(json.data.notes[0].writtenBy, 'operator@example.com')
  })

  test('notifies the people that a note mentions, a page at a time, until they read it', async () => {
    const mentions = ['Viewer@example.com', 'operator@example.com']
    for (const text of ['Please look.', 'And again.'])
      await operator.call('add-note', { accountNumber: betaAccount, text, mentions })
    const unknown = await operator.call('add-note', {
      accountNumber: betaAccount,
      text: 'Who?',
      mentions: ['nobody@example.com'],
    })
    assert.deepEqual([unknown.status, unknown.json.errors[0].field], [400, 'mentions[0]'])
    const { notifications, next, unread } = (await viewer.call('list-notifications', { size: 1 })).json.data
    assert.equal(unread, 2)
    const { notificationId, ...newest } = notifications[0]
    assert.deepEqual(
      [newest.kind, newest.accountNumber, newest.detail, newest.causedBy, newest.readOn],
      ['Mention', betaAccount, 'And again.', 'operator@example.com', null],
    )
    const older = (await viewer.call('list-notifications', { size: 1, after: next })).json.data
    assert.deepEqual([older.notifications[0].detail, older.next], ['Please look.', ''])
    // People are not notified of their own actions, and cannot mark another person's notifications as read.
    assert.deepEqual((await operator.call('list-notifications')).json.data.notifications, [])
    await operator.call('read-notifications', { notificationIds: [notificationId] })
    assert.equal((await viewer.call('list-notifications')).json.data.unread, 2)
    const read = await viewer.call('read-notifications', { notificationIds: [notificationId] })
    assert.equal(read.json.data.unread, 1)
    assert.equal((await viewer.call('read-notifications', {})).json.data.unread, 0)
    const { notes } = (await viewer.call('list-notes', { accountNumber: betaAccount })).json.data
    assert.deepEqual(notes[0].mentions, ['viewer@example.com', 'operator@example.com'])
  })

  test('sends the clearing firm’s webhooks the notified person, without the text', async () => {
    await using receiver = await startReceiver(() => 200)
    const house = await credentialOfTheHouse()
    await house.createWebhook({ url: receiver.url, types: ['staff.*'] })
    const note = { accountNumber: betaAccount, text: 'Call the owner', mentions: ['viewer@example.com'] }
    await operator.call('add-note', note)
    // Notifications of the tests before may still be on their way.
    const ofNote = () =>
      receiver.deliveries.find(({ event }) => (event.data as { kind?: string }).kind === 'Mention')
    await receiver.until('the notification', () => ofNote() !== undefined)
    const { event, body } = ofNote() ?? assert.fail('nothing was delivered')
    assert.equal(event.type, 'staff.notified')
    const { recipient, accountNumber, causedBy } = event.data as Record<string, string>
    assert.deepEqual(
      [recipient, accountNumber, causedBy],
      ['viewer@example.com', betaAccount, 'operator@example.com'],
    )
    assert.doesNotMatch(body, /Call the owner/)
    await viewer.call('read-notifications', {})
  })
})

describe('a saved view', () => {
  const view = { screen: '/work', name: 'Documents', search: 'queue=Document' }
  const namesFor = async (who: PersonAtWork, filter: object = {}) =>
    (await who.call('list-views', filter)).json.data.views.map(({ name, search }: Record<string, string>) => [
      name,
      search,
    ])

  test('is visible to others when it is shared, replaced under its name, and deleted only by its owner', async () => {
    const saved = (await operator.call('save-view', view)).json.data
    assert.deepEqual(await namesFor(operator), [['Documents', 'queue=Document']])
    assert.deepEqual(await namesFor(viewer), [])
    const again = { ...view, search: 'queue=Document&waiting=late', shared: true }
    assert.equal((await operator.call('save-view', again)).json.data.viewId, saved.viewId)
    assert.deepEqual(await namesFor(viewer, { screen: '/work' }), [['Documents', again.search]])
    assert.deepEqual(await namesFor(viewer, { screen: '/accounts' }), [])
    assert.equal((await viewer.call('delete-view', { viewId: saved.viewId })).status, 404)
    assert.equal((await operator.call('delete-view', { viewId: saved.viewId })).status, 200)
    assert.deepEqual(await namesFor(operator), [])
  })

  test('names a screen of the console', async () => {
    const { status, json } = await operator.call('save-view', {
      ...view,
      screen: 'https://elsewhere.example',
    })
    assert.deepEqual([status, json.errors[0].field], [400, 'screen'])
  })
})

interface Work {
  workId: string
  queue: string
  accountNumber: string
  assignedTo: string
  since: string
  subject: string
  document: { reference: string; typeName: string } | null
}

describe('the inbox', () => {
  const inbox = async (filter: object = {}, who = operator): Promise<Work[]> =>
    (await who.call('list-work', filter)).json.data.work
  let reviewed: string
  let matched: string
  before(async () => {
    reviewed = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
    matched = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000005' }))
    await service.alpha.addDocument({
      accountNumber: alphaAccount,
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      file: { name: 'bill.png', content: onePixel },
    })
  })

  test('holds applications, matches and documents, the oldest first, with their subjects', async () => {
    const work = await inbox()
    const seen = work.map(({ queue, accountNumber }) => `${queue} ${accountNumber}`)
    // An application that waits for its match is one case.
    assert.deepEqual(seen, [`Application ${reviewed}`, `Match ${matched}`, `Document ${alphaAccount}`])
    assert.deepEqual(
      [...work].sort((a, b) => (a.since < b.since ? -1 : 1)),
      work,
    )
    assert.equal(work.at(-1)?.subject, 'Identity Documents UTIL')
    assert.deepEqual(
      work.map(({ document }) => document),
      [null, null, { reference: 'UTIL', typeName: 'Identity Documents' }],
    )
  })

  test('is filtered by queue, account and age, and paged', async () => {
    assert.deepEqual(
      (await inbox({ queues: ['Match'] })).map(({ accountNumber }) => accountNumber),
      [matched],
    )
    assert.equal((await inbox({ accountNumber: matched })).length, 1)
    assert.equal((await inbox({ olderThanHours: 1 })).length, 0)
    const pages: string[] = []
    let next = ''
    do {
      const { json } = await operator.call('list-work', { size: 1, ...(next ? { after: next } : {}) })
      pages.push(...json.data.work.map(({ workId }: Work) => workId))
      next = json.data.next
    } while (next !== '')
    assert.deepEqual(
      pages,
      (await inbox()).map(({ workId }) => workId),
    )
  })

  test('is claimed by one person, shown as theirs, and assigned to another', async () => {
    const [item] = await inbox({ queues: ['Document'] })
    assert.ok(item)
    const { workId } = item
    const principal = await signIn(service, 'principal@example.com')
    const both = await Promise.all([
      operator.call('claim-work', { workIds: [workId] }),
      principal.call('claim-work', { workIds: [workId] }),
    ])
    const won = both.findIndex(({ json }) => json.data.taken.length === 1)
    const [winner, loser] = won === 0 ? [operator, principal] : [principal, operator]
    const lost = both[1 - won]?.json.data
    assert.deepEqual(lost.taken, [])
    assert.equal(lost.refused[0].reason, `The item is claimed by ${winner.email}.`)
    assert.deepEqual(
      (await inbox({ assigned: 'Mine' }, winner)).map((each) => each.workId),
      [workId],
    )
    assert.deepEqual(await inbox({ assigned: 'Mine' }, loser), [])
    assert.ok(!(await inbox({ assigned: 'Nobody' })).some((each) => each.workId === workId))
    const assign = (assignedTo: string) => operator.call('assign-work', { workIds: [workId], assignedTo })
    assert.equal((await assign('viewer@example.com')).status, 400)
    assert.equal((await assign('nobody@example.com')).status, 400)
    assert.equal((await assign(loser.email)).json.data.taken.length, 1)
    assert.equal((await inbox({ assigned: 'Mine' }, loser)).length, 1)
    assert.equal((await operator.call('assign-work', { workIds: [workId] })).json.data.taken.length, 1)
    assert.ok((await inbox({ assigned: 'Nobody' })).some((each) => each.workId === workId))
    await operator.call('update-account', {
      accountNumber: alphaAccount,
      mailingAddress: { street: '4 Corner Street' },
    })
    const [change] = await inbox({ queues: ['Change'] })
    const changes = { workIds: [change?.workId ?? ''] }
    const claimed = (await operator.call('claim-work', changes)).json.data
    assert.match(claimed.refused[0].reason, /not for the role operator/)
    const given = await principal.call('assign-work', { ...changes, assignedTo: operator.email })
    assert.match(given.json.data.refused[0].reason, /not for the role operator/)
    assert.equal((await principal.call('claim-work', changes)).json.data.taken.length, 1)
    const unknown = await operator.call('claim-work', { workIds: ['Document.none', 'x'] })
    assert.equal(unknown.json.data.refused.length, 2)
  })
})

describe('failed work', () => {
  const waiting = async (queue: string): Promise<Work[]> =>
    (await operator.call('list-work', { queues: [queue] })).json.data.work
  const settle = async (item: Work | undefined, settlement?: string) =>
    (
      await operator.call('settle-work', {
        workIds: [item?.workId ?? ''],
        reason: 'Looked at.',
        ...(settlement === undefined ? {} : { settlement }),
      })
    ).json.data
  const jobs = async () =>
    (await service.query("select attempts from graphile_worker.jobs where task_identifier = 'of-nobody'"))
      .rows

  test('a job is tried again, or abandoned', async () => {
    await service.query(
      "select graphile_worker.add_job('of-nobody', max_attempts => 5, job_key => 'of-nobody')",
    )
    const fail = () =>
      service.query(
        `update graphile_worker._private_jobs as job set attempts = 5, last_error = 'Out of order' from graphile_worker.jobs as seen
         where seen.id = job.id and seen.task_identifier = 'of-nobody'`,
      )
    await fail()
    const [job] = await waiting('Job')
    assert.deepEqual((await settle(job)).taken, [job?.workId])
    assert.deepEqual(await jobs(), [{ attempts: 0 }])
    assert.deepEqual(await waiting('Job'), [])
    await fail()
    assert.deepEqual((await settle(job, 'GiveUp')).taken, [job?.workId])
    assert.deepEqual(await jobs(), [])
    assert.equal((await settle(job)).refused.length, 1)
  })

  test('a delivery is sent again, or abandoned; the log of its firm has it with the receiver’s responses', async () => {
    let status = 500
    // The documents of the tests before are in the log, so the webhook begins after them.
    await service.eventsReported()
    await using receiver = await startReceiver(() => ({ status, body: status === 500 ? 'Out of order' : '' }))
    const { webhookId } = (await service.alpha.createWebhook({ url: receiver.url, types: ['document.*'] }))
      .data
    const add = () =>
      service.alpha.addDocument({
        accountNumber: alphaAccount,
        documentTypeName: 'Identity Documents',
        reference: 'UTIL',
        file: { name: 'bill.png', content: onePixel },
      })
    const { firmId } = (
      await service.query('select firm_id as "firmId" from clearing.account where account_number = $1', [
        alphaAccount,
      ])
    ).rows[0]
    const deliveries = async (filter: object = {}) =>
      (await operator.call('list-deliveries', filter, { 'x-clearing-firm': firmId })).json.data.deliveries
    // Cuts three days of attempts short.
    const fail = async () => {
      await until(
        () => deliveries({ webhookId, status: 'Waiting' }),
        ([last]) => last?.attempts.length > 0,
      )
      await service.query(
        "update clearing.webhook_delivery set status = 'Failed', next_attempt_at = null, ended_at = now() where status = 'Waiting' and webhook_id = $1",
        [webhookId],
      )
    }
    await add()
    await fail()
    const [failed, ...others] = await waiting('Webhook')
    assert.deepEqual(others, [])
    const [logged] = await deliveries({ deliveryId: failed?.workId.slice('Webhook.'.length) })
    assert.deepEqual([logged.webhookId, logged.status, logged.attempts[0].status], [webhookId, 'Failed', 500])
    assert.equal(logged.attempts[0].answer, 'Out of order')
    status = 200
    assert.deepEqual((await settle(failed, 'Again')).taken, [failed?.workId])
    await until(
      () => deliveries({ eventId: logged.eventId }),
      ([last]) => last.kind === 'Resend' && last.status === 'Delivered',
    )
    assert.deepEqual(await waiting('Webhook'), [])
    status = 500
    await add()
    await fail()
    const [left] = await waiting('Webhook')
    await service.alpha.updateWebhook({ webhookId, disabled: true })
    assert.match((await settle(left, 'Again')).refused[0].reason, /disabled/)
    assert.deepEqual((await settle(left, 'GiveUp')).taken, [left?.workId])
    assert.deepEqual(await waiting('Webhook'), [])
    assert.equal((await deliveries({ webhookId })).length, 3)
    await service.alpha.deleteWebhook({ webhookId })
  })

  test('a webhook is tested by an operator', async () => {
    await using receiver = await startReceiver(() => 500)
    const { webhookId } = (await service.beta.createWebhook({ url: receiver.url })).data
    const { rows } = await service.query('select firm_id from clearing.account where account_number = $1', [
      betaAccount,
    ])
    const headers = { 'x-clearing-firm': rows[0].firm_id }
    assert.equal((await viewer.call('test-webhook', { webhookId }, headers)).status, 403)
    const tried = await operator.call('test-webhook', { webhookId }, headers)
    assert.deepEqual([tried.json.data.delivered, tried.json.data.attempt.status], [false, 500])
    assert.deepEqual(await waiting('Webhook'), [])
    await service.beta.deleteWebhook({ webhookId })
  })
})

/** A PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
