/** Books, firms, staff, audit trail and sandbox in a real Chromium. The service's API confirms each result. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { createClient } from '@clearing/sdk'
import { Secret, TOTP } from 'otpauth'
import { startReceiver } from '../../server/src/events/webhooks/test-receiver.ts'
import { newTaxId } from '../acceptance/applications.ts'
import { rejectionsOf, until } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { act, button, dialog, factOf, fill, inDialog, openDesk } from './desk.ts'
import { countsRows, findMotions } from './in-page.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

/** `CreationComplete` as the console writes it within a sentence. */
function wordsOf(state: string) {
  return state.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

function inWords(day: string) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
}

describe('administration', () => {
  browsing(
    'a credential is created, works when a second person approved it, gets a new secret, and is disabled',
    async () => {
      const { data: list } = await desk.service.operations.operations.listFirms({})
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
      const clientOf = (clientSecret: string) =>
        createClient({ baseUrl: desk.service.address, clientId, clientSecret, retries: 0 })
      const reports = clientOf(secret)
      await assert.rejects(reports.codeLists({ name: 'scope' }))
      const approve = async (operation: string) => {
        const { data } = await desk.service.operations.operations.listChanges({ state: 'Requested' })
        const change = data.changes.find((one) => one.operation === operation)
        await principal.open(`/console/changes/${change?.changeId}`)
        await act(principal.page, 'Approve', {}, 'Approve')
      }
      await approve('create-credential')
      await reports.codeLists({ name: 'scope' })
      await admin.open(`/console/firms/${firm.firmId}`)
      const row = admin.page.locator('tr', { hasText: clientId })
      await row.getByRole('button', { name: 'New secret…' }).click()
      await fill(admin.page, { 'Hours that the old secret goes on working': '0' })
      await inDialog(admin.page, 'Make it').click()
      const renewed = await dialog(admin.page).locator('[data-secret]').innerText()
      await inDialog(admin.page, 'Close').last().click()
      assert.notEqual(renewed, secret)
      await assert.rejects(clientOf(renewed).codeLists({ name: 'scope' }))
      await approve('rotate-credential')
      await clientOf(renewed).codeLists({ name: 'scope' })
      await assert.rejects(clientOf(secret).codeLists({ name: 'scope' }))
      await row.getByRole('button', { name: 'Disable…' }).click()
      await dialog(admin.page).getByText('Its tokens stop').waitFor()
      await inDialog(admin.page, 'Disable the credential').click()
      await row.getByText('Disabled').waitFor()
      await assert.rejects(clientOf(renewed).codeLists({ name: 'scope' }))
    },
  )

  browsing('a file is loaded, and its rejected lines are shown and saved', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    await button(page, 'Load a file').click()
    await dialog(page).getByLabel('What').selectOption('load-prices')
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({
        name: 'prices of monday.ndjson',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from('{"symbol":"NOSUCH"}\n'),
      })
    await inDialog(page, 'Load').click()
    await page.getByRole('heading', { name: 'Load of prices' }).waitFor()
    await settle(page)
    assert.equal(await factOf(page, 'Rejected').innerText(), '1')
    await factOf(page, 'Source').getByRole('link', { name: 'prices of monday.ndjson' }).click()
    await page.getByText('Showing 1 of 1.').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Load of prices' }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV of all').click()])
    const saved = readFileSync(await download.path(), 'utf8')
    assert.match(saved, /^\ufeffline,code,field,reason,sent,acceptedBy\r\n1,ERR\./)
  })

  browsing('an incident is opened, updated and resolved, and the status page shows it', async () => {
    const { page, open, wrongs } = await as('operator')
    await open('/console/incidents')
    await button(page, 'Open an incident…').click()
    await fill(page, { Title: 'Prices arrive late', Report: 'Positions show the prices of noon.' })
    await dialog(page).getByRole('combobox', { name: 'Components' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Onboarding and other queued work' }).click()
    await page.keyboard.press('Tab')
    await dialog(page).getByLabel('Impact').selectOption('Degraded')
    await inDialog(page, 'Open').click()
    const incident = page.locator('section', { hasText: 'Prices arrive late' })
    await incident.getByText('Positions show the prices of noon.').waitFor()
    const { listIncidents } = desk.service.operations.operations
    const shown = async () =>
      (await listIncidents({})).data.incidents.find(({ title }) => title === 'Prices arrive late')
    const statusPage = async () => (await fetch(`${desk.service.address}/status.json`)).text()
    assert.equal((await shown())?.state, 'Investigating')
    assert.ok((await statusPage()).includes('Prices arrive late'))
    await incident.getByRole('button', { name: 'Report…' }).click()
    await fill(page, { State: 'Identified', Report: 'The feed of the exchange stopped.' })
    await inDialog(page, 'Report').click()
    await incident.getByText('The feed of the exchange stopped.').waitFor()
    await incident.getByRole('button', { name: 'Resolve…' }).click()
    await fill(page, { Report: 'All prices are loaded.' })
    await inDialog(page, 'Resolve').click()
    await incident.getByText('All prices are loaded.').waitFor()
    await incident.getByRole('button', { name: 'Report…' }).waitFor({ state: 'detached' })
    assert.deepEqual(
      (await shown())?.updates.map(({ state }) => state),
      ['Resolved', 'Identified', 'Investigating'],
    )
    assert.equal(await page.getByRole('link', { name: 'Status page' }).getAttribute('href'), '/status')
    assert.deepEqual(wrongs, [])
  })

  browsing('the books and the audit chain are verified, and the trail is exported', async () => {
    const { page, open } = await as('principal')
    await open('/console/books/breaks')
    await button(page, 'Verify the books').click()
    await page.getByText('The books tie out').waitFor()
    await open('/console/audit')
    await button(page, 'Verify the chain').click()
    await page.getByText('The chain holds').waitFor()
    // At the time of the schedule the nightly proof has run already.
    await page.getByText(/^Signed: .*Proved by night: (not yet|.*\d.*)\.$/).waitFor()
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
    const context = await desk.browser.newContext({ baseURL: desk.service.address })
    const other = await context.newPage()
    await other.goto('/console/')
    await other.fill('input[name=email]', 'nora@example.com')
    await other.fill('input[name=password]', shown)
    await other.click('button[type=submit]')
    await other.waitForSelector('input[type=password]:not([name=password]), #screen')
    await context.close()
  })

  browsing('a person is given another role, which applies from the next sign-in', async () => {
    const { page, open } = await as('admin')
    const { operations } = desk.service.operations
    await operations.createStaff({ name: 'Otto Other', email: 'otto@example.com', role: 'viewer' })
    await open('/console/staff')
    const row = page.locator('tr', { hasText: 'otto@example.com' })
    await row.getByRole('button', { name: 'Change…' }).click()
    await fill(page, { Role: 'operator' })
    await inDialog(page, 'Save').click()
    await inDialog(page, 'Close').last().click()
    await row.getByText('Operator').waitFor()
    const { data } = await operations.listStaff({})
    assert.equal(data.staff.find(({ email }) => email === 'otto@example.com')?.role, 'operator')
    const own = page.locator('tr', { hasText: 'admin@example.com' }).getByRole('button', { name: 'Change…' })
    assert.equal(await own.getAttribute('aria-description'), 'Another admin changes your own entry.')
  })

  browsing(
    'a second factor is set up on the person’s own page, and required at the next sign-in',
    async () => {
      const { operations } = desk.service.operations
      const { data: made } = await operations.createStaff({
        name: 'Tara Totp',
        email: 'tara@example.com',
        role: 'viewer',
      })
      const context = await desk.browser.newContext({ baseURL: desk.service.address })
      const page = await context.newPage()
      const enter = async (password: string) => {
        await page.goto('/console/profile')
        await page.fill('input[name=email]', 'tara@example.com')
        await page.fill('input[name=password]', password)
        await page.click('button[type=submit]')
      }
      await enter(made.password)
      const chosen = 'a long enough pass phrase'
      await page.fill('input[name=new-password]', chosen)
      await page.fill('input[name=again]', chosen)
      await page.click('button[type=submit]')
      await page.getByLabel('Your password', { exact: true }).fill(chosen)
      await button(page, 'Set it up').click()
      await page.getByAltText('Secret of the authenticator as a QR code').waitFor()
      const secret = await page.locator('form .mono').innerText()
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      await page.getByLabel('Code').fill('000000')
      await button(page, 'Confirm').click()
      await page.locator('form [id$=error]').waitFor()
      const code = totp.generate()
      await page.getByLabel('Code').fill(code)
      await button(page, 'Confirm').click()
      await page.getByText('Set up', { exact: true }).waitFor()
      const { data } = await operations.listStaff({})
      assert.equal(data.staff.find(({ email }) => email === 'tara@example.com')?.secondFactor, true)
      await page.locator('header button').last().click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForSelector('input[name=password]')
      await enter(chosen)
      await page.fill('input[name=code]', code)
      await page.click('button[type=submit]')
      await page.getByText('wrong or was used already').waitFor()
      await page.fill('input[name=code]', totp.generate({ timestamp: Date.now() + 30_000 }))
      await page.click('button[type=submit]')
      await page.getByRole('heading', { name: 'Password and second factor' }).waitFor()
      await context.close()
    },
  )

  browsing('a firm is created, and its limits are changed', async () => {
    const { page, open } = await as('admin')
    await open('/console/firms')
    await button(page, 'Create a firm').click()
    await fill(page, { Name: 'Gamma Capital' })
    for (const [label, value] of [
      ['Entity numbers', '388'],
      ['Rep codes', 'GC01, GC02'],
    ] as const) {
      await dialog(page).getByLabel(label).fill(value)
      await page.keyboard.press('Enter')
    }
    await inDialog(page, 'Create').click()
    await page.getByRole('heading', { name: 'Gamma Capital' }).waitFor()
    await act(page, 'Settings…', { 'Requests a second': '7' }, 'Save')
    const { data } = await desk.service.operations.operations.listFirms({})
    const made = data.firms.find(({ name }) => name === 'Gamma Capital')
    assert.deepEqual([made?.entityNumbers, made?.repCodes], [['388'], ['GC01', 'GC02']])
    assert.equal(made?.settings.requestsPerSecond, 7)
  })
})

describe('a firm', () => {
  const firmId = async () => {
    const { data } = await desk.service.operations.operations.listFirms({})
    return data.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId
  }

  browsing(
    'is shown its requests without personal numbers, and the screen explains what is stored',
    async () => {
      const taxIdNumber = newTaxId()
      await waitingApplication(desk.service.alpha, { taxIdNumber, birthDate: '1971-03-19' })
      const { page, open } = await as('operator')
      await open(`/console/firms/${await firmId()}?operation=new-account`)
      const requests = page.getByRole('region', { name: 'Requests', exact: true }).first()
      await requests.getByText('birth dates and secrets are not stored').waitFor()
      const sent = requests.locator('td .detail').first()
      await sent.waitFor()
      const text = (await sent.getAttribute('title')) ?? ''
      assert.match(text, /"taxIdNumber":"\[redacted\]"/)
      assert.ok(!text.includes(taxIdNumber) && !text.includes('1971-03-19'))
    },
  )

  browsing('can have events of a range sent again, whose times have a named zone', async () => {
    await using receiver = await startReceiver(() => ({ status: 200, body: '' }))
    await desk.service.alpha.createWebhook({ url: receiver.url, types: ['application.*'] })
    const { page, open } = await as('principal')
    await open(`/console/firms/${await firmId()}`)
    await button(page, 'Send a range again…').click()
    const zones = dialog(page).getByText(/In your time zone, America\/New_York\.$/)
    await zones.first().waitFor()
    assert.equal(await zones.count(), 2)
    await dialog(page).getByLabel('From').fill('2026-07-01T09:30')
    await dialog(page).getByText('Jul 1, 2026, 09:30:00 EDT, in your time zone.').waitFor()
    const asked = page.waitForRequest('**/resend-events')
    await dialog(page).getByLabel('Webhook').selectOption({ index: 1 })
    await inDialog(page, 'Send events again').click()
    assert.equal((await asked).postDataJSON().from, '2026-07-01T13:30:00.000Z')
    await dialog(page)
      .getByText(/(^1 event is|\d\d events are) queued for the webhook\./)
      .waitFor()
    await inDialog(page, 'Close').click()
  })

  browsing('can have a delivery sent again only after a first attempt', async () => {
    await using receiver = await startReceiver(() => ({ status: 200, body: '' }))
    const { alpha } = desk.service
    const { data } = await alpha.createWebhook({ url: receiver.url, types: ['application.*'] })
    await waitingApplication(alpha)
    const { webhookId } = data
    const delivered = () => alpha.listDeliveries({ webhookId, status: 'Delivered' })
    await until(delivered, ({ data: { deliveries } }) => deliveries.length >= 2)
    const { page, context, open } = await as('principal')
    // The first of two deliveries has not been attempted yet.
    await context.route('**/list-deliveries', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      const [first] = json.data.deliveries
      if (first !== undefined) Object.assign(first, { attempts: [], status: 'Waiting' })
      await route.fulfill({ response, json })
    })
    await open(`/console/firms/${await firmId()}?webhook=${webhookId}`)
    const rows = page.locator('.table-region[aria-label="Deliveries"] tbody tr[data-index]')
    const again = (row: number) => rows.nth(row).getByRole('button', { name: 'Send again…' })
    await again(1).waitFor()
    assert.equal(await again(0).getAttribute('aria-description'), 'It has not been attempted yet.')
    assert.equal(await again(0).getAttribute('aria-disabled'), 'true')
    assert.notEqual(await again(1).getAttribute('aria-disabled'), 'true')
    await context.unrouteAll({ behavior: 'wait' })
  })
})

describe('the books', () => {
  browsing('a running load is shown until it ends, without reading the page anew', async () => {
    const { page, open } = await as('operator')
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const lines = async function* () {
      yield '{"symbol":"NOSUCH"}\n'.repeat(4_000)
      await ended
      yield '{"symbol":"NOSUCH"}\n'
    }
    const { listLoads, loadPrices } = desk.service.operations.operations
    const load = loadPrices({ lines: { ndjson: lines() } })
    try {
      // The first long load starts a thread.
      await until(
        () => listLoads({ state: 'Running' }),
        ({ data }) => data.loads.length > 0,
      )
      await open('/console/books/loads?state=Running')
      await page.getByRole('link', { name: 'Prices' }).click()
      await page.getByRole('progressbar', { name: 'The load runs' }).waitFor()
      assert.deepEqual(await page.evaluate(findMotions), [], 'less motion was asked for')
    } finally {
      end()
    }
    await load
    await page.getByText('Complete', { exact: true }).waitFor()
    assert.equal(await factOf(page, 'Received').innerText(), '4,001')
    await page.getByText(/Showing [0-9,]+ of 4,001\./).waitFor()
  })

  browsing('the stock record of a security names its holders, long and short', async () => {
    const { page, open } = await as('viewer')
    await open('/console/books/stock-record')
    await page.getByLabel('Symbol, CUSIP, ISIN, SEDOL or number').fill('ancr')
    await page.keyboard.press('Enter')
    const { data } = await desk.service.operations.operations.stockRecord({ security: 'ANCR' })
    assert.ok(data.holders.length > 0)
    for (const { accountNumber } of data.holders)
      await page.getByRole('link', { name: accountNumber }).first().waitFor()
    const long = await factOf(page, 'Long').innerText()
    assert.equal(Number(long.replaceAll(',', '')), data.longQuantity)
  })

  browsing('a day is closed, and its steps are shown as done', async () => {
    const { page, open } = await as('operator')
    const { operations } = desk.service.operations
    const { businessDate } = (await operations.getOverview({})).data
    // The next day may be a day without a market.
    const { sandbox } = desk.service.alpha
    await sandbox.setClock({ now: `${businessDate}T20:00:00Z` }).catch(() => undefined)
    const { checklist } = (await operations.closeChecklist({})).data
    await open('/console/books/business-day')
    const items = page.locator('.table-region[aria-label=Checklist] tbody tr')
    await items.first().waitFor()
    const shown = await items.allInnerTexts()
    assert.equal(shown.length, checklist.length)
    for (const [index, { open: isOpen, count }] of checklist.entries()) {
      assert.match(shown[index] ?? '', isOpen ? /Open/ : count > 0 ? /Reported/ : /Done/)
      assert.match(shown[index] ?? '', new RegExp(`\\b${count.toLocaleString('en-US')}\\b`))
    }
    // Other tests have loaded lines that were rejected.
    const rejects = checklist.find(({ item }) => item === 'Rejects')
    assert.ok(rejects?.owners?.includes('operations'))
    assert.ok(rejects?.oldestOn)
    const cells = await items.locator('td').allInnerTexts()
    const columns = cells.length / checklist.length
    for (const [index, { oldestOn, owners = [] }] of checklist.entries()) {
      const [oldest = '', owner] = cells.slice(index * columns + 4)
      assert.match(oldest, oldestOn === null ? /^$/ : /^(now|\d+ (min|h|d))$/)
      assert.equal(owner, owners.join(', ') || (oldestOn === null ? '' : 'unassigned'))
    }
    assert.ok(checklist.some(({ item, open: isOpen }) => item === 'Rejects' && isOpen))
    await button(page, 'Close the day').click()
    await inDialog(page, 'Close the day').click()
    await dialog(page).getByText('Why the day is closed with open items is required.').waitFor()
    await dialog(page).getByText('Open: Loads with rejected lines that are not reviewed (medium, ').waitFor()
    await fill(page, { 'Why the day is closed with open items': 'The desk knows of it.' })
    await inDialog(page, 'Close the day').click()
    await page.getByText('The desk knows of it. – operator@example.com').waitFor()
    await page
      .locator('.panel', { hasText: 'Steps' })
      .getByText(`of ${inWords(businessDate)}`)
      .waitFor()
    const { lastClose, businessDate: next } = (await operations.getOverview({})).data
    assert.equal(lastClose?.closedDate, businessDate)
    assert.ok(next > businessDate)
    const steps = page.locator('.table-region[aria-label=Steps] tbody tr')
    assert.equal(await steps.count(), lastClose?.steps.length)
    for (const step of await steps.all()) assert.match(await step.innerText(), /^\w+\W.+\sDone/)
    const why = `The business day, ${inWords(next)}, has not come.`
    await page.locator(`button[aria-description="${why}"]`, { hasText: 'Close the day' }).waitFor()
  })
})

describe('the audit trail', () => {
  browsing('is searched by account and action', async () => {
    const { page, open } = await as('viewer')
    await open('/console/audit')
    await page.getByLabel('Account', { exact: true }).fill('30100001')
    await page.keyboard.press('Enter')
    await page.getByLabel('Action').fill('new-account')
    await page.keyboard.press('Enter')
    await page.waitForURL(/action=new-account/)
    const { data } = await desk.service.operations.operations.listAudit({
      accountNumber: '30100001',
      action: 'new-account',
    })
    const rows = page.locator('.table-region[aria-label="Audit rows"] tbody tr[data-index]')
    await page.waitForFunction(countsRows, [
      '.table-region[aria-label="Audit rows"] tbody tr[data-index]',
      data.rows.length,
    ] as const)
    for (const row of await rows.all()) assert.match(await row.innerText(), /New account\s+30100001/)
  })
})

describe('the sandbox', () => {
  browsing('has a clock that moves on', async () => {
    const { page, open } = await as('operator')
    await open('/console/sandbox')
    await act(page, 'Advance…', { Days: '', 'Or a duration': 'PT90S' }, 'Advance')
    const { data } = await desk.service.alpha.sandbox.getClock()
    assert.ok(data.aheadSeconds >= 90)
  })

  browsing('plays a scenario for a firm', async () => {
    const { page, open } = await as('operator')
    await open('/console/sandbox')
    const row = page.locator('.table-region[aria-label=Scenarios] tbody tr[data-index]').first()
    await row.getByRole('button', { name: 'Play…' }).click()
    await fill(page, { 'For the firm': '301' })
    await inDialog(page, 'Play').click()
    const accountNumber = await dialog(page).getByRole('link').innerText()
    const { data } = await desk.service.alpha.onboardingResult({ accountNumber })
    await dialog(page).getByText(wordsOf(data.currentState)).waitFor()
    await dialog(page).getByRole('link').click()
    await page.getByRole('heading', { name: `Application ${accountNumber}` }).waitFor()
  })

  browsing('shows the response of a fault to a caller', async () => {
    const { page, open } = await as('viewer')
    await open('/console/sandbox')
    await page.getByLabel('Fault', { exact: true }).selectOption('503')
    await button(page, 'Call code-lists').click()
    await page
      .getByRole('status')
      .filter({ hasText: /^503 .* trace 00-/ })
      .waitFor()
  })

  browsing('saves a snapshot, and restores everything from it', async () => {
    const { page, open } = await as('operator')
    await open('/console/sandbox')
    await act(page, 'Save…', { Name: 'before-more' }, 'Save')
    const { data } = await desk.service.alpha.sandbox.listSnapshots({})
    assert.ok(data.snapshots.some(({ name }) => name === 'before-more'))
    const accountNumber = await waitingApplication(desk.service.alpha)
    const row = page.locator('tr', { hasText: 'before-more' })
    await row.getByRole('button', { name: 'Restore…' }).click()
    await inDialog(page, 'Restore before-more').click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.match(
      (await rejectionsOf(desk.service.alpha.onboardingResult({ accountNumber })))[0] ?? '',
      /ERR\.2003/,
    )
    await page.locator('tr', { hasText: 'before-more' }).waitFor()
  })
})
