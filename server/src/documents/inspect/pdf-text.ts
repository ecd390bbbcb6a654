// Text strings of a PDF, and the test for harmless addresses.

const SCHEMES = new Set(['http', 'https', 'mailto', 'tel'])
/** Longer strings were cut when they were read. */
const ADDRESS_CHARS_MAX = 8_000

/** Text strings are bytes, or UTF-16 or UTF-8 with a byte order mark (ISO 32000-2, 7.9.2.2). */
export function readText(text: string): string {
  const mark = text.slice(0, 3)
  if (mark === '\xef\xbb\xbf') return Buffer.from(text.slice(3), 'latin1').toString('utf8')
  const bigEndian = mark.startsWith('\xfe\xff')
  if (!bigEndian && !mark.startsWith('\xff\xfe')) return text
  let wide = ''
  for (let at = 2; at + 1 < text.length; at += 2) {
    const [high, low] = bigEndian ? [at, at + 1] : [at + 1, at]
    wide += String.fromCharCode(text.charCodeAt(high) * 256 + text.charCodeAt(low))
  }
  return wide
}

/**
 * Returns true for a web, mail or telephone address, or one without a scheme. Control characters and spaces are removed
 * first, because some readers do so before they read the scheme. Any text before a colon counts as a scheme.
 */
export function isPlainAddress(text: string): boolean {
  if (text.length > ADDRESS_CHARS_MAX) return false
  const address = text.replace(/[\p{Cc}\s]/gu, '')
  if (/^[\\/]{2}/.test(address)) return false
  const scheme = /^([^:/?#]*):/.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined || SCHEMES.has(scheme)) return true
  // "example.com:8080/path" is an address without a scheme.
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{1,5}(?:[/?#]|$)/i.test(address)
}
