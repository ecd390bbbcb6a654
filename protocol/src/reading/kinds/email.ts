/** E-mail addresses: `local@domain.tld` in ASCII, letter case kept (Reading 1.4, 3.5). */
import { refused } from '../findings.ts'
import { type Reader, textReader } from '../reader.ts'
import { tidy } from './text.ts'

const localPartLengthMax = 64
const labelLengthMax = 63
const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/
const startsWithLetter = /^[A-Za-z]/

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > localPartLengthMax) return false
  if (
    !text
      .slice(0, at)
      .split('.')
      .every((part) => atom.test(part))
  )
    return false
  const labels = text.slice(at + 1).split('.')
  const last = labels.at(-1) as string
  if (labels.length < 2 || last.length < 2 || !startsWithLetter.test(last)) return false
  return labels.every((label) => label.length <= labelLengthMax && domainLabel.test(label))
}

export function emailReader(label: string, max: number): Reader {
  return textReader(label, (text, within, key, findings) => {
    const address = tidy(label, text, max, { within, key }, findings)
    if (address === refused || address === '') return address
    if (isAddress(address)) return address
    return findings.refuse('ERR.1009', within, key, `${label} must be an address such as name@example.com.`)
  })
}
