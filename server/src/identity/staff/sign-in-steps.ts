/**
 * The steps of a person's sign-in: e-mail and password, a new password when another person set the old one, and the
 * code of the second factor. Every wrong attempt is slowed and answered in the same way, whether the person exists or
 * not.
 */

import { hash } from 'node:crypto'
import { countOf } from '@clearing/protocol/values'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Keyring } from '../../encryption/keyring.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { clearingFirmId } from '../../store/firms.ts'
import {
  readStaffByEmail,
  readStaffById,
  type StoredStaff,
  useSecondFactorStep,
  useTemporaryPassword,
  writePassword,
} from '../../store/staff.ts'
import { isEmail } from './email.ts'
import { forgetGuesses, takeGuess } from './guesses.ts'
import { hashPassword, initialPasswordHours, matchesPassword, whyPasswordIsWeak } from './password.ts'
import type { RefusedSignIn } from './refusals.ts'
import { openSecret, stepOfCode } from './second-factor.ts'

/** The steps that this sign-in has passed; the provider stores them. */
export interface Passed {
  readonly staffId: string
  /** A digest of the stored password hash. Another password ends the sign-in. */
  readonly password: string
  readonly code: boolean
}

export type Page = 'password' | 'new password' | 'code'

export type StepOutcome =
  /** Shows the page; `why` is the reason for which the previous input was refused. */
  | { readonly kind: 'page'; readonly page: Page; readonly passed: Passed | undefined; readonly why: string }
  | { readonly kind: 'done'; readonly staff: StoredStaff; readonly code: boolean }

export interface StepsSettings {
  readonly operations: Pool
  readonly keyring: Keyring
  readonly now: () => Date
  readonly onRefused: (refused: RefusedSignIn) => Promise<void>
}

const wrongPassword = 'E-mail or password is wrong.'
const passwordIsOver = 'This initial password has expired or was used before. Ask an admin for another.'
const wrongCode = 'The code is wrong or was used already.'
const scope = { firm: null } as const

function digestOf({ passwordHash }: Pick<StoredStaff, 'passwordHash'>): string {
  return hash('sha256', passwordHash ?? '', 'base64url')
}

export function prepareSteps(settings: StepsSettings) {
  const { operations, keyring, now } = settings
  const write = <T>(body: (tx: Tx) => Promise<T>) => inTransaction(operations, scope, body)

  /** Returns the next step after the passed steps. */
  const next = async (passed: Passed | undefined, why = ''): Promise<StepOutcome> => {
    const staff = passed && (await write((tx) => readStaffById(tx, passed.staffId)))
    if (!passed || !staff || staff.disabledAt !== null || passed.password !== digestOf(staff))
      return { kind: 'page', page: 'password', passed: undefined, why }
    // The code comes before the new password, so that a person who only has the initial password gets no further.
    if (staff.secondFactor !== null && !passed.code) return { kind: 'page', page: 'code', passed, why }
    if (staff.passwordTemporary) return { kind: 'page', page: 'new password', passed, why }
    return { kind: 'done', staff, code: passed.code }
  }

  /** Returns the reason why a guess is not checked now; undefined when it may be made. */
  const slowDown = async (email: string | undefined, address: string): Promise<string | undefined> => {
    const seconds = await write((tx) => takeGuess(tx, email, address, now()))
    return seconds === 0 ? undefined : `Too many wrong attempts. Wait ${countOf(seconds, 'second')}.`
  }

  /** False if the password is older than its hours or was used in another sign-in. */
  const useInitial = async (staff: StoredStaff): Promise<boolean> => {
    const endsMs = Date.parse(staff.passwordSetAt) + initialPasswordHours * 3_600_000
    if (now().getTime() >= endsMs) return false
    return write((tx) => useTemporaryPassword(tx, staff, now()))
  }

  const takePassword = async (form: URLSearchParams, address: string): Promise<StepOutcome> => {
    const text = (form.get('email') ?? '').trim()
    const typed = isEmail(text) ? text : undefined
    const staff = typed === undefined ? undefined : await write((tx) => readStaffByEmail(tx, typed))
    // Counted as it is stored, so that every way to write it has one counter.
    const email = staff?.email ?? typed
    const refuse = async (why: string): Promise<StepOutcome> => {
      const unknown = typed === undefined ? 'not an e-mail address' : 'an unknown e-mail address'
      await settings.onRefused({ email: staff?.email, typed: staff ? undefined : unknown, address, why })
      return next(undefined, why)
    }
    const wait = await slowDown(email, address)
    if (wait !== undefined) return refuse(wait)
    if (email === undefined) return refuse(wrongPassword)
    const right = await matchesPassword((form.get('password') ?? '').slice(0, 1_000), staff?.passwordHash)
    if (!right || staff === undefined || staff.disabledAt !== null) return refuse(wrongPassword)
    // Only a person with the right password gets this message.
    if (staff.passwordTemporary && !(await useInitial(staff))) return refuse(passwordIsOver)
    // With a second factor, guesses count until its code was right.
    if (staff.secondFactor === null) await write(async (tx) => forgetGuesses(tx, email, address))
    return next({ staffId: staff.staffId, password: digestOf(staff), code: false })
  }

  const takeCode = async (passed: Passed, form: URLSearchParams, address: string): Promise<StepOutcome> => {
    const staff = await write((tx) => readStaffById(tx, passed.staffId))
    if (!staff || staff.secondFactor === null) return next(passed)
    const { staffId, email, secondFactor } = staff
    const wait = await slowDown(email, address)
    if (wait !== undefined) {
      await settings.onRefused({ email, address, why: wait })
      return next(passed, wait)
    }
    const code = (form.get('code') ?? '').replace(/\s/g, '')
    const secret = await keyring.using(clearingFirmId, (keys) => openSecret(keys, staffId, secondFactor))
    const step = stepOfCode(secret, code, now())
    const right = step !== undefined && (await write((tx) => useSecondFactorStep(tx, staffId, step)))
    if (!right) {
      await settings.onRefused({ email, address, why: wrongCode })
      return next(passed, wrongCode)
    }
    // The initial password is one of the guesses.
    await write(async (tx) => forgetGuesses(tx, email, address, 2))
    return next({ ...passed, code: true })
  }

  const takeNewPassword = async (passed: Passed, form: URLSearchParams): Promise<StepOutcome> => {
    const standing = await next(passed)
    if (standing.kind !== 'page' || standing.page !== 'new password') return standing
    const staff = await write((tx) => readStaffById(tx, passed.staffId))
    if (!staff) return next(undefined)
    const password = form.get('new-password') ?? ''
    if (password !== form.get('again')) return next(passed, 'The two passwords differ.')
    const weak = whyPasswordIsWeak(password, staff)
    if (weak !== undefined) return next(passed, weak)
    if (await matchesPassword(password, staff.passwordHash))
      return next(passed, 'Choose another password than the one that you were given.')
    const passwordHash = await hashPassword(password)
    await write(async (tx) => {
      await writePassword(tx, staff.staffId, passwordHash, false)
      const { email } = staff
      const row = { actor: email, action: 'change-password', target: email, traceId: '', detail: {} }
      writeAuditRow(tx, { firmId: clearingFirmId, at: now(), ...row })
    })
    return next({ ...passed, password: digestOf({ passwordHash }) })
  }

  return {
    next,
    /** Handles the input of the page that was shown. */
    take: (passed: Passed | undefined, form: URLSearchParams, address: string): Promise<StepOutcome> => {
      if (passed === undefined || form.has('password')) return takePassword(form, address)
      if (form.has('new-password')) return takeNewPassword(passed, form)
      return takeCode(passed, form, address)
    },
  }
}

export type Steps = ReturnType<typeof prepareSteps>
