/**
 * Takes the pictures of `docs/pictures/` from a running sandbox: `npx node test/console/take-pictures.ts
 * http://127.0.0.1:8080 <password>`, with the password that the sandbox prints at its start. It first makes waiting
 * work, as a firm does.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createClient } from '@clearing/sdk'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { openBrowser, openWindow } from './browser.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const [address = 'http://127.0.0.1:8080', password = ''] = process.argv.slice(2)
const folder = resolve(import.meta.dirname, '../../docs/pictures')
const size = { width: 1280, height: 820 }

const browser = await openBrowser()
if (browser === undefined) {
  console.error('There is no Chromium on this machine.')
  process.exit(1)
}
const alpha = createClient({ baseUrl: address, clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' })
const application = await waitingApplication(alpha, { firstName: 'Mara', lastName: 'Quist' })
await waitingApplication(alpha, { firstName: 'Tomas', lastName: 'Lindqvist' })
const match = await waitingMatch(alpha, { firstName: 'Ilka', lastName: 'Brandt' })
const bill = await waitingDocument(alpha, { name: 'bill.pdf', content: samplePdf() })

const pictures: [name: string, path: string, scheme: 'light' | 'dark'][] = [
  ['home', '/console/', 'light'],
  ['work', '/console/work', 'light'],
  ['application', `/console/accounts/${application}/application`, 'light'],
  ['account', '/console/accounts/30100001?tab=positions', 'light'],
  ['account-dark', '/console/accounts/30100001?tab=positions', 'dark'],
  ['document', `/console/accounts/${bill.accountNumber}/documents/${bill.documentId}`, 'light'],
  ['screening', `/console/accounts/${match}/screening`, 'light'],
  ['firm', '/console/firms/00000000-0000-4000-8000-000000000301', 'light'],
  ['sandbox', '/console/sandbox', 'dark'],
]
/** Charts and pages of documents are drawn after the screen has loaded its data. */
const drawnWithinMs = 1_500

mkdirSync(folder, { recursive: true })
for (const scheme of ['light', 'dark'] as const) {
  const window = await openWindow(browser, {
    address,
    email: 'operator@example.com',
    password,
    scheme,
    ...size,
  })
  for (const [name, path] of pictures.filter((picture) => picture[2] === scheme)) {
    await window.open(path)
    await window.page.waitForTimeout(drawnWithinMs)
    await window.page.screenshot({ path: resolve(folder, `${name}.png`) })
    console.log(`docs/pictures/${name}.png`)
  }
  await window.close()
}
await browser.close()
