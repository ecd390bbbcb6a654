/** Stored members of the staff and their sessions. E-mail addresses are in lower case. */
import type { StaffRole } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface StoredStaff {
  readonly staffId: string
  readonly email: string
  readonly name: string
  readonly role: StaffRole
  readonly passwordHash: string | null
  readonly passwordTemporary: boolean
  /** Set by a trigger; of a password from before migration 372, the time of the migration. */
  readonly passwordSetAt: string
  readonly secondFactor: Buffer | null
  readonly secondFactorStep: bigint
  readonly secondFactorOffered: Buffer | null
  readonly disabledAt: string | null
  readonly createdAt: string
  readonly lastSignInAt: string | null
}

const columns = `staff.staff_id as "staffId", email, name, role, password_hash as "passwordHash",
  password_temporary as "passwordTemporary",
  password_set_at as "passwordSetAt", second_factor as "secondFactor", second_factor_step as "secondFactorStep",
  second_factor_offered as "secondFactorOffered", disabled_at as "disabledAt", staff.created_at as "createdAt",
  last_sign_in_at as "lastSignInAt"`

const selectAll = statement<StoredStaff>(
  'select-staff',
  `select ${columns} from clearing.staff order by email`,
)
const lockAll = statement<StoredStaff>(
  'lock-staff',
  `select ${columns} from clearing.staff order by email for no key update`,
)
const selectByEmail = statement<StoredStaff>(
  'select-staff-by-email',
  `select ${columns} from clearing.staff where email = lower($1)`,
)
const selectById = statement<StoredStaff>(
  'select-staff-by-id',
  `select ${columns} from clearing.staff where staff_id = $1`,
)
const lockByEmail = statement<StoredStaff>(
  'lock-staff-by-email',
  `select ${columns} from clearing.staff where email = lower($1) for no key update`,
)
const insertRow = statement(
  'insert-staff',
  `insert into clearing.staff (staff_id, email, name, role, password_hash, password_temporary, created_at)
   values ($1, lower($2), $3, $4, $5, $6, $7) on conflict do nothing`,
)
const updateRow = statement(
  'update-staff',
  `update clearing.staff set name = coalesce($2, name), role = coalesce($3, role),
     disabled_at = case when $4::boolean then coalesce(disabled_at, $5) when not $4::boolean then null else disabled_at end
   where staff_id = $1`,
)
const updatePassword = statement(
  'update-staff-password',
  'update clearing.staff set password_hash = $2, password_temporary = $3 where staff_id = $1',
)
const useOnce = statement(
  'use-temporary-password',
  `update clearing.staff set password_used_at = $3
   where staff_id = $1 and password_hash = $2 and password_temporary and password_used_at is null`,
)
const updateSecondFactor = statement(
  'update-staff-second-factor',
  `update clearing.staff set second_factor = $2, second_factor_step = $3, second_factor_offered = null
   where staff_id = $1`,
)
const offerSecondFactor = statement(
  'offer-staff-second-factor',
  'update clearing.staff set second_factor_offered = $2 where staff_id = $1',
)
const useStep = statement(
  'use-second-factor-step',
  'update clearing.staff set second_factor_step = $2 where staff_id = $1 and second_factor_step < $2',
)

const giveAccessRow = statement(
  'give-staff-access',
  'update clearing.staff set access_given_by = lower($2), access_given_at = $3 where staff_id = $1',
)
const selectGivers = statement<{ name: string }>(
  'select-access-givers',
  `with recursive giver (name) as (
     select lower($1)
     union
     select access_given_by from giver join clearing.staff on email = giver.name
     where access_given_by is not null and access_given_at > $2
   )
   select name from giver`,
)

/** Records that another person or a credential made, opened or changed the access of a person. */
export function giveAccess(tx: Tx, staffId: string, by: string, at: Date): Promise<number> {
  return tx.run(giveAccessRow, [staffId, by, at])
}

/** The person, the giver of the person's access since the time, that giver's giver, and so on. In lower case. */
export async function readAccessGivers(tx: Tx, email: string, since: Date): Promise<string[]> {
  return (await tx.rows(selectGivers, [email, since])).map(({ name }) => name)
}

/** The active admins and principals, who are notified when access changes. */
export async function readSupervisors(tx: Tx): Promise<string[]> {
  return (await readStaff(tx))
    .filter(({ role, disabledAt }) => disabledAt === null && (role === 'admin' || role === 'principal'))
    .map(({ email }) => email)
}

export function readStaff(tx: Tx): Promise<StoredStaff[]> {
  return tx.rows(selectAll)
}
/** Locks every row, in one order. */
export function lockStaff(tx: Tx): Promise<StoredStaff[]> {
  return tx.rows(lockAll)
}
export function readStaffByEmail(tx: Tx, email: string): Promise<StoredStaff | undefined> {
  return tx.row(selectByEmail, [email])
}
export function readStaffById(tx: Tx, staffId: string): Promise<StoredStaff | undefined> {
  return tx.row(selectById, [staffId])
}
export function lockStaffByEmail(tx: Tx, email: string): Promise<StoredStaff | undefined> {
  return tx.row(lockByEmail, [email])
}

/** False if a person with this e-mail address exists. */
export async function insertStaff(
  tx: Tx,
  staff: {
    staffId: string
    email: string
    name: string
    role: StaffRole
    passwordHash: string | null
    passwordTemporary: boolean
    at: Date
  },
): Promise<boolean> {
  return (
    (await tx.run(insertRow, [
      staff.staffId,
      staff.email,
      staff.name,
      staff.role,
      staff.passwordHash,
      staff.passwordTemporary,
      staff.at,
    ])) === 1
  )
}

/** Changes the given members. A change of role and disabling end the person's sessions (trigger end_sessions). */
export function updateStaffRow(
  tx: Tx,
  staffId: string,
  change: {
    name?: string | undefined
    role?: string | undefined
    disabled?: boolean | undefined
    at: Date
  },
): Promise<number> {
  return tx.run(updateRow, [
    staffId,
    change.name ?? null,
    change.role ?? null,
    change.disabled ?? null,
    change.at,
  ])
}

export function writePassword(tx: Tx, staffId: string, hash: string, temporary: boolean): Promise<number> {
  return tx.run(updatePassword, [staffId, hash, temporary])
}

/** False if the temporary password was used already or is no longer the person's. */
export async function useTemporaryPassword(
  tx: Tx,
  { staffId, passwordHash }: StoredStaff,
  at: Date,
): Promise<boolean> {
  return (await tx.run(useOnce, [staffId, passwordHash, at])) === 1
}

/** Null removes the second factor and ends the sessions. */
export function writeSecondFactor(
  tx: Tx,
  staffId: string,
  sealed: Buffer | null,
  step: number,
): Promise<number> {
  return tx.run(updateSecondFactor, [staffId, sealed, step])
}
export function writeOfferedSecondFactor(tx: Tx, staffId: string, sealed: Buffer): Promise<number> {
  return tx.run(offerSecondFactor, [staffId, sealed])
}
/** False if a code of this or a later time step was used. */
export async function useSecondFactorStep(tx: Tx, staffId: string, step: number): Promise<boolean> {
  return (await tx.run(useStep, [staffId, step])) === 1
}

// Sessions

export interface StaffSession extends StoredStaff {
  readonly seenAt: string
}

const insertSessionRow = statement(
  'insert-staff-session',
  `with signed as (update clearing.staff set last_sign_in_at = $3 where staff_id = $2)
   insert into clearing.staff_session (session_hash, staff_id, created_at, seen_at, expires_at, address, browser)
   values ($1, $2, $3, $3, $4, $5, $6)`,
)
const selectSession = statement<StaffSession>(
  'select-staff-session',
  `select ${columns}, seen_at as "seenAt" from clearing.staff_session join clearing.staff using (staff_id)
   where session_hash = $1 and expires_at > $2 and seen_at > $3 and disabled_at is null`,
)
const touchSession = statement(
  'touch-staff-session',
  'update clearing.staff_session set seen_at = $2 where session_hash = $1 and seen_at < $2',
)
const deleteSession = statement(
  'delete-staff-session',
  'delete from clearing.staff_session where session_hash = $1',
)

export function insertSession(
  tx: Tx,
  session: { hash: Buffer; staffId: string; at: Date; expiresAt: Date; address: string; browser: string },
): Promise<number> {
  return tx.run(insertSessionRow, [
    session.hash,
    session.staffId,
    session.at,
    session.expiresAt,
    session.address,
    session.browser,
  ])
}
/** The person of a session that has neither expired nor been idle too long. */
export function readSession(
  tx: Tx,
  hash: Buffer,
  now: Date,
  seenAfter: Date,
): Promise<StaffSession | undefined> {
  return tx.row(selectSession, [hash, now, seenAfter])
}
export function noteSessionSeen(tx: Tx, hash: Buffer, at: Date): Promise<number> {
  return tx.run(touchSession, [hash, at])
}
export function endSession(tx: Tx, hash: Buffer): Promise<number> {
  return tx.run(deleteSession, [hash])
}

export interface SessionRow {
  readonly hash: Buffer
  readonly startedOn: string
  readonly seenOn: string
  readonly address: string
  readonly browser: string
}
const selectSessions = statement<SessionRow>(
  'select-staff-sessions',
  `select session_hash as hash, created_at as "startedOn", seen_at as "seenOn", address, browser from clearing.staff_session
   where staff_id = $1 and expires_at > $2 and seen_at > $3 order by seen_at desc`,
)
const deleteSessions = statement(
  'delete-staff-sessions',
  'delete from clearing.staff_session where staff_id = $1 and session_hash is distinct from $2',
)

export function readSessions(tx: Tx, staffId: string, now: Date, seenAfter: Date): Promise<SessionRow[]> {
  return tx.rows(selectSessions, [staffId, now, seenAfter])
}
/** Ends all sessions of a person except `kept`. */
export function endSessions(tx: Tx, staffId: string, kept: Buffer | null): Promise<number> {
  return tx.run(deleteSessions, [staffId, kept])
}
