/** The console served from its sources (`npm run console`), with calls passed on to a running service. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createServer } from 'vite'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { openDesk } from './desk.ts'

const desk = openDesk()
const configFile = resolve(import.meta.dirname, '../../console/vite.config.ts')

async function serveSources(service: string) {
  process.env.SERVICE = service
  const cacheDir = await makeTestFolder('console-sources-')
  const settings = { host: '127.0.0.1', port: 0, hmr: false, watch: null }
  const server = await createServer({ configFile, cacheDir, logLevel: 'silent', server: settings })
  await server.listen()
  const address = server.resolvedUrls?.local[0]?.replace('/console/', '') ?? ''
  const close = async () => {
    await server.close()
    await rm(cacheDir, { recursive: true, force: true })
  }
  return { address, close }
}

desk.browsing('a person signs in there, and every call of the screens is passed on', async () => {
  const sources = await serveSources(desk.service.address)
  try {
    const { page, open, close } = await desk.signIn('operator', { address: sources.address })
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url())
    })
    await open('/console/accounts/30100001')
    await page.getByRole('heading', { name: 'ADA MORENO', level: 1 }).waitFor()
    await open('/console/profile')
    await page.getByText('Where you are signed in').waitFor()
    assert.equal(new URL(page.url()).origin, sources.address)
    assert.deepEqual(missing, [])
    await close()
  } finally {
    await sources.close()
  }
})
