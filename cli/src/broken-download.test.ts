import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommandLine } from './run.ts'
import { makeTestTerminal } from './test-terminal.ts'

const home = mkdtempSync(join(tmpdir(), 'clearing-download-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** A service whose files break off after five of 1000 bytes. */
function startService() {
  const server = createServer((request, response) => {
    if (request.url?.includes('token')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end('{"access_token":"token","expires_in":36000,"token_type":"Bearer"}')
    }
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' })
    return response.write('%PDF-', () => response.destroy())
  })
  return new Promise<{ address: string; [Symbol.dispose](): void }>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        address: `http://127.0.0.1:${port}`,
        [Symbol.dispose]() {
          server.close()
          server.closeAllConnections()
        },
      })
    }),
  )
}

test('a download that breaks off leaves no part of the file, and states that it can be repeated', async () => {
  using service = await startService()
  const environment = {
    XDG_CONFIG_HOME: home,
    HOME: home,
    CLEARING_URL: service.address,
    CLEARING_CLIENT_ID: 'alpha',
    CLEARING_CLIENT_SECRET: 'secret',
  }
  const terminal = makeTestTerminal({ environment })
  const path = join(home, 'bill.pdf')
  const exitCode = await runCommandLine(['get-document', '30100001', 'd', '--output', path], terminal)
  const noted = terminal.noted.join('\n')
  assert.equal(exitCode, 1, noted)
  assert.match(noted, /^get-document failed \(200\): the file broke off after [05] of 1000 bytes: /)
  assert.match(noted, /^ {2}Nothing was changed: try again later\.$/m)
  assert.equal(existsSync(path), false)
})
