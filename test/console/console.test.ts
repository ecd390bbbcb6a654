/**
 * The console in a real Chromium: what a person of operations does on each screen, seen through the service's API. One service and
 * one browser for all; where the machine has no Chromium the tests say so and are skipped.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, type TestContext, test } from 'node:test'
import { mayCall, permissions, type StaffRole, whyNot } from '@clearing/protocol'
import { createClient } from '@clearing/sdk'
import type { Browser, Page } from 'playwright-core'
import {
  sampleBmp,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleTiff,
} from '../../server/src/documents/inspect/sample-files.ts'
import { follow } from '../acceptance/calling.ts'
import { staffPassword } from '../acceptance/person.ts'
import { type RunningService, startRunningService } from '../acceptance/running-service.ts'
import { openBrowser, openWindow, settle, type Window, type WindowSettings } from './browser.ts'
import { buildConsole } from './built-console.ts'
import {
  bytesOfScriptsAndStyles,
  callEach,
  findAlerts,
  findSeriousIssues,
  findTooWide,
  findTraces,
  isDrawnUpon,
  runsInlineScripts,
} from './in-page.ts'
import { type Screen, type Shown, screensOf } from './screens.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const withoutBrowser = 'there is no Chromium on this machine'
const narrowPx = 400
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser | undefined
let service: RunningService
let password: string
const windows: Window[] = []

before(async () => {
  browser = await openBrowser()
  if (browser === undefined) return
  buildConsole()
  service = await startRunningService({ withAccounts: true })
  password = await staffPassword(service)
})
after(async () => {
  for (const window of windows) await window.close()
  await browser?.close()
  await service?.stop()
})

/** Skips, or goes on with a browser. */
const browsing = (name: string, run: (context: TestContext) => Promise<void>) =>
  test(name, async (context) => {
    if (browser === undefined) return context.skip(withoutBrowser)
    await run(context)
  })

const signIn = async (role: StaffRole, settings: Partial<WindowSettings> = {}): Promise<Window> => {
  assert.ok(browser)
  const { address } = service
  const window = await openWindow(browser, { address, email: `${role}@example.com`, password, ...settings })
  windows.push(window)
  return window
}

/** One window for each role, kept for all tests. */
const kept = new Map<string, Promise<Window>>()
const as = (role: StaffRole): Promise<Window> => {
  const window = kept.get(role) ?? signIn(role)
  kept.set(role, window)
  return window
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

/** Presses a button, fills its dialog, sends it, and waits until the dialog is gone. */
const act = async (page: Page, name: string, fields: Record<string, string>, submit: string) => {
  await button(page, name).first().click()
  await fill(page, fields)
  await inDialog(page, submit).click()
  await dialog(page).waitFor({ state: 'detached' })
  await settle(page)
}

/** The value beside a label. */
const factOf = (page: Page, label: string) => page.locator('dt', { hasText: label }).first().locator('+ dd')

const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label)
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

const stateOf = async (accountNumber: string) => (await follow(service.alpha, accountNumber)).currentState

describe('getting in', () => {
  browsing('whoever is not signed in is asked to, and comes back to the address they wanted', async () => {
    const window = await signIn('viewer', { at: '/console/accounts' })
    assert.equal(new URL(window.page.url()).pathname, '/console/accounts')
    await window.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    assert.deepEqual(window.wrongs, [])
  })

  browsing('who signs out is out', async () => {
    const { page } = await signIn('viewer')
    await page.locator('header button').last().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForSelector('input[name=password]')
    const answer = await page.request.get('/console/session')
    assert.equal(answer.status(), 401)
  })

  browsing('the first screen is small, its scripts are its own, and inline ones do not run', async () => {
    const { page } = await signIn('viewer')
    const bytes = await page.evaluate(bytesOfScriptsAndStyles)
    assert.ok(bytes > 10_000 && bytes < 300_000, `${bytes} bytes of scripts and styles`)
    assert.equal(await page.evaluate(runsInlineScripts), false)
  })
})

describe('serving', () => {
  browsing(
    'assets are kept for ever and packed, the page is asked for anew, and nothing else of the disk is served',
    async () => {
      const get = (path: string, headers = {}) => fetch(service.address + path, { headers })
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
    'a new operator finds the application that waits, decides it, and the firm gets the event',
    async () => {
      const accountNumber = await waitingApplication(service.alpha)
      const { page, open, wrongs } = await as('operator')
      await open('/console/work?queue=Application')
      await page.locator('tr', { hasText: accountNumber }).getByRole('link').first().click()
      await page.getByRole('heading', { name: `Application ${accountNumber}` }).waitFor()
      await act(page, 'Approve', {}, 'Approve')
      assert.equal(await stateOf(accountNumber), 'CreationComplete')
      const { data } = await service.alpha.listEvents({ accountNumber, size: 100 })
      assert.ok(data.events.some(({ type }) => type === 'account.opened'))
      await settle(page)
      const why = await button(page, 'Approve').getAttribute('aria-description')
      assert.match(why ?? '', /decided|which no person decides/)
      assert.deepEqual(wrongs, [])
    },
  )

  browsing('a rejection asks for its reason before it is sent, and tells it to the firm', async () => {
    const accountNumber = await waitingApplication(service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Reject').click()
    await inDialog(page, 'Reject').click()
    await dialog(page).getByText('Reason is required.').waitFor()
    await fill(page, { Reason: 'Could not be identified' })
    await inDialog(page, 'Reject').click()
    await dialog(page).waitFor({ state: 'detached' })
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'Rejected')
    assert.match(result.remarks, /Could not be identified/)
  })

  browsing('the inbox is worked with keys: move, mark, claim, help, open', async () => {
    const accountNumber = await waitingApplication(service.alpha)
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
    const selected = page.locator('tbody tr[aria-selected=true]')
    assert.match(await selected.innerText(), new RegExp(accountNumber))
    await page.keyboard.press('c')
    await page.locator('tr', { hasText: accountNumber }).waitFor({ state: 'detached' })
    const { data } = await service.operations.operations.listWork({ accountNumber })
    assert.equal(data.work[0]?.assignedTo, 'operator@example.com')
    await open('/console/work?queue=Application&assigned=Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Application / }).waitFor()
  })

  browsing('new work appears in the inbox by itself', async () => {
    const { page, open } = await as('viewer')
    await open('/console/work?queue=Application&assigned=Nobody')
    const accountNumber = await waitingApplication(service.alpha)
    await page.locator('tr', { hasText: accountNumber }).waitFor()
  })

  browsing('a match is cleared with a reason and a day on which that ends', async () => {
    const accountNumber = await waitingMatch(service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/screening`)
    await page.getByText('90 of 100').waitFor()
    await act(page, 'Clear…', { Reason: 'Another person', 'Cleared until': '2031-01-31' }, 'Clear')
    const { data } = await service.operations.operations.listMatches({ accountNumber })
    assert.equal(data.matches[0]?.decision, 'Cleared')
    assert.equal(data.matches[0]?.decidedBy, 'operator@example.com')
    assert.equal(data.matches[0]?.expiresOn, '2031-01-31')
    const why = await button(page, 'Clear…').getAttribute('aria-description')
    assert.match(why ?? '', /Cleared by operator@example\.com at /)
  })

  browsing('a document is looked at beside the data on file and rejected with a code', async () => {
    const { accountNumber, documentId } = await waitingDocument(service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/documents/${documentId}`)
    await page.locator('canvas[data-drawn]').waitFor()
    assert.ok(
      await page.locator('canvas[data-drawn]').evaluate(isDrawnUpon),
      'the page of the document is empty',
    )
    await page.getByText('12 HARBOR STREET').first().waitFor()
    await button(page, 'Zoom in').click()
    await button(page, 'Rotate right').click()
    await page.getByText('125 %').waitFor()
    await act(page, 'Reject…', { 'What is wrong': 'CROPPED' }, 'Reject')
    const { data } = await service.alpha.getDocumentDetails({ accountNumber })
    assert.deepEqual([data.documents[0]?.status, data.documents[0]?.rejectionCode], ['Rejected', 'CROPPED'])
  })

  const images: [name: string, make: () => Uint8Array, selector: string][] = [
    ['scan.png', samplePng, '.viewer img'],
    ['scan.jpg', sampleJpeg, '.viewer img'],
    ['scan.bmp', sampleBmp, '.viewer img'],
    ['scan.tiff', () => sampleTiff(), '.viewer canvas[data-drawn]'],
  ]
  browsing('every kind of image is shown', async () => {
    const { page, open, wrongs } = await as('operator')
    for (const [name, make, selector] of images) {
      const { accountNumber, documentId } = await waitingDocument(service.alpha, { name, content: make() })
      await open(`/console/accounts/${accountNumber}/documents/${documentId}`)
      const shown = page.locator(selector).or(page.getByText('The browser cannot show this image.'))
      await shown.first().waitFor()
    }
    assert.deepEqual(wrongs, [])
  })
})

describe('an account', () => {
  browsing(
    'is found by name without a trace of the name in the address or the browser’s storage',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/accounts')
      await page.getByLabel('Name, account number or tax id').fill('MORENO')
      await button(page, 'Find').click()
      await page.getByRole('link', { name: '30100001' }).waitFor()
      await settle(page)
      assert.doesNotMatch(await page.evaluate(findTraces), /moreno/i)
      await page.getByRole('link', { name: '30100001' }).click()
      await page.getByRole('heading', { name: 'Account 30100001' }).waitFor()
      assert.doesNotMatch(await page.title(), /moreno/i)
    },
  )

  browsing('shows its positions with charts, and its activity is saved as CSV', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100001?tab=positions')
    await page.locator('.recharts-pie').waitFor()
    await page.locator('.recharts-area').first().waitFor()
    const { data } = await service.alpha.positionSummary({ accountNumber: '30100001' })
    const shown = await factOf(page, 'Account value').innerText()
    assert.equal(Number(shown.replaceAll(',', '')), data.totalAccountValue)
    await open('/console/accounts/30100001?tab=activity')
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()])
    const text = readFileSync(await download.path(), 'utf8')
    assert.match(text, /^[^\r\n]*processDate[^\r\n]*\r\n/)
    assert.ok(text.trim().split('\r\n').length > 2)
  })

  browsing('of ten thousand lots keeps only the rows in sight in the page', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100009?tab=lots')
    await page.getByText('10,000 lots').waitFor()
    assert.ok((await page.locator('tbody tr').count()) < 80)
    await page.locator('.table-region').evaluate((region) => region.scrollTo(0, region.scrollHeight))
    await page.locator('tr[aria-rowindex="10001"]').waitFor()
  })

  browsing('shows personal numbers only when they are asked for, which is recorded', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100001')
    assert.match(await factOf(page, 'Tax ID number').innerText(), /^\*+\d{4}$/)
    await button(page, 'Show personal numbers').click()
    await page
      .locator('dd', { hasText: /^\d{9}$/ })
      .first()
      .waitFor()
    const { data } = await service.operations.operations.listReadings({ accountNumber: '30100001' })
    assert.ok(data.readings.some(({ reader }) => reader === 'operator@example.com'))
    const viewer = await as('viewer')
    await viewer.open('/console/accounts/30100001')
    const why = await button(viewer.page, 'Show personal numbers').getAttribute('aria-description')
    assert.equal(why, whyNot('viewer', 'personal-numbers'))
  })
})

describe('four eyes', () => {
  browsing(
    'who asks for a restriction cannot approve it; a second person, at the same time, can',
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
        const { data } = await service.alpha.getAccount({ accountNumber })
        return 'accountStatus' in data ? data.accountStatus : ''
      }
      assert.equal(await status(), 'Open')
      const { data } = await service.operations.operations.listChanges({ accountNumber })
      const changeId = data.changes[0]?.changeId
      await operator.open(`/console/changes/${changeId}`)
      const why = await button(operator.page, 'Approve').getAttribute('aria-description')
      assert.match(why ?? '', /another person|needs the role/i)
      await principal.open(`/console/changes/${changeId}`)
      await principal.page.getByText('operator@example.com').first().waitFor()
      await act(principal.page, 'Approve', {}, 'Approve')
      assert.equal(await status(), 'Restricted')
      await operator.open(`/console/changes/${changeId}`)
      await operator.page.getByText('principal@example.com').first().waitFor()
    },
  )
})

describe('what people type', () => {
  browsing('stays when the connection is lost, and is done once when it is back', async () => {
    const accountNumber = await waitingApplication(service.alpha)
    const { page, open, context } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'Called the firm about the address' })
    await context.setOffline(true)
    await inDialog(page, 'Save').click()
    await dialog(page).getByRole('alert').waitFor()
    assert.equal(await dialog(page).getByLabel('Note').inputValue(), 'Called the firm about the address')
    await context.setOffline(false)
    await inDialog(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    const { data } = await service.operations.operations.listNotes({ accountNumber })
    assert.equal(data.notes.length, 1)
    assert.equal(data.notes[0]?.text, 'Called the firm about the address')
  })

  browsing('is shown as text wherever it comes back, never run', async () => {
    const attacks = [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      '"><svg onload=alert(1)>',
      'javascript:alert(1)',
      '{{constructor.constructor("alert(1)")()}}',
    ]
    const operator = await as('operator')
    const admin = await as('admin')
    const accountNumber = await waitingApplication(service.alpha)
    for (const attack of attacks) {
      await service.operations.operations.addNote({ accountNumber, text: attack })
    }
    const attack = attacks[0] ?? ''
    const { documentId, accountNumber: documented } = await waitingDocument(
      service.alpha,
      { name: 'bill.pdf', content: samplePdf() },
      attack,
    )
    await operator.open(`/console/accounts/${accountNumber}?tab=notes`)
    for (const one of attacks) await operator.page.getByText(one, { exact: true }).waitFor()
    await operator.open(`/console/accounts/${documented}/documents/${documentId}`)
    await operator.page.getByRole('heading', { name: attack }).waitFor()
    await operator.open('/console/work')
    await operator.page.getByText(attack).first().waitFor()
    const { data } = await service.operations.operations.createFirm({
      name: attack,
      entityNumbers: ['391'],
      repCodes: ['XS01'],
    })
    await service.operations.operations.createCredential({ firmId: data.firmId, name: attack })
    await admin.open(`/console/firms/${data.firmId}`)
    await admin.page.getByRole('heading', { name: attack }).waitFor()
    await admin.open('/console/audit')
    assert.deepEqual([...operator.wrongs, ...admin.wrongs], [])
  })
})

describe('the house', () => {
  browsing('a credential is created, works when a second person approved it, and is disabled', async () => {
    const { data: list } = await service.operations.operations.listFirms({})
    const firm = list.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))
    assert.ok(firm)
    const admin = await as('admin')
    const principal = await as('principal')
    await admin.open(`/console/firms/${firm.firmId}`)
    await button(admin.page, 'Create a credential').click()
    await fill(admin.page, { Name: 'Reports' })
    await inDialog(admin.page, 'Create').click()
    const secret = await dialog(admin.page).locator('[data-secret]').innerText()
    const clientId = await dialog(admin.page).locator('.mono').first().innerText()
    await inDialog(admin.page, 'Close').last().click()
    const reports = createClient({ baseUrl: service.address, clientId, clientSecret: secret, retries: 0 })
    await assert.rejects(reports.codeLists({ name: 'scope' }))
    const { data } = await service.operations.operations.listChanges({ state: 'Requested' })
    const change = data.changes.find(({ operation }) => operation === 'create-credential')
    await principal.open(`/console/changes/${change?.changeId}`)
    await act(principal.page, 'Approve', {}, 'Approve')
    await reports.codeLists({ name: 'scope' })
    await admin.open(`/console/firms/${firm.firmId}`)
    const row = admin.page.locator('tr', { hasText: clientId })
    await row.getByRole('button', { name: 'Disable…' }).click()
    await inDialog(admin.page, 'Disable the credential').click()
    await row.getByText('Disabled').waitFor()
  })

  browsing('a file is loaded, and its rejected lines are shown and saved', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    await button(page, 'Load a file').click()
    await dialog(page).getByLabel('What').selectOption('load-prices')
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({
        name: 'prices.ndjson',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from('{"symbol":"NOSUCH"}\n'),
      })
    await inDialog(page, 'Load').click()
    await page.getByRole('heading', { name: 'Load prices' }).waitFor()
    await settle(page)
    assert.equal(await factOf(page, 'Rejected').innerText(), '1')
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV of all').click()])
    assert.match(readFileSync(await download.path(), 'utf8'), /^line,code,field,reason\r\n1,ERR\./)
  })

  browsing('the books and the audit chain are verified, and the trail is exported', async () => {
    const { page, open } = await as('principal')
    await open('/console/books/breaks')
    await button(page, 'Verify the books').click()
    await page.getByText('The books tie out').waitFor()
    await open('/console/audit')
    await button(page, 'Verify the chain').click()
    await page.getByText('The chain holds').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()])
    assert.ok(readFileSync(await download.path(), 'utf8').split('\n').length > 5)
  })

  browsing('a person is added and signs in with the password that was shown', async () => {
    const { page, open } = await as('admin')
    await open('/console/staff')
    await button(page, 'Add a person').click()
    await fill(page, { Name: 'Nora New', 'E-mail': 'nora@example.com', Role: 'viewer' })
    await inDialog(page, 'Add').click()
    const shown = await dialog(page).locator('[data-secret]').innerText()
    await inDialog(page, 'Close').last().click()
    await page.locator('tr', { hasText: 'nora@example.com' }).waitFor()
    const context = await browser?.newContext({ baseURL: service.address })
    const other = await context?.newPage()
    await other?.goto('/console/')
    await other?.fill('input[name=email]', 'nora@example.com')
    await other?.fill('input[name=password]', shown)
    await other?.click('button[type=submit]')
    await other?.waitForSelector('input[type=password]:not([name=password]), #screen')
    await context?.close()
  })

  browsing('the sandbox’s clock is moved on', async () => {
    const { page, open } = await as('operator')
    await open('/console/sandbox')
    await act(page, 'Advance…', { Days: '', 'Or a duration': 'PT90S' }, 'Advance')
    const { data } = await service.alpha.sandbox.getClock()
    assert.ok(data.aheadSeconds >= 90)
  })
})

describe('every screen', () => {
  let shown: Shown
  before(async () => {
    if (browser === undefined) return
    const { operations } = service.operations
    const { data: firms } = await operations.listFirms({})
    const { data: changes } = await operations.listChanges({})
    const { data: loads } = await operations.listLoads({})
    shown = {
      application: await waitingApplication(service.alpha),
      match: await waitingMatch(service.alpha),
      document: await waitingDocument(service.alpha, { name: 'bill.pdf', content: samplePdf() }),
      changeId: changes.changes[0]?.changeId ?? '',
      firmId: firms.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? '',
      loadId: loads.loads[0]?.loadId ?? '',
    }
  })

  const looks: [role: StaffRole, scheme: 'light' | 'dark'][] = [
    ['operator', 'light'],
    ['viewer', 'dark'],
  ]
  for (const [role, scheme] of looks) {
    browsing(`is accessible, and usable at 400 pixels, in ${scheme} colours`, async () => {
      const { page, visit, wrongs } = await signIn(role, { scheme })
      const issues: string[] = []
      await page.evaluate(axeSource)
      for (const screen of screensOf(shown)) {
        await visit(screen.address)
        issues.push(...(await findIssues(page, screen)))
        await checkButtons(page, screen, role)
      }
      assert.deepEqual([...issues, ...wrongs], [])
    })
  }

  for (const role of ['principal', 'admin'] as const) {
    browsing(`offers a ${role} what the table of permissions says, and says why not otherwise`, async () => {
      const { page, visit } = await as(role)
      for (const screen of screensOf(shown)) {
        await visit(screen.address)
        await checkButtons(page, screen, role)
      }
    })
  }

  browsing('is a client without privilege: the service refuses what the table does not allow', async () => {
    for (const role of ['viewer', 'operator', 'principal', 'admin'] as const) {
      const { page } = await as(role)
      const refused = Object.keys(permissions).filter(
        (name) => name !== 'personal-numbers' && !mayCall(role, name),
      )
      const statuses = await page.evaluate(callEach, refused)
      for (const [name, status] of statuses) {
        assert.equal(status, 403, `${role} ${name}`)
      }
      assert.equal(statuses.length, refused.length)
    }
  })
})

/** Serious issues of axe, alerts, and a page that is wider than a narrow window; each with its screen. */
const findIssues = async (page: Page, { name }: Screen): Promise<string[]> => {
  const issues = [...(await page.evaluate(findAlerts)), ...(await page.evaluate(findSeriousIssues))]
  const wide = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: narrowPx, height: 800 })
  issues.push(...(await page.evaluate(findTooWide, narrowPx)))
  await page.setViewportSize(wide)
  return issues.map((issue) => `${name}: ${issue}`)
}

/** Every button of an operation that the role may not call is disabled and says so in the words of the table. */
const checkButtons = async (page: Page, { name }: Screen, role: StaffRole) => {
  const buttons = await page.locator('[data-operation]').evaluateAll((found) =>
    found.map((one) => ({
      operation: one.getAttribute('data-operation') ?? '',
      disabled: one.getAttribute('aria-disabled') === 'true',
      why: one.getAttribute('aria-description') ?? '',
    })),
  )
  for (const { operation, disabled, why } of buttons) {
    const reason = whyNot(role, operation) && whyNot(role, operation, !(operation in permissions))
    if (reason !== undefined)
      assert.deepEqual([disabled, why], [true, reason], `${name}: ${operation} for ${role}`)
    else assert.equal(disabled, why !== '', `${name}: ${operation} for ${role} says why`)
  }
}
