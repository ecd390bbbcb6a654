/** What the browser prints: all rows that are read, in light colours, and whose rows they are. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { button, openDesk } from './desk.ts'
import { countPrinted, recordPaper, styleOf } from './in-page.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk
const accountNumber = '30100002'
const lineCount = 150

describe('a screen that the browser prints', () => {
  browsing('has all rows of its list, in light colours, and is as before afterwards', async () => {
    const { businessDate } = (await desk.service.alpha.sandbox.getClock({})).data
    const tradeDate = addMarketDays(businessDate, -1)
    const ndjson = Array.from({ length: lineCount }, (_, line) => ({
      ...{ acctNo: accountNumber, acctType: '1', transType: 'Deposit', netAmount: '10', tradeDate },
      externalId: `printed-${line}`,
    }))
    const { data } = await desk.service.operations.operations.loadActivity({ lines: { ndjson } })
    assert.deepEqual(data.rejects, [])
    const { page, open, wrongs, close } = await signIn('viewer', { scheme: 'dark' })
    await open(`/console/accounts/${accountNumber}?tab=activity&kind=other`)
    const rows = page.getByRole('group', { name: 'Activity' }).locator('tbody tr[data-index]')
    await rows.first().waitFor()
    const inSight = await rows.count()
    assert.ok(inSight < lineCount)
    await page.evaluate(recordPaper)
    await page.pdf()
    const [printed, colours] = (await page.locator('body').getAttribute('data-paper'))?.split(' ') ?? []
    assert.ok(Number(printed) >= lineCount, `${printed} rows were printed`)
    assert.equal(colours, 'light')
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    await rows.nth(lineCount - 1).waitFor({ state: 'detached' })
    // A button is not repeated with the headings on later pages, its text is.
    await page.emulateMedia({ media: 'print' })
    const heading = page.locator('th button').first()
    assert.equal(await heading.evaluate(styleOf, 'display'), 'contents')
    await page.emulateMedia({ media: null })
    assert.deepEqual(wrongs, [])
    await close()
  })

  browsing('names the account of a list that is printed alone', async () => {
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}?tab=positions`)
    await page.evaluate(countPrinted)
    await button(page, 'Print Positions').click()
    await page.locator('body[data-caption]').waitFor({ state: 'attached' })
    const caption = (await page.locator('body').getAttribute('data-caption')) ?? ''
    assert.match(caption, new RegExp(`^${accountNumber}, [^,]+, Positions, \\d+ rows, `))
  })
})
