/**
 * Serves the people of the clearing firm: the console, their sign-in and sessions, and the changes that the console
 * follows.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openChangeListener } from '../../database/change-listener.ts'
import type { Pool } from '../../database/pool.ts'
import type { People } from '../../identity/staff/people.ts'
import type { Started } from '../../started.ts'
import { mountConsole } from '../mount-console.ts'
import { mountChanges } from './mount-changes.ts'
import { mountSession } from './mount-session.ts'
import { mountSignIn } from './mount-sign-in.ts'

export interface StaffSettings {
  /** A pool of which one connection listens for changes. */
  readonly events: Pool
  readonly started: Started
  readonly log: Logger
  /** The service's time, by which pages show the age of data. */
  readonly clock: { now(): Date }
}

export function mountStaff(
  app: FastifyInstance,
  people: People,
  { events, started, log, clock }: StaffSettings,
): void {
  mountSignIn(app, people)
  mountSession(app, people, () => clock.now())
  const changes = openChangeListener(events, 'clearing_event', {
    onFault: (fault) => log.warn({ err: fault }, 'changes for the console'),
    onBack: () => log.info('notifications for the console arrive again'),
  })
  started.add(async () => changes[Symbol.asyncDispose]())
  mountChanges(app, people, { listener: changes, clock: () => clock.now() })
  mountConsole(app)
}
