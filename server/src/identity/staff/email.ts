/** The form of the e-mail addresses with which people sign in. */
import { limits } from '@clearing/protocol'

const form = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,60}$/u

export function isEmail(text: string): boolean {
  return text.length <= limits.emailLengthMax && form.test(text)
}
