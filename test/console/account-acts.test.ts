/** What a person does on an account: from the palette, by keys right after a dialog, and in a narrow window. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow, read } from '../acceptance/calling.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { act, button, dialog, openDesk, send } from './desk.ts'
import { handsOn } from './keys.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk
const accountNumber = '30100002'

/** The label in the palette of each operation that a button of the account's screen has. */
const acts: Readonly<Record<string, string>> = {
  'set-entitlements': 'Margin and options of 30100002…',
  'correct-identity': 'Tax id and citizenship of 30100002…',
  'place-restriction': 'Restrict 30100002…',
  'end-restriction': 'End a restriction of 30100002',
  'record-hold-step': 'Record a step of a temporary hold of 30100002',
  'close-account': 'Close 30100002…',
  'add-note': 'Write a note on 30100002',
  'add-document': 'Add a document to 30100002',
  'make-statement': 'Make a statement of 30100002 again',
  'grant-extension': 'Extend a margin call of 30100002',
}

describe('Ctrl-K on an account', () => {
  browsing('lists every act that the screen of the account offers', async () => {
    const { page, open, visit } = await as('operator')
    await open(`/console/accounts/${accountNumber}`)
    const tabs = await page.getByRole('tab').allInnerTexts()
    const found = new Set<string>()
    for (const tab of tabs) {
      await visit(`/console/accounts/${accountNumber}?tab=${tab.toLowerCase()}`)
      await page.getByRole('tab', { name: tab, exact: true, selected: true }).waitFor()
      await settle(page)
      // All at once, because rows come and go when they are read again.
      const operations = await page
        .locator('[data-operation]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-operation') ?? ''))
      for (const operation of operations) found.add(operation)
    }
    assert.ok(found.size >= 5, [...found].join())
    await page.keyboard.press('Control+k')
    for (const operation of found)
      await dialog(page)
        .getByRole('option', { name: acts[operation] ?? operation, exact: true })
        .waitFor()
    for (const label of [`Correct ${accountNumber}`, `Show personal numbers of ${accountNumber}…`])
      await dialog(page).getByRole('option', { name: label, exact: true }).waitFor()
  })

  browsing('opens the dialog of the act, which Back and a reload do not open again', async () => {
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}?tab=positions`)
    const hands = handsOn(page)
    await hands.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await hands.type('restr')
    await hands.press('Enter')
    await page.getByRole('dialog', { name: 'Place a restriction' }).waitFor()
    assert.equal(hands.count, 3)
    assert.equal(await page.getByRole('tab', { name: 'Positions' }).getAttribute('aria-selected'), 'true')
    await page.waitForURL((url) => !url.searchParams.has('act'))
    await page.reload()
    await settle(page)
    await page.getByRole('tab', { name: 'Positions' }).waitFor()
    assert.equal(await dialog(page).count(), 0)
  })

  browsing('finds an act by the number of an account, from any screen', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    await page.keyboard.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await page.keyboard.insertText(`${accountNumber} note`)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Write a note' }).getByLabel('Note').waitFor()
  })

  browsing('offers a viewer no act that the role may not do', async () => {
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}`)
    await page.keyboard.press('Control+k')
    await dialog(page)
      .getByRole('option', { name: `Screening of ${accountNumber}` })
      .waitFor()
    assert.equal(
      await dialog(page)
        .getByRole('option', { name: /^(Restrict|Close) 3/ })
        .count(),
      0,
    )
  })

  browsing('says why an act is not possible now', async () => {
    const waiting = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/')
    await page.keyboard.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await page.keyboard.insertText(`${waiting} close`)
    await page.keyboard.press('Enter')
    await page.locator('.notices').getByText('Only an open account can be closed.').waitFor()
    assert.equal(await dialog(page).count(), 0)
  })
})

describe('a restricted account', () => {
  browsing('can be closed, and its tabs do not move when its restrictions are there', async () => {
    const { alpha, operations } = desk.service
    const restricted = await openAndFollow(alpha, applicationFor('Individual'))
    await operations.operations.placeRestriction({
      accountNumber: restricted,
      restrictionCode: 'ReturnedMail',
      reason: 'A letter came back.',
    })
    const { page, open } = await as('operator')
    let goOn = () => {}
    const asked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/list-restrictions', async (route) => {
      await asked
      await route.continue()
    })
    const top = async () => (await page.getByRole('tablist').boundingBox())?.y
    const opening = open(`/console/accounts/${restricted}`)
    await page.getByRole('tablist').waitFor()
    await page.locator('[aria-label="Key figures"][aria-busy=false]').waitFor()
    const before = await top()
    goOn()
    await opening
    await page.getByText('Mail came back from the address on file: suspends').waitFor()
    assert.equal(await top(), before)
    await page.locator('[data-operation="close-account"]:not([aria-disabled="true"])').waitFor()
  })
})

describe('a correction that account policy notes', () => {
  browsing(
    'takes effect, and the notice of its result says what is noted, and nothing otherwise',
    async () => {
      const { alpha } = desk.service
      const corrected = await openAndFollow(alpha, applicationFor('Individual'))
      await alpha.updateAccount({
        accountNumber: corrected,
        financialProfile: { netWorth: 'C', liquidNetWorth: 'C' },
      })
      const { page, open, wrongs } = await as('operator')
      const correct = async (change: () => Promise<unknown>) => {
        await open(`/console/accounts/${corrected}/correct`)
        await change()
        await page.getByLabel('Reason').fill('The owner called.')
        await button(page, 'Send the correction').click()
      }
      const notices = page.locator('.notices')
      await correct(() => page.locator('input[name="primaryOwner.jobTitle"]').fill('Pilot'))
      await notices.getByText('It has version 3 now.', { exact: true }).waitFor()
      const liquid = page.locator('select[name="financialProfile.liquidNetWorth"]')
      await correct(() => liquid.selectOption('D'))
      const noted = 'It has version 4 now. Noted: The liquid net worth is above the net worth.'
      await notices.getByText(noted, { exact: true }).waitFor()
      const { financialProfile } = await read(alpha, corrected)
      assert.deepEqual([financialProfile.liquidNetWorth, wrongs], ['D', []])
    },
  )
})

describe('a call of the open day', () => {
  browsing('is shown before the close issues it, and cannot be extended until then', async () => {
    const { alpha } = desk.service
    const { calls } = (await alpha.balanceSummary({ accountNumber })).data
    assert.ok(calls.length > 0)
    assert.deepEqual((await alpha.listCalls({ accountNumber })).data.calls, [])
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}?tab=margin`)
    const extend = page.locator('[aria-description="The close of the business day issues this call."]')
    // A call for an intraday deficit has no extension at any time.
    const extendable = calls.filter(({ kind }) => kind !== 'Intraday')
    await extend.nth(extendable.length - 1).waitFor()
  })
})

describe('a key right after Escape', () => {
  browsing('acts on the screen, as no dialog is closing any more', async () => {
    const waiting = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${waiting}/application`)
    for (const [key, title] of [
      ['a', /^Approve/],
      ['r', /^Reject/],
      ['a', /^Approve/],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name: title }).locator(':focus').waitFor()
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
  })
})

describe('a notice', () => {
  browsing('stays while the pointer is on it', async () => {
    const { page, open, close } = await signIn('operator')
    await page.clock.install()
    await open('/console/accounts/30100006')
    await send(page, 'Restrict…', { Restriction: 'ReturnedMail', Reason: 'In doubt' }, 'Place a restriction')
    const undo = button(page, 'Undo')
    await undo.hover()
    await page.clock.fastForward(20_000)
    await undo.waitFor()
    await page.getByRole('heading', { level: 1 }).hover()
    await page.clock.fastForward(2_000)
    await undo.waitFor({ state: 'detached' })
    await close()
  })

  browsing('leaves the title of a narrow window in sight, in both themes', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, open, close } = await signIn('operator', { width: 360, height: 740, scheme })
      await open('/console/accounts/30100007?tab=notes')
      await act(page, 'Write a note', { Note: `Called the owner (${scheme})` }, 'Save')
      const notice = page.locator('.notices > *').first()
      await notice.waitFor()
      const [title, box] = await Promise.all([
        page.getByRole('heading', { level: 1 }).boundingBox(),
        notice.boundingBox(),
      ])
      assert.ok(title && box)
      assert.ok(
        box.y >= title.y + title.height && box.y + box.height <= 740,
        `the notice is at ${box.y}, and the title at ${title.y}`,
      )
      await close()
    }
  })
})

describe('the history of an account', () => {
  browsing('names who requested a change and who approved it, with a link to the request', async () => {
    const operator = await signInOutside(desk.service, 'operator@example.com')
    const principal = await signInOutside(desk.service, 'principal@example.com')
    const changed = '30100007'
    await operator.call('update-account', {
      accountNumber: changed,
      mailingAddress: { street: '1 New Street' },
    })
    const { json } = await operator.call('list-changes', { accountNumber: changed, state: 'Requested' })
    const [{ changeId }] = json.data.changes
    await principal.call('decide-change', { changeId, decision: 'Approved', reason: 'Seen the letter.' })
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${changed}?tab=history`)
    const change = page.getByRole('region', { name: /Update account$/ }).first()
    await change
      .getByText(/requested by operator@example\.com, approved by principal@example\.com · version/)
      .waitFor()
    await change.getByRole('link', { name: 'requested' }).click()
    await page.waitForURL(new RegExp(`/changes/${changeId}`))
  })
})
