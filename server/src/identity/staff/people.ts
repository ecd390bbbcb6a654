/**
 * The sign-in of people in one object: their sessions, the provider of their sign-in, and its steps. It is
 * opened once in a process.
 */
import type { Logger } from 'pino'
import type { OutsideProviderSettings } from '../../config/outside-provider-settings.ts'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Keyring } from '../../encryption/keyring.ts'
import { newId } from '../../ids.ts'
import { writeAuditRow } from '../../store/audit.ts'
import type { Firm } from '../../store/firm.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { insertStaff, lockStaffByEmail, type StoredStaff, updateStaffRow } from '../../store/staff.ts'
import type { Caller } from '../caller.ts'
import type { Identity } from '../identity.ts'
import { chooseSigningKey, NoSigningKey } from '../keys/signing-key.ts'
import { type OriginOf, originBy } from './origin.ts'
import { type OutsidePerson, type OutsideProvider, openOutsideProvider } from './outside-provider.ts'
import { createPeopleProvider, type PeopleProvider } from './people-provider.ts'
import { noteRefusal, type RefusedSignIn } from './refusals.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { prepareSteps, type Steps } from './sign-in-steps.ts'

export interface PeopleSettings {
  readonly operations: Pool
  readonly identity: Identity
  readonly keyring: Keyring
  readonly sandbox: boolean
  readonly log: Logger
  /** The outside provider that replaces passwords of this service. */
  readonly outside: OutsideProviderSettings | undefined
}

export interface People {
  readonly sandbox: boolean
  readonly identity: Identity
  readonly keyring: Keyring
  readonly operations: Pool
  readonly log: Logger
  readonly originOf: OriginOf
  readonly sessions: Sessions
  readonly steps: Steps
  readonly outside: OutsideProvider | undefined
  /** Returns the provider with the current signing key. */
  provider(): Promise<PeopleProvider>
  /** Returns the person in the form that operations use, and the firm, which is the clearing firm. */
  admit(staff: StoredStaff): Promise<{ readonly firm: Firm; readonly caller: Caller } | undefined>
  /** Makes or updates the row of a person whom the outside provider named. */
  welcome(person: OutsidePerson): Promise<StoredStaff | undefined>
  /**
   * Makes a change of a person with its row in the clearing firm's audit trail, or neither. Returns the detail of the
   * row.
   */
  change<T extends object>(email: string, action: string, make: (tx: Tx) => Promise<T>): Promise<T>
  /** Appends to the clearing firm's audit trail. */
  note(actor: string, action: string, target: string, detail: unknown): Promise<void>
  /** Logs a refused sign-in and records it in the audit trail. */
  refuse(refused: RefusedSignIn): Promise<void>
}

export function openPeople(settings: PeopleSettings): People {
  const { operations, identity, keyring, sandbox, log } = settings
  const now = () => identity.now()
  let provider: PeopleProvider | undefined

  const change: People['change'] = (email, action, make) =>
    inTransaction(operations, { firm: null }, async (tx) => {
      const detail = await make(tx)
      const row = { actor: email, action, target: email, traceId: '', detail }
      writeAuditRow(tx, { firmId: clearingFirmId, at: now(), ...row })
      return detail
    })
  const note: People['note'] = (actor, action, target, detail) =>
    inTransaction(operations, { firm: null }, async (tx) =>
      writeAuditRow(tx, { firmId: clearingFirmId, at: now(), actor, action, target, traceId: '', detail }),
    )

  const refuse: People['refuse'] = async (refused) => {
    const { address, why, typed } = refused
    log.warn({ known: refused.email !== undefined, address, why, typed }, 'sign-in refused')
    await noteRefusal(operations, now(), refused)
  }

  return {
    sandbox,
    identity,
    keyring,
    operations,
    log,
    change,
    note,
    refuse,
    originOf: originBy({ sandbox, issuer: identity.issuer }),
    sessions: openSessions({ operations, now }),
    steps: prepareSteps({
      operations,
      keyring,
      now,
      onRefused: refuse,
    }),
    outside: settings.outside && openOutsideProvider(settings.outside),
    async provider() {
      const { signingKeys } = await identity.directory.current()
      const signingKey = chooseSigningKey(signingKeys.values(), now())
      if (signingKey === undefined) throw new NoSigningKey()
      if (provider?.kid !== signingKey.kid) {
        const onFault = (fault: unknown) => log.error({ err: fault }, 'sign-in')
        provider = createPeopleProvider({ issuer: identity.issuer, signingKey, operations, now, onFault })
      }
      return provider
    },
    async admit({ staffId, email, name, role }) {
      const known = (await identity.directory.current()).firms.get(clearingFirmId)
      if (known === undefined) return undefined
      const caller: Caller = {
        clientId: email,
        scopes: new Set(['operations']),
        person: { staffId, email, name, role },
      }
      return { firm: known.firm, caller }
    },
    welcome: (person) =>
      inTransaction(operations, { firm: null }, async (tx) => {
        const at = now()
        const { email, name, role } = person
        const known = await lockStaffByEmail(tx, email)
        if (known === undefined) {
          const staffId = newId(at)
          await insertStaff(tx, { ...person, staffId, passwordHash: null, passwordTemporary: false, at })
        } else if (known.role !== role || known.name !== name) {
          await updateStaffRow(tx, known.staffId, { name, role, at })
        }
        if (known?.role !== role) {
          const detail = { role, before: known?.role ?? null }
          const action = known ? 'update-staff' : 'create-staff'
          writeAuditRow(tx, {
            firmId: clearingFirmId,
            at,
            actor: 'openid provider',
            action,
            target: email,
            traceId: '',
            detail,
          })
        }
        const staff = await lockStaffByEmail(tx, email)
        return staff?.disabledAt === null ? staff : undefined
      }),
  }
}

/** A person who may change data needs a second factor where accounts are real, unless another provider handles it. */
export function secondFactorDue(
  staff: Pick<StoredStaff, 'role' | 'secondFactor' | 'passwordHash'>,
  sandbox: boolean,
): boolean {
  return !sandbox && staff.secondFactor === null && staff.passwordHash !== null && staff.role !== 'viewer'
}
