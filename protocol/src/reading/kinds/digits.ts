/** Identifiers made of digits (account, entity, tax id, phone) and numbers as text (percentage, count). */
import { canonicalCode } from '../../codes/index.ts'
import type { ErrorCode } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Reader, refuseType, textReader } from '../reader.ts'

/** A text with a fixed form, returned unchanged or normalized. */
function formReader(
  label: string,
  form: RegExp,
  code: ErrorCode,
  must: string,
  fold: (text: string) => string = (text) => text,
): Reader {
  return textReader(label, (text, within, key, findings) =>
    form.test(text) ? fold(text) : findings.refuse(code, within, key, `${label} must be ${must}.`),
  )
}

function upper(text: string) {
  return text.toUpperCase()
}

/** Reading 3.1. */
export function accountNumberReader(label: string): Reader {
  return formReader(
    label,
    /^[A-Za-z0-9]{8}$/,
    'ERR.1016',
    `${limits.accountNumberLength} letters or digits`,
    upper,
  )
}

/** Reading 2.5, 3.5. */
export function repCodeReader(label: string): Reader {
  return formReader(label, /^[A-Za-z0-9]{4}$/, 'ERR.1002', `${limits.repCodeLength} letters or digits`, upper)
}

/**
 * Reading 3.5. A rule of the domain checks whether a number can have been issued. A masked number is accepted too: a
 * caller without the scope for the full number can send a record back as it was returned, and the rules compare it with
 * the record (Reading 2.4, 3.9).
 */
export function taxIdReader(label: string): Reader {
  return formReader(label, /^(?:[0-9]{9}|\*{5}[0-9]{4})$/, 'ERR.1016', `${limits.taxIdNumberDigits} digits`)
}

/** Reading 3.8. */
export function customerIdReader(label: string): Reader {
  return formReader(label, /^[0-9]{18}$/, 'ERR.1016', `${limits.customerIdDigits} digits`)
}

/** Reading 3.5: the national number, without its region. */
export function phoneReader(label: string): Reader {
  return formReader(
    label,
    /^[0-9]{6,15}$/,
    'ERR.1011',
    `${limits.phoneNumberDigitsMin} to ${limits.phoneNumberDigitsMax} digits`,
  )
}

export function extensionReader(label: string): Reader {
  return formReader(label, /^[0-9]{1,5}$/, 'ERR.1016', `1 to ${limits.phoneExtensionDigitsMax} digits`)
}

/** A whole number as text, leading zeros dropped. */
export function countReader(label: string): Reader {
  return formReader(label, /^[0-9]{1,2}$/, 'ERR.1016', `1 or ${limits.dependentsDigitsMax} digits`, (text) =>
    String(Number(text)),
  )
}

/** The calling code of a country, with or without `+` (Reading 3.4). */
export function regionReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    const region = canonicalCode('phoneRegionCode', text.startsWith('+') ? text.slice(1) : text)
    if (region !== undefined) return region
    return findings.refuse('ERR.1013', within, key, `${label} must be a calling code such as 1, 44, 52.`)
  })
}

/** Three digits. The leading zeros of an integer are restored (Reading 1.3). */
export function entityNumberReader(label: string): Reader {
  const types = ['string', 'number'] as const
  const reason = `${label} must be ${limits.entityNumberDigits} digits.`
  return {
    types,
    read(given, within, key, findings) {
      if (typeof given === 'string') {
        if (given === '' || /^[0-9]{3}$/.test(given)) return given
        return findings.refuse('ERR.1001', within, key, reason)
      }
      if (typeof given !== 'number') return refuseType(label, types, given, { within, key }, findings)
      if (!Number.isInteger(given) || given < 0 || given > 999 || Object.is(given, -0)) {
        return findings.refuse('ERR.1001', within, key, reason)
      }
      return String(given).padStart(limits.entityNumberDigits, '0')
    },
  }
}

/** 0 to 100 with at most two decimals, returned with two. */
export function percentReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    const parts = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?$/.exec(text)
    if (parts === null) {
      const reason = `${label} must be a number with at most two decimals, such as 33.33.`
      return findings.refuse('ERR.1016', within, key, reason)
    }
    const percent = `${Number(parts[1])}.${(parts[2] ?? '').padEnd(2, '0')}`
    if (Number(parts[1]) < 100 || percent === '100.00') return percent
    return findings.refuse('ERR.1015', within, key, `${label} must be at most 100.`)
  })
}
