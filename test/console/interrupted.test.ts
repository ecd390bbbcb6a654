/** The console in unfinished states: a change that waits for a second person, a secret on the screen, an outage. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe } from 'node:test'
import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { signIn as signInOutside, staffPassword } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { act, button, dialog, fill, inDialog, openDesk } from './desk.ts'
import { endSession, focusWindow, goTo, scrollToEnd } from './in-page.ts'
import { screensOf } from './screens.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk

/** Longer than a list waits before it writes its position. */
const writtenWithinMs = 800
/** Longer than the client waits between attempts, so that it reports the failure at once. */
const noRetry = { 'retry-after': '60' }
const machineTalk = /failed to fetch|idempotency|[0-9a-f]{8}-[0-9a-f]{4}-/i

async function firmOf(entityNumber: string) {
  const { data } = await desk.service.operations.operations.listFirms({})
  return data.firms.find(({ entityNumbers }) => entityNumbers.includes(entityNumber))?.firmId ?? ''
}

describe('a change that waits for a second person', () => {
  browsing(
    'a credential is shown on its firm before it is approved, and the Escape key does not dismiss its secret',
    async () => {
      const admin = await as('admin')
      const principal = await as('principal')
      await admin.open(`/console/firms/${await firmOf('302')}`)
      await button(admin.page, 'Create a credential').click()
      await fill(admin.page, { Name: 'Statements' })
      await inDialog(admin.page, 'Create').click()
      const secret = await dialog(admin.page).locator('[data-secret]').innerText()
      const clientId = await dialog(admin.page).locator('.mono').first().innerText()
      for (const key of ['Escape', 'Escape', 'Enter']) await admin.page.keyboard.press(key)
      assert.equal(await dialog(admin.page).locator('[data-secret]').innerText(), secret)
      await inDialog(admin.page, 'Close').click()
      const row = admin.page.getByRole('group', { name: 'Credentials' }).locator('tr', { hasText: clientId })
      await row.getByText('Not approved yet').waitFor()
      await row.getByText('requested by admin@example.com').waitFor()
      const rotate = row.getByRole('button', { name: 'New secret…' })
      assert.equal(await rotate.getAttribute('aria-description'), 'A second person has not approved it yet.')
      const change = (await row.getByRole('link').getAttribute('href')) ?? ''
      await principal.open(change)
      await act(principal.page, 'Approve', {}, 'Approve')
      await Promise.all([admin.page.waitForResponse('**/list-changes'), admin.page.reload()])
      await row.getByText('Active').waitFor()
      assert.equal(await row.getByText('Not approved yet').count(), 0)
      await rotate.click()
      await inDialog(admin.page, 'Make it').click()
      await inDialog(admin.page, 'Close').click()
      await row.getByText('Rotate credential waits').waitFor()
    },
  )

  browsing('a requested end of a restriction is shown at the restriction', async () => {
    const accountNumber = '30100007'
    const [operator, principal] = [await as('operator'), await as('principal')]
    const restrict = async (code: string) => {
      await operator.open(`/console/accounts/${accountNumber}?tab=restrictions`)
      const fields = { Restriction: code, Reason: 'The address is in doubt' }
      await act(operator.page, 'Restrict…', fields, 'Place a restriction')
      await operator.page.locator('.page-head').getByRole('link', { name: '1 change waits' }).waitFor()
      await operator.page.getByRole('link', { name: 'Place restriction' }).first().waitFor()
      const { data } = await desk.service.operations.operations.listChanges({
        accountNumber,
        state: 'Requested',
      })
      await principal.open(`/console/changes/${data.changes[0]?.changeId}`)
      await principal.page.locator('.page-head', { hasText: /[A-Z]+ · Account 30100007/ }).waitFor()
      await act(principal.page, 'Approve', {}, 'Approve')
    }
    await restrict('ReturnedMail')
    await restrict('LegalHold')
    await operator.open(`/console/accounts/${accountNumber}?tab=restrictions`)
    const row = (words: string) =>
      operator.page.getByRole('group', { name: 'Restrictions' }).locator('tbody tr', { hasText: words })
    await row('Mail').getByRole('button', { name: 'End…' }).click()
    await dialog(operator.page).getByText('Mail came back from the address on file. It ends').waitFor()
    await fill(operator.page, { Reason: 'The owner confirmed it' })
    await inDialog(operator.page, 'End the restriction').click()
    await row('Mail').getByText('The end waits').waitFor()
    await row('Mail').getByText('requested by operator@example.com').waitFor()
    const why = await row('Mail').getByRole('button', { name: 'End…' }).getAttribute('aria-description')
    assert.equal(why, 'The end waits for a second person.')
    assert.equal(await row('egal').getByText('The end waits').count(), 0)
    await operator.page.getByRole('link', { name: 'The end waits for a second person.' }).waitFor()
  })
})

describe('an outage', () => {
  browsing('a request without a response is sent again automatically, and takes effect once', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm' })
    const keys: (string | undefined)[] = []
    const lose = async (route: Route) => {
      keys.push(route.request().headers()['idempotency-key'])
      await route.fetch()
      await route.abort('connectionreset')
    }
    await page.route('**/add-note', lose)
    await page.keyboard.press('Control+Enter')
    const alert = dialog(page).getByRole('alert')
    await alert.getByText('The request may have taken effect.').waitFor()
    assert.doesNotMatch(await alert.innerText(), machineTalk)
    assert.equal(await dialog(page).getByLabel('Note').isEditable(), false)
    await dialog(page).locator('[type=submit][aria-busy]').waitFor()
    assert.ok((await alert.isVisible()) && (await dialog(page).locator(':focus').count()) === 1)
    await page.unrouteAll({ behavior: 'wait' })
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('Called the firm').waitFor()
    assert.ok(keys.length > 1 && new Set(keys).size === 1)
    const { notes } = (await desk.service.operations.operations.listNotes({ accountNumber })).data
    assert.equal(notes.length, 1)
  })

  browsing(
    'a correction whose outcome is unknown is sent again unchanged, and takes effect once',
    async () => {
      const accountNumber = '30100004'
      const { page, open } = await as('operator')
      await open(`/console/accounts/${accountNumber}/correct`)
      const jobTitle = page.locator('input[name="primaryOwner.jobTitle"]')
      await jobTitle.fill('Lighthouse keeper')
      await page.getByLabel('Reason').fill('The owner called.')
      const sent: string[] = []
      const lose = async (route: Route) => {
        sent.push(`${route.request().headers()['idempotency-key']} ${route.request().postData()}`)
        await route.fetch()
        await route.abort('connectionreset')
      }
      await page.route('**/update-account', lose)
      await button(page, 'Send the correction').click()
      await page
        .getByText('You can send it again: the correction takes effect once.')
        .waitFor({ timeout: 90_000 })
      assert.equal(await jobTitle.isEditable(), false)
      await page.unrouteAll({ behavior: 'wait' })
      const again = page.waitForRequest('**/update-account')
      await button(page, 'Send the correction').click()
      sent.push(`${(await again).headers()['idempotency-key']} ${(await again).postData()}`)
      await page.getByText('The record is corrected').waitFor()
      assert.equal(new Set(sent).size, 1)
    },
  )

  browsing('a person who leaves a waiting form sees that its outcome is unknown', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm' })
    await page.route('**/add-note', (route) => route.abort('connectionreset'))
    await inDialog(page, 'Save').click()
    await dialog(page).getByRole('alert').waitFor()
    await inDialog(page, 'Cancel').click()
    await page.getByText('The outcome is unknown').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  browsing(
    'the screen reports the outage in plain words, and reads its data again until the service responds',
    async () => {
      const accountNumber = await waitingApplication(desk.service.alpha)
      const { page, open, context } = await as('operator')
      await open(`/console/accounts/${accountNumber}/application`)
      await context.setOffline(true)
      await page.getByRole('link', { name: `Account ${accountNumber}` }).click()
      await page.getByText('The service cannot be reached').first().waitFor()
      assert.doesNotMatch(await page.locator('#screen').innerText(), machineTalk)
      const operator = await signInOutside(desk.service, 'operator@example.com')
      await operator.call('decide-onboarding', { accountNumber, decision: 'Approved' })
      await context.setOffline(false)
      await page.getByRole('tab', { name: 'Record' }).waitFor()
      await page.getByText('The service cannot be reached').waitFor({ state: 'detached' })
      await page.getByText('Open', { exact: true }).first().waitFor()
    },
  )
})

/** The response of the service to a fault. */
const failed = {
  statusCode: 500,
  message: 'Internal error.',
  errors: [{ code: 'ERR.1003', field: '', reason: 'The service failed.' }],
  traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  hasErrors: true,
}

/** Responses of other parts of the network, with the title that the screen shows. */
const foreign = [
  { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>', title: 'The service cannot answer now' },
  { status: 403, body: '<html><h1>Forbidden</h1></html>', title: 'The response is not from the service' },
  { status: 404, body: '<html><h1>Not Found</h1></html>', title: 'The response is not from the service' },
  { status: 200, body: '', title: 'The response is not from the service' },
] as const

describe('a response that is not from the service', () => {
  browsing('is reported as such on a screen, which can be read again', async () => {
    const { page, open, close, wrongs } = await signIn('operator')
    for (const { status, body, title } of foreign) {
      await page.route(/-api\/v1\//, (route) =>
        route.fulfill({ status, contentType: 'text/html', headers: noRetry, body }),
      )
      await open('/console/accounts/30100002?tab=documents')
      const alert = page.locator('#screen [role=alert]', { hasText: title })
      const again = alert.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      assert.doesNotMatch(await alert.innerText(), /envelope|no account/)
      await page.unrouteAll({ behavior: 'wait' })
      await again.click().catch(() => {
        // The screen has read its data again by itself.
      })
      await page.getByRole('tab', { name: 'Documents' }).waitFor()
    }
    assert.deepEqual(wrongs, [])
    await close()
  })

  browsing('to the next page of a list is shown below the rows, with a button that reads it', async () => {
    const { page, open } = await as('operator')
    let asked = 0
    await page.route('**/list-audit', async (route) => {
      if (route.request().postDataJSON().after !== undefined) {
        asked += 1
        return route.fulfill({ status: 404, contentType: 'text/html', body: '<html>' })
      }
      const answer = await route.fetch()
      const { data, ...envelope } = await answer.json()
      await route.fulfill({ json: { ...envelope, data: { rows: data.rows.slice(0, 3), next: 'more' } } })
    })
    await open('/console/audit')
    const alert = page.locator('#screen [role=alert]', { hasText: 'The response is not from the service' })
    const again = alert.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await settle(page)
    const askedAtFirst = asked
    await Promise.all([page.waitForRequest('**/list-audit'), again.click()])
    await again.waitFor()
    await settle(page)
    assert.ok(askedAtFirst < 5 && asked > askedAtFirst && asked < 10, `${askedAtFirst}, ${asked}`)
    await page.unrouteAll({ behavior: 'wait' })
  })

  browsing('to the values of past months is shown in their place', async () => {
    const { page, open } = await as('operator')
    await page.route('**/position-summary', (route) =>
      route.request().postDataJSON().asOf === undefined
        ? route.continue()
        : route.fulfill({ status: 403, contentType: 'text/html', body: '<html>' }),
    )
    await open('/console/accounts/30100001?tab=positions')
    const panel = page.getByRole('region', { name: 'Value over time' })
    await panel.getByText('The response is not from the service').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByRole('img', { name: 'Account value' }).waitFor()
  })

  browsing('to a form or to the start is reported, and can be repeated', async () => {
    const { page, open } = await as('operator')
    const page403 = { status: 403, contentType: 'text/html', body: '<html>Forbidden</html>' }
    await open('/console/accounts/30100002?tab=notes')
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm' })
    await page.route('**/add-note', (route) => route.fulfill(page403))
    await inDialog(page, 'Save').click()
    await dialog(page).getByText('The response is not from the service').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.route('**/console/session', (route) => route.fulfill({ status: 200, body: '<html>' }))
    await page.goto('/console/')
    await page.getByText('The response is not from the service').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await button(page, 'Try again').click()
    await page.locator('#screen h1').waitFor()
  })
})

describe('a screen whose reads are slow', () => {
  browsing('keeps the place of the key figures of an account, so that its tabs do not move', async () => {
    const { page, visit } = await as('viewer')
    await visit('/console/')
    let send = () => {}
    const asked = new Promise<void>((resolve) => {
      send = resolve
    })
    await page.route('**/position-summary', async (route) => {
      await asked
      await route.continue()
    })
    await page.evaluate(goTo, '/console/accounts/30100002?tab=notes')
    const tab = page.getByRole('tab', { name: 'Audit' })
    const before = await tab.boundingBox()
    await page.getByRole('group', { name: 'Key figures' }).getByText('…').first().waitFor()
    send()
    await settle(page)
    await page.getByRole('group', { name: 'Key figures' }).getByText('8,').first().waitFor()
    assert.deepEqual(await tab.boundingBox(), before)
    await page.unrouteAll({ behavior: 'wait' })
  })
})

describe('a screen that is slow to load', () => {
  browsing('does not get the position of the list before it in its address', async () => {
    const { page, open, close } = await signIn('operator')
    await open('/console/audit')
    const firstRows = page.locator('.table-region[aria-label="Audit rows"]')
    await firstRows.locator('tbody tr[data-index]').first().waitFor()
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, writtenWithinMs))
      await route.continue()
    })
    await firstRows.evaluate(scrollToEnd)
    await page.evaluate(goTo, '/console/incidents')
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
    assert.doesNotMatch(page.url(), /row-/)
    await page.unrouteAll({ behavior: 'wait' })
    await close()
  })
})

describe('a screen whose reads fail', () => {
  browsing('shows no empty list, but the failure and a button that reads again', async () => {
    const { page, open, wrongs, close } = await signIn('operator')
    const id = randomUUID()
    const accountNumber = '30100002'
    const screens = screensOf({
      application: accountNumber,
      match: accountNumber,
      document: { accountNumber, documentId: id },
      changeId: id,
      firmId: id,
      loadId: id,
      corporateActionId: id,
    }).filter(({ name }) => name !== 'profile')
    await page.route(/-api\/v1\//, (route) => route.fulfill({ status: 500, headers: noRetry, json: failed }))
    const silent: string[] = []
    for (const { name, address } of screens) {
      await open(address)
      const alert = page.locator('#screen [role=alert]', { hasText: 'The service failed' }).first()
      const again = alert.getByRole('button', { name: 'Try again' })
      await again.waitFor().catch(() => silent.push(name))
    }
    assert.deepEqual(silent, [])
    await page.unrouteAll({ behavior: 'wait' })
    await open('/console/books/calls')
    await page
      .getByRole('group', { name: 'Calls of Alpha Securities' })
      .or(page.getByText('no call is open'))
      .first()
      .waitFor()
    assert.deepEqual(wrongs, [])
    await close()
  })
})

/** Follows a link to the sign-in, which opens in a new window, and signs in there. */
async function signInBeside(context: BrowserContext, link: Locator, who: string): Promise<Page> {
  const [other] = await Promise.all([context.waitForEvent('page'), link.click()])
  await signInAt(other, who)
  return other
}

async function signInAt(page: Page, who: string): Promise<void> {
  await page.fill('input[name=email]', `${who}@example.com`)
  await page.fill('input[name=password]', await staffPassword(desk.service))
  await page.click('button[type=submit]')
  await page.waitForSelector('#screen h1')
}

async function notesOf(accountNumber: string): Promise<(readonly [text: string, who: string])[]> {
  const { data } = await desk.service.operations.operations.listNotes({ accountNumber })
  return data.notes.map(({ text, writtenBy }) => [text, writtenBy] as const)
}

describe('another person who signs in in a second window', () => {
  browsing('is named in the first, which sends nothing in their name', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open, context, close } = await signIn('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'The deed is at the notary' })
    // The first window does not notice the other person before it sends.
    await page.route('**/console/session', (route) => route.abort())
    const other = await context.newPage()
    await other.goto(`${desk.service.address}/console/sign-in`)
    await signInAt(other, 'principal')
    await inDialog(page, 'Save').click()
    await dialog(page).getByText('Another person has signed in in this browser.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.evaluate(focusWindow)
    const named = page.getByRole('dialog', { name: /^You are now signed in as .+ in another window$/ })
    await named.getByText('the text that was not sent is lost').waitFor()
    assert.deepEqual(await notesOf(accountNumber), [])

    const again = await signInBeside(context, named.getByRole('link', { name: /^Sign in as / }), 'operator')
    await again.close()
    await page.evaluate(focusWindow)
    await named.waitFor({ state: 'detached' })
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(await notesOf(accountNumber), [['The deed is at the notary', 'operator@example.com']])

    await other.evaluate(focusWindow)
    await other.getByRole('button', { name: /^Go on as / }).click()
    await other.getByRole('button', { name: 'Oscar Ortiz', exact: true }).waitFor()
    await close()
  })
})

describe('a session that ended', () => {
  browsing('is renewed in another window, and the typed text is still there and is sent', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open, context, close } = await signIn('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'The deed is at the notary' })
    await page.evaluate(endSession)
    await inDialog(page, 'Save').click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    await ended.getByRole('button', { name: 'Go on' }).click()
    await ended.getByText('You are not signed in yet.').waitFor()
    const other = await signInBeside(context, ended.getByRole('link', { name: 'Sign in' }), 'operator')
    await other.close()
    await ended.getByRole('button', { name: 'Go on' }).click()
    await ended.waitFor({ state: 'detached' })
    assert.equal(await dialog(page).getByLabel('Note').inputValue(), 'The deed is at the notary')
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(await notesOf(accountNumber), [['The deed is at the notary', 'operator@example.com']])
    await close()
  })

  browsing('keeps a request whose outcome is unknown, so that it takes effect once', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open, context, close } = await signIn('operator')
    await page.clock.install()
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm' })
    await page.route('**/add-note', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await inDialog(page, 'Save').click()
    await dialog(page).getByText('The request may have taken effect.').waitFor()
    await page.evaluate(endSession)
    const refused = page.waitForResponse(
      (answer) => answer.url().endsWith('/add-note') && answer.status() === 401,
    )
    await page.unrouteAll({ behavior: 'wait' })
    // The form sends its request again after five seconds.
    await page.clock.fastForward(6_000)
    await refused
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    const other = await signInBeside(context, ended.getByRole('link', { name: 'Sign in' }), 'operator')
    await other.close()
    await ended.getByRole('button', { name: 'Go on' }).click()
    await ended.waitFor({ state: 'detached' })
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal((await notesOf(accountNumber)).length, 1)
    await close()
  })
})

describe('a page without a person', () => {
  browsing('reads changes, and does not keep its session alive', async () => {
    const { context } = await as('operator')
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`${desk.service.address}/console/work`)
    await page.getByRole('table').first().waitFor()
    const marks: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/list-work')) marks.push(request.headers()['x-clearing-background'])
    })
    const marked = async (mark: string | undefined) => {
      marks.length = 0
      await waitingApplication(desk.service.alpha)
      while (marks.length === 0) await page.waitForRequest('**/list-work')
      assert.equal(marks[0], mark)
    }
    await page.clock.fastForward('02:00')
    await marked('1')
    await page.keyboard.press('Shift')
    await marked(undefined)
    await page.close()
  })
})
