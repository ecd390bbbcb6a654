/**
 * The console in a real Chromium: signing in, the daily work on applications, documents and matches, accounts, and
 * approvals by a second person. The service's API confirms each result.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { whyNot } from '@clearing/protocol'
import { type CloudEvent, createClient } from '@clearing/sdk'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { follow, openAndFollow } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { act, button, dialog, factOf, fill, inDialog, openDesk } from './desk.ts'
import { bytesOfScriptsAndStyles, findTraces, runsInlineScripts } from './in-page.ts'
import { newPerson } from './new-person.ts'
import { waitingApplication, waitingMatch } from './waiting-work.ts'

const eventWithinMs = 180_000
const desk = openDesk()
const { as, browsing, signIn } = desk

/** The firm receives events from now on. */
async function nextEvent(accountNumber: string, type: string): Promise<CloudEvent> {
  const credential = { clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }
  const firm = createClient({ baseUrl: desk.service.address, ...credential })
  const settings = { from: 'now', signal: AbortSignal.timeout(eventWithinMs) } as const
  for await (const event of firm.events({ accountNumber, types: [type] }, settings)) return event
  return assert.fail('the stream of events ended')
}

async function stateOf(accountNumber: string) {
  return (await follow(desk.service.alpha, accountNumber)).currentState
}

describe('the navigation of a narrow window', () => {
  browsing('takes the focus only while it is open', async () => {
    const { page, close } = await signIn('viewer', { width: 400 })
    const link = page.locator('nav').getByText('Accounts')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (let tabs = 1; tabs <= 15; tabs++) {
      await page.keyboard.press('Tab')
      assert.equal(await page.locator('nav a:focus').count(), 0, `after ${tabs} presses of Tab`)
    }
    const burger = page.getByRole('button', { name: 'Navigation' })
    assert.equal(await burger.getAttribute('aria-expanded'), 'false')
    await burger.press('Enter')
    await link.waitFor()
    assert.equal(await burger.getAttribute('aria-expanded'), 'true')
    const focused = page.locator('nav a:focus', { hasText: 'Accounts' })
    for (let tabs = 0; tabs < 15 && (await focused.count()) === 0; tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await link.waitFor({ state: 'hidden' })
    await close()
  })
})

describe('signing in', () => {
  browsing('a person without a session signs in and then sees the address that they opened', async () => {
    const window = await signIn('viewer', { at: '/console/accounts' })
    assert.equal(new URL(window.page.url()).pathname, '/console/accounts')
    await window.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    assert.deepEqual(window.wrongs, [])
  })

  browsing('signing out ends the session', async () => {
    const { page } = await signIn('viewer')
    await page.locator('header button').last().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForSelector('input[name=password]')
    const answer = await page.request.get('/console/session')
    assert.equal(answer.status(), 401)
  })

  browsing('the first screen is small, its scripts are its own, and inline scripts do not run', async () => {
    const { page } = await signIn('viewer')
    const bytes = await page.evaluate(bytesOfScriptsAndStyles)
    assert.ok(bytes > 10_000 && bytes < 300_000, `${bytes} bytes of scripts and styles`)
    assert.equal(await page.evaluate(runsInlineScripts), false)
  })
})

describe('serving', () => {
  browsing('the form of the reference calls the operation, and shows the errors of a refusal', async () => {
    const { page } = await signIn('viewer')
    await page.goto(`${desk.service.address}/docs/reference/code-lists`)
    const send = async (request: string) => {
      await page.fill('textarea[name=request]', request)
      await page.click('.try-form button[type=submit]')
    }
    await send('{ "name": "scope" }')
    await page.locator('output', { hasText: /^200 in/ }).waitFor()
    assert.match((await page.textContent('.answer code')) ?? '', /"accounts:read"/)
    await send('{ "name": "no such list" }')
    await page.locator('output', { hasText: /^400 in/ }).waitFor()
    assert.match((await page.textContent('.answer code')) ?? '', /"hasErrors": true/)
    await send('{ "name": ')
    await page.locator('output', { hasText: /^The request is not JSON/ }).waitFor()
  })

  browsing(
    'assets are cached for ever and compressed, the page is read again each time, and no other file is served',
    async () => {
      const get = (path: string, headers = {}) => fetch(desk.service.address + path, { headers })
      const page = await get('/console/work')
      assert.equal(page.headers.get('cache-control'), 'no-cache')
      assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self' 'wasm-unsafe-eval';/)
      const text = await page.text()
      const asset = /\/console\/assets\/index-[\w-]+\.js/.exec(text)?.[0] ?? ''
      const packed = await get(asset, { 'accept-encoding': 'br' })
      assert.equal(packed.headers.get('content-encoding'), 'br')
      assert.match(packed.headers.get('cache-control') ?? '', /immutable/)
      assert.match(packed.headers.get('content-type') ?? '', /javascript/)
      assert.ok((await packed.text()).length > 1_000)
      for (const outside of ['..%2findex.html', '..%2F..%2Fpackage.json', '%2e%2e%2fbuild.js', 'absent.js']) {
        const answer = await get(`/console/assets/${outside}`)
        assert.equal(answer.status, 404, outside)
        await answer.body?.cancel()
      }
      const nonces = await Promise.all([get('/console/'), get('/console/')])
      const [one, other] = nonces.map((answer) => answer.headers.get('content-security-policy'))
      assert.notEqual(one, other)
    },
  )
})

describe('the day’s work', () => {
  browsing(
    'a new operator signs in, finds the waiting application, decides on it, and the firm’s event arrives',
    async () => {
      const accountNumber = await waitingApplication(desk.service.alpha)
      const arrives = nextEvent(accountNumber, 'account.opened')
      const { page, wrongs } = await signIn('operator')
      await page.getByRole('link', { name: /^Applications/ }).click()
      await page.locator('tr', { hasText: accountNumber }).getByRole('link').first().click()
      await page.getByRole('heading', { name: `Application ${accountNumber}` }).waitFor()
      await act(page, 'Approve', {}, 'Approve')
      const event = await arrives
      assert.equal(event.type, 'account.opened')
      assert.equal(await stateOf(accountNumber), 'CreationComplete')
      await page.getByRole('link', { name: `Account ${accountNumber}` }).click()
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByText('account.opened').waitFor()
      assert.deepEqual(wrongs, [])
    },
  )

  browsing('a person who decides too late sees who decided, and when', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const [operator, principal] = [await as('operator'), await as('principal')]
    for (const { open, page } of [operator, principal]) {
      await open(`/console/accounts/${accountNumber}/application`)
      await button(page, 'Approve').click()
    }
    await inDialog(principal.page, 'Approve').click()
    await dialog(principal.page).waitFor({ state: 'detached' })
    await inDialog(operator.page, 'Approve').click()
    await dialog(operator.page)
      .getByRole('alert')
      .getByText(/already decided on: Approved by principal@example\.com at \w{3} \d+, 20\d\d/)
      .waitFor()
    await inDialog(operator.page, 'Cancel').click()
    await settle(operator.page)
    const why = operator.page.locator('button[aria-description*="principal@example.com at "]')
    await why.first().waitFor()
    assert.match((await why.first().getAttribute('aria-description')) ?? '', /^It was decided by principal/)
  })

  browsing('a rejection requires a reason before it is sent, and the firm receives the reason', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Reject').click()
    await inDialog(page, 'Reject').click()
    await dialog(page).getByText('Reason is required.').waitFor()
    await fill(page, { Reason: 'Could not be identified' })
    await inDialog(page, 'Reject').click()
    await dialog(page).waitFor({ state: 'detached' })
    await open(`/console/accounts/${accountNumber}/application`)
    const decided = /^Rejected by operator@example\.com at \w{3} \d+, 20\d\d.*Could not be identified$/s
    await page.locator('dd').filter({ hasText: decided }).waitFor()
    const result = await follow(desk.service.alpha, accountNumber)
    assert.equal(result.currentState, 'Rejected')
    assert.match(result.remarks, /Could not be identified/)
  })

  browsing('the inbox is worked with keys: move, mark, claim, help, open', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application&assigned=Nobody')
    const rows = await page.locator('tbody tr[aria-selected]').count()
    assert.ok(rows > 0)
    await page.keyboard.press('?')
    await dialog(page).getByText('Claim it, or all that are marked').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    for (let move = 1; move < rows; move++) await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.locator('tbody tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    await page.keyboard.press('c')
    await page.locator('tr', { hasText: accountNumber }).waitFor({ state: 'detached' })
    const { data } = await desk.service.operations.operations.listWork({ accountNumber })
    assert.equal(data.work[0]?.assignedTo, 'operator@example.com')
    await open('/console/work?queue=Application&assigned=Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Application / }).waitFor()
  })

  browsing('new work appears in the inbox by itself', async () => {
    const { page, open } = await as('viewer')
    await open('/console/work?queue=Application&assigned=Nobody')
    const accountNumber = await waitingApplication(desk.service.alpha)
    await page.locator('tr', { hasText: accountNumber }).waitFor()
  })

  browsing('a match is cleared with a reason and an expiration date', async () => {
    const accountNumber = await waitingMatch(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/screening`)
    await page.getByText('90 of 100').waitFor()
    await act(page, 'Clear…', { Reason: 'Another person', 'Cleared until': '2031-01-31' }, 'Clear')
    const { data } = await desk.service.operations.operations.listMatches({ accountNumber })
    assert.equal(data.matches[0]?.decision, 'Cleared')
    assert.equal(data.matches[0]?.decidedBy, 'operator@example.com')
    assert.equal(data.matches[0]?.expiresOn, '2031-01-31')
    const why = await button(page, 'Clear…').getAttribute('aria-description')
    assert.match(why ?? '', /Cleared by operator@example\.com at /)
  })

  browsing(
    'an earlier decision on a person is shown at their next application, and remains in force',
    async () => {
      const listed = { firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' }
      const tax = { taxIdNumber: newTaxId() }
      const first = await waitingApplication(desk.service.alpha, { ...listed, ...tax })
      const { page, open } = await as('operator')
      await open(`/console/accounts/${first}/screening`)
      await act(page, 'Clear…', { Reason: 'Another person', 'Cleared until': '2031-01-31' }, 'Clear')
      const second = await as('principal')
      await second.open(`/console/accounts/${first}/screening`)
      await second.page.getByRole('link', { name: 'A second person is asked to clear it' }).click()
      await act(second.page, 'Approve', {}, 'Approve')
      const again = await waitingApplication(desk.service.alpha, { ...listed, ...tax })
      await open(`/console/accounts/${again}/screening`)
      assert.equal(await factOf(page, 'Decided by').innerText(), 'principal@example.com')
      assert.match(await factOf(page, 'Until').innerText(), /2031/)
      const { data } = await desk.service.operations.operations.listMatches({ accountNumber: again })
      assert.deepEqual(new Set(data.matches.map(({ decision }) => decision)), new Set(['Cleared']))
      assert.notEqual(await stateOf(again), 'ManualReview')
    },
  )

  browsing('an application cannot be approved before its match is decided', async () => {
    const accountNumber = await waitingMatch(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await page.locator('button[aria-description^="A match of a watch list is open"]').waitFor()
    await page.getByRole('link', { name: 'Screening' }).click()
    await act(page, 'Clear…', { Reason: 'Another person' }, 'Clear')
    assert.equal(await stateOf(accountNumber), 'CreationComplete')
  })

  browsing(
    'a change of an open account is shown with the match that it waits for, and takes effect',
    async () => {
      const { alpha } = desk.service
      const accountNumber = await openAndFollow(alpha, applicationOf({}))
      await alpha.updateAccount({
        accountNumber,
        primaryOwner: { trustedContact: { name: 'Dmitriy Veshnyakov' } },
      })
      const { page, open } = await as('operator')
      await open(`/console/accounts/${accountNumber}/screening`)
      const change = page.getByRole('region', { name: 'Waiting change' })
      await change.locator('ins', { hasText: 'DMITRIY VESHNYAKOV' }).waitFor()
      await act(page, 'Clear…', { Reason: 'Another person' }, 'Clear')
      await change.waitFor({ state: 'detached' })
      const { data } = await alpha.getAccount({ accountNumber })
      assert.match(JSON.stringify(data), /DMITRIY VESHNYAKOV/)
    },
  )
})

describe('an account', () => {
  browsing(
    'is found by name, and neither the address nor the browser’s storage contains the name',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/accounts')
      await page.getByLabel('Name, account number or tax id').fill('MORENO')
      await button(page, 'Find').click()
      await page.getByRole('link', { name: '30100001' }).waitFor()
      await settle(page)
      assert.doesNotMatch(await page.evaluate(findTraces), /moreno/i)
      await page.getByRole('link', { name: '30100001' }).click()
      await page.getByRole('heading', { name: /moreno/i, level: 1 }).waitFor()
      assert.doesNotMatch(await page.title(), /moreno/i)
      await page.goBack()
      await settle(page)
      assert.equal(await page.getByLabel('Name, account number or tax id').inputValue(), 'MORENO')
      await page.getByRole('link', { name: '30100001' }).waitFor()
      assert.equal(await page.getByRole('link', { name: '30100002' }).count(), 0)
      assert.doesNotMatch(await page.evaluate(findTraces), /moreno/i)
    },
  )

  browsing('shows its positions with charts, and saves its activity as CSV', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100001?tab=positions')
    await page.locator('.recharts-pie').waitFor()
    await page.locator('.recharts-area').first().waitFor()
    const { data } = await desk.service.alpha.positionSummary({ accountNumber: '30100001' })
    const shown = await factOf(page, 'Account value').innerText()
    assert.equal(Number(shown.replaceAll(',', '')), data.totalAccountValue)
    await open('/console/accounts/30100001?tab=activity')
    const csv = button(page, 'CSV of Activity')
    const [download] = await Promise.all([page.waitForEvent('download'), csv.click()])
    const text = readFileSync(await download.path(), 'utf8')
    assert.match(text, /^[^\r\n]*processDate[^\r\n]*\r\n/)
    assert.ok(text.trim().split('\r\n').length > 2)
  })

  browsing('with ten thousand lots keeps only the visible rows in the page', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100009?tab=lots')
    await page.getByText('10,000 lots').waitFor()
    assert.ok((await page.locator('tbody tr').count()) < 80)
    await page.locator('.table-region').evaluate((region) => region.scrollTo(0, region.scrollHeight))
    await page.locator('tr[aria-rowindex="10001"]').waitFor()
  })

  browsing('shows each change field by field, and the record as it was before', async () => {
    const { page, open } = await as('viewer')
    const accountNumber = '30100002'
    await desk.service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Lighthouse keeper' } })
    await open(`/console/accounts/${accountNumber}?tab=history`)
    const change = page.getByRole('region', { name: /Update account$/ }).first()
    assert.match(await change.innerText(), /by alpha · version/)
    const row = change.locator('tr', { hasText: /job title/i })
    assert.equal(await row.locator('ins').innerText(), 'LIGHTHOUSE KEEPER')
    assert.equal(await row.locator('td').nth(1).innerText(), 'empty')
    const slider = page.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    const jobTitle = page.locator('dl div', { has: page.locator('dt', { hasText: /^Job title$/ }) })
    await jobTitle.waitFor({ state: 'detached' })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('dd', { hasText: 'LIGHTHOUSE KEEPER' }).first().waitFor()
  })

  browsing('is given a document, which then waits in the inbox', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100001?tab=documents')
    await button(page, 'Add a document').click()
    const kind = dialog(page).getByLabel('Type')
    await kind.selectOption({ index: 1 })
    await fill(page, { Name: 'Letter of the owner' })
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from(samplePdf()) })
    await inDialog(page, 'Add').click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('Letter of the owner').waitFor()
    const { data } = await desk.service.alpha.getDocumentDetails({ accountNumber: '30100001' })
    assert.ok(data.documents.some(({ displayName }) => displayName === 'Letter of the owner'))
    await open('/console/work?queue=Document')
    await page.getByText('Letter of the owner').waitFor()
  })

  browsing('shows personal numbers only for a reason, which is recorded with the reader', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100001')
    const taxId = page
      .locator('dt', { hasText: /^Tax id$/ })
      .first()
      .locator('+ dd')
    assert.match(await taxId.innerText(), /^\*+\d{4}$/)
    await button(page, 'Show personal numbers…').click()
    await inDialog(page, 'Cancel').click()
    assert.match(await taxId.innerText(), /^\*+\d{4}$/)
    await button(page, 'Show personal numbers…').click()
    await inDialog(page, 'Show').click()
    await dialog(page).getByText('Reason is required.').waitFor()
    await fill(page, { Reason: 'The bank asks for it' })
    await inDialog(page, 'Show').click()
    await page
      .locator('dd', { hasText: /^\d{9}$/ })
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Audit' }).click()
    const readings = page.getByRole('region', { name: 'Readings' })
    const row = readings.getByRole('row').filter({ hasText: 'The bank asks for it' }).first()
    await row.getByText('operator@example.com').waitFor()
    const viewer = await as('viewer')
    await viewer.open('/console/accounts/30100001')
    const why = await button(viewer.page, 'Show personal numbers…').getAttribute('aria-description')
    assert.equal(why, whyNot('viewer', 'personal-numbers'))
  })
})

describe('approval by a second person', () => {
  browsing(
    'the requester of a restriction cannot approve it; a second person, at the same time, can',
    async () => {
      const accountNumber = '30100008'
      const operator = await as('operator')
      const principal = await as('principal')
      await operator.open(`/console/accounts/${accountNumber}`)
      await act(
        operator.page,
        'Restrict…',
        { Restriction: 'ReturnedMail', Reason: 'The address is in doubt' },
        'Place a restriction',
      )
      const status = async () => {
        const { data } = await desk.service.alpha.getAccount({ accountNumber })
        return 'accountStatus' in data ? data.accountStatus : ''
      }
      assert.equal(await status(), 'Open')
      const { data } = await desk.service.operations.operations.listChanges({ accountNumber })
      const changeId = data.changes[0]?.changeId
      await operator.open(`/console/changes/${changeId}`)
      const why = await button(operator.page, 'Approve').getAttribute('aria-description')
      assert.match(why ?? '', /another person|needs the role/i)
      await principal.open(`/console/changes/${changeId}`)
      await principal.page.getByText('operator@example.com').first().waitFor()
      await act(principal.page, 'Approve', {}, 'Approve')
      assert.equal(await status(), 'Restricted')
      await operator.open(`/console/accounts/${accountNumber}?tab=restrictions`)
      const asked = operator.page.getByRole('region', { name: 'Change requests' }).getByRole('row')
      const row = asked.filter({ hasText: 'The address is in doubt' })
      await row.getByText('principal@example.com').waitFor()
      // The service's error stands at its field.
      await operator.open(`/console/accounts/${accountNumber}`)
      await button(operator.page, 'Restrict…').click()
      await fill(operator.page, { Restriction: 'ReturnedMail', Reason: 'Once more' })
      await inDialog(operator.page, 'Place a restriction').click()
      await dialog(operator.page).getByText('A restriction with this code is in force already.').waitFor()
      const field = dialog(operator.page).getByLabel('Restriction')
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.equal(await dialog(operator.page).getByLabel('Reason').inputValue(), 'Once more')
      await inDialog(operator.page, 'Cancel').click()
    },
  )

  browsing('when two people approve at once, one succeeds and the other sees who did', async () => {
    const accountNumber = '30100008'
    const { operations } = desk.service.operations
    const principal = await as('principal')
    const chosen = await newPerson(desk.service, 'petra@example.com', 'principal')
    const second = await signIn('petra@example.com', { password: chosen })
    const operator = await as('operator')
    await operator.open(`/console/accounts/${accountNumber}`)
    await act(
      operator.page,
      'Restrict…',
      { Restriction: 'LegalHold', Reason: 'A court asked for it' },
      'Place a restriction',
    )
    const { data } = await operations.listChanges({ accountNumber, state: 'Requested' })
    const both = [principal, second]
    for (const { page, open } of both) {
      await open(`/console/changes/${data.changes[0]?.changeId}`)
      await button(page, 'Approve').click()
    }
    await Promise.all(both.map(({ page }) => inDialog(page, 'Approve').click()))
    const refusals = both.map(({ page }) =>
      dialog(page)
        .getByText(/It was decided already: Approved by (principal|petra)@example\.com on \w{3} \d+, 20/)
        .waitFor(),
    )
    await Promise.any(refusals)
    const { data: after } = await operations.listRestrictions({ accountNumber })
    const placed = after.restrictions.filter(({ restrictionCode }) => restrictionCode === 'LegalHold')
    assert.equal(placed.length, 1)
  })
})

describe('typed text', () => {
  browsing('stays when the connection is lost, and is sent once when it is back', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open, context } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm\nabout\tthe address' })
    await context.setOffline(true)
    await inDialog(page, 'Save').click()
    await dialog(page).getByRole('alert').waitFor()
    assert.equal(await dialog(page).getByLabel('Note').inputValue(), 'Called the firm\nabout\tthe address')
    await context.setOffline(false)
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    const { data } = await desk.service.operations.operations.listNotes({ accountNumber })
    assert.equal(data.notes.length, 1)
    assert.equal(data.notes[0]?.text, 'Called the firm about the address')
  })
})
