/**
 * Two settings. TRUSTED_PROXIES has the addresses and networks whose `X-Forwarded-For` is trusted.
 * CLIENT_CERTIFICATE_HEADER names the header in which they pass on the TLS certificate of a client.
 */
import { isIP } from 'node:net'
import type { Settings } from './read-settings.ts'

/** Names of networks that the HTTP library knows. */
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

export function readTrustedProxies(settings: Settings): string[] {
  const proxies = settings.list('TRUSTED_PROXIES')
  for (const proxy of proxies)
    if (!isNetwork(proxy))
      settings.mistakes.push(
        `TRUSTED_PROXIES: ${proxy} is not an address or a network such as 10.0.0.0/8 or ${namedNetworks.join(', ')}`,
      )
  return proxies
}

function isNetwork(text: string): boolean {
  if (namedNetworks.includes(text)) return true
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  // A prefix of 0 would trust every caller.
  return (
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  )
}

/** The header in lower case. */
export function readCertificateHeader(settings: Settings): string | undefined {
  const header = settings.text('CLIENT_CERTIFICATE_HEADER')
  if (header === undefined) return undefined
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(header))
    settings.mistakes.push('CLIENT_CERTIFICATE_HEADER must be the name of a header, such as Client-Cert')
  if (settings.list('TRUSTED_PROXIES').length === 0)
    settings.mistakes.push('CLIENT_CERTIFICATE_HEADER needs TRUSTED_PROXIES')
  return header.toLowerCase()
}
