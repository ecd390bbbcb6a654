/**
 * Properties of every screen of the console in a real Chromium: for every role, in both themes, in a narrow window,
 * with any stored text.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, describe } from 'node:test'
import { mayCall, permissions, type StaffRole, whyNot } from '@clearing/protocol'
import type { Page } from 'playwright-core'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { repetitions, someOf } from '../repetitions.ts'
import { settle, type WindowSettings } from './browser.ts'
import { button, dialog, openDesk } from './desk.ts'
import { findCutRings } from './focus-rings.ts'
import { fillWithHostileTexts } from './hostile-service.ts'
import { hostileCall, untried } from './hostile-texts.ts'
import {
  callEach,
  findAlerts,
  findCutTables,
  findCutTexts,
  findFaintCharts,
  findLiveMarkup,
  findMotions,
  findOddWords,
  findSeriousIssues,
  findTooWide,
  findUnreachable,
  findUnseenRows,
  hasFewerRows,
  hasRows,
  noticeWhatRuns,
  scrollToEnd,
} from './in-page.ts'
import { longLists } from './long-lists.ts'
import { openedScreensOf, type Screen, type Shown, screensOf } from './screens.ts'
import { makeShown } from './shown.ts'
import { waitingApplication } from './waiting-work.ts'

/**
 * The narrowest window of each layout; that of the usual layout has 1,280 pixels. A window of 1,280 pixels at a zoom of
 * 200 % has 640, each of two pixels of the device. A window of 1,440 pixels has 720 and the layout of 640, so that it
 * is measured at night only.
 */
const narrowPx = [400, 640, 768, 992, 720].slice(0, repetitions(4, 5))
const zoom = 2
/** The widths at which every control must be reachable. */
const usedPx = [400, 640, 720]
/** The screens on which all rules of axe are tested in dark colours. On the others, only the contrast is tested. */
const darkWholly = 8
const isDay = repetitions(1, 0) === 1
const longLength = 10_000
const pageSize = 100
const rowsInPageMax = 80
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const desk = openDesk()
const { as, browsing, signIn } = desk

describe('every screen', () => {
  let shown: Shown
  /**
   * The operations for which the screens offer buttons. By day, further roles visit only screens with other buttons.
   */
  const offers = new Map<string, Set<string>>()
  before(async () => {
    if (!desk.isOpen) return
    shown = await makeShown(desk.service)
  })

  // The width of a part does not depend on the colours: it is measured in one of them.
  const looks: [name: string, role: StaffRole, settings: Partial<WindowSettings>][] = [
    [
      'is accessible and whole in every width and at a zoom of 200 %, in light colours',
      'operator',
      { scheme: 'light', zoom },
    ],
    ['is accessible in dark colours', 'viewer', { scheme: 'dark' }],
  ]
  for (const [name, role, settings] of looks) {
    browsing(name, async () => {
      const { page, visit, wrongs, close } = await signIn(role, settings)
      const issues: string[] = []
      await page.evaluate(axeSource)
      const screens = screensOf(shown)
      const wholly = settings.scheme === 'dark' ? someOf(screens, darkWholly) : screens
      for (const screen of screens) {
        await visit(screen.address)
        const found = await findIssues(page, wholly.includes(screen) ? undefined : ['color-contrast'])
        if (settings.zoom === zoom) found.push(...(await findIssuesOfWidths(page)))
        issues.push(...found.map((issue) => `${screen.name}: ${issue}`))
        const offered = await checkButtons(page, screen, role)
        offers.set(screen.name, (offers.get(screen.name) ?? new Set()).union(offered))
      }
      assert.deepEqual([...issues, ...wrongs], [])
      await close()
    })
  }

  browsing('has readable dialogs and menus in dark colours', async () => {
    const { page, visit, close } = await signIn('operator', { scheme: 'dark' })
    await page.evaluate(axeSource)
    const issues: string[] = []
    for (const { name, address, press } of openedScreensOf(shown)) {
      if (press.length === 0) continue
      await page.keyboard.press('Escape')
      await visit(address)
      for (const selector of press) await page.locator(selector).first().click()
      await page.locator('[role=dialog]:visible, [role=menu]:visible').first().waitFor()
      const found = await page.evaluate(findSeriousIssues, ['color-contrast'])
      issues.push(...found.map((issue) => `${name}: ${issue}`))
    }
    assert.deepEqual(issues, [])
    await close()
  })

  for (const role of ['principal', 'admin'] as const) {
    browsing(
      `offers a ${role} the actions of the table of permissions, and explains why others are unavailable`,
      async () => {
        const { page, visit } = await as(role)
        const seen = new Set<string>()
        for (const screen of screensOf(shown)) {
          if (isDay && offers.get(screen.name)?.isSubsetOf(seen)) continue
          await visit(screen.address)
          for (const operation of await checkButtons(page, screen, role)) seen.add(operation)
        }
      },
    )
  }

  browsing(
    'is a client without privileges: the service refuses every call that the table does not allow',
    async () => {
      for (const role of ['viewer', 'operator', 'principal', 'admin'] as const) {
        const { page, visit } = await as(role)
        await visit('/console/profile')
        const refused = Object.keys(permissions).filter(
          (name) => name !== 'personal-numbers' && !mayCall(role, name),
        )
        const statuses = await page.evaluate(callEach, refused)
        for (const [name, status] of statuses) {
          assert.equal(status, 403, `${role} ${name}`)
        }
        assert.equal(statuses.length, refused.length)
      }
    },
  )
})

describe('stored text', () => {
  browsing('is shown as text on every screen, in every field that takes it, and never runs', async () => {
    const operator = await signInOutside(desk.service, 'operator@example.com')
    const { hostile, screens } = await fillWithHostileTexts(desk.service, operator)
    const { page, context, visit, wrongs, close } = await signIn('principal', { height: 9_000 })
    await context.addInitScript(noticeWhatRuns, hostileCall)
    await page.reload()
    let seen = ''
    for (const { name, address } of screens) {
      await visit(address)
      if (name === 'record') {
        await button(page, 'Show personal numbers…').click()
        await dialog(page).getByLabel('Reason').fill('To see every field')
        await dialog(page).getByRole('button', { name: 'Show', exact: true }).click()
        await settle(page)
      }
      if (name === 'work') await button(page, 'Views').click()
      assert.deepEqual(await page.evaluate(findLiveMarkup), [], name)
      seen += (await page.locator('body').innerText()).toLowerCase()
    }
    assert.deepEqual(wrongs, [])
    await page.goto(`${desk.service.address}/status`)
    assert.deepEqual(await page.evaluate(findLiveMarkup), [], 'status')
    seen += (await page.locator('body').innerText()).toLowerCase()
    await close()
    // The address of a webhook contains them encoded.
    const decoded = seen.replace(/%(20|22|3c|3e|7b|7d)/g, decodeURIComponent)
    const missing = hostile.planted.filter(({ text }) => !decoded.includes(text.toLowerCase()))
    assert.deepEqual(
      missing.map(({ where }) => where),
      [],
    )
    assert.deepEqual(untried(hostile), [])
    assert.ok(hostile.planted.length > 100, `only ${hostile.planted.length} texts were taken`)
  })
})

describe('a long name', () => {
  browsing('leaves every column of an application in sight', async () => {
    const long = { firstName: 'Maximiliana-Maximiliana', lastName: 'm'.repeat(30) }
    const accountNumber = await waitingApplication(desk.service.alpha, long)
    const { page, open: visit } = await as('viewer')
    await visit(`/console/accounts/${accountNumber}/application`)
    await page.getByText('M'.repeat(30)).first().waitFor()
    assert.deepEqual(await page.evaluate(findCutTables, 1280), [])
  })

  browsing('does not make a narrow window scroll sideways', async () => {
    const accountNumber = await openAndFollow(
      desk.service.alpha,
      applicationOf({ firstName: 'W'.repeat(30), lastName: 'M'.repeat(30) }),
    )
    const { page, open: visit } = await as('viewer')
    const wide = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 400, height: 800 })
    for (const address of [accountNumber, `${accountNumber}/correct`]) {
      await visit(`/console/accounts/${address}`)
      await page.getByRole('heading', { name: /W{30} M{30}/, level: 1 }).waitFor()
      assert.deepEqual(await page.evaluate(findTooWide, 400), [])
    }
    await page.setViewportSize(wide)
  })
})

describe('a window of 1,280 pixels at a zoom of 400 %', () => {
  browsing('shows every control of the header whole', async () => {
    const { page, visit } = await as('operator')
    const wide = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 320, height: 640 })
    await visit('/console/profile')
    const controls = page.locator('header').first().getByRole('button')
    const edges = await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    assert.ok(edges.length > 4)
    assert.deepEqual(
      edges.filter((edge) => edge > 320),
      [],
    )
    await page.setViewportSize(wide)
  })
})

describe('a list of ten thousand', () => {
  before(async () => {
    if (!desk.isOpen) return
    for (const query of longLists) await desk.service.query(query, [longLength])
    await desk.service.query('analyze')
  })

  const lists: [address: string, label: string, filter: string, choice: string][] = [
    ['/console/accounts', 'Accounts', 'Status', 'Restricted'],
    ['/console/work', 'Work', 'Waiting', '168'],
    ['/console/audit', 'Audit rows', 'Firm', ''],
  ]
  for (const [address, label, filter, choice] of lists) {
    browsing(
      `keeps only the visible rows in the page, reads further rows, and is filtered: ${label}`,
      async () => {
        const { page, open, wrongs } = await as('operator')
        await open(address)
        const region = page.locator(`.table-region[aria-label="${label}"]`)
        const table = region.locator('table')
        for (let read = pageSize; read <= pageSize * 5; read += pageSize) {
          await page.waitForFunction(hasRows, [label, read + 1] as const)
          assert.ok((await table.locator('tbody tr').count()) < rowsInPageMax)
          await region.evaluate(scrollToEnd)
        }
        if (choice !== '') await page.getByLabel(filter, { exact: true }).selectOption(choice)
        else await page.getByLabel('Who').fill('nobody@example.com')
        await page.keyboard.press('Enter')
        await page.waitForFunction(hasFewerRows, [label, pageSize * 5] as const)
        assert.deepEqual(wrongs, [])
      },
    )
  }
})

/** Alerts, serious issues of axe by all rules or these, machine words and faint charts. */
async function findIssues(page: Page, rules?: readonly string[]): Promise<string[]> {
  return [
    ...(await page.evaluate(findAlerts)),
    ...(await page.evaluate(findSeriousIssues, rules)),
    ...(await page.evaluate(findUnseenRows)),
    ...(await page.evaluate(findMotions)),
    ...(await page.evaluate(findOddWords)),
    ...(await page.evaluate(findFaintCharts)),
  ]
}

/** Parts that are cut off, wider than the window, or out of reach, in the usual width and in narrow ones. */
async function findIssuesOfWidths(page: Page): Promise<string[]> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 }
  const issues = await page.evaluate(findCutTables, wide.width)
  for (const width of narrowPx) {
    await page.setViewportSize({ width, height: 800 })
    issues.push(...(await page.evaluate(findTooWide, width)), ...(await page.evaluate(findCutTables, width)))
    if (!usedPx.includes(width)) continue
    const wrongs = [...(await page.evaluate(findCutTexts)), ...(await page.evaluate(findUnreachable))]
    issues.push(...wrongs.map((wrong) => `at ${width} pixels ${wrong}`))
  }
  await page.setViewportSize(wide)
  // A ring is drawn after a key only.
  await page.keyboard.press('Shift')
  return [...issues, ...(await page.evaluate(findCutRings))]
}

/**
 * Every button of an operation that the role may not call is disabled and gives the reason in the words of the table.
 * Returns the operations.
 */
async function checkButtons(page: Page, { name }: Screen, role: StaffRole): Promise<Set<string>> {
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
    // The description of a button that can be used names its row.
    else if (disabled) assert.notEqual(why, '', `${name}: ${operation} for ${role} says why`)
  }
  return new Set(buttons.map(({ operation }) => operation))
}
