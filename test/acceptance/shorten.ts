/** Shortens waits of the service for the tests of a file. The other files of the process have the usual limits. */
import { after, before } from 'node:test'

export function shorten<T extends object>(limits: T, changed: Partial<T>): void {
  const usual = { ...limits }
  before(() => void Object.assign(limits, changed))
  after(() => void Object.assign(limits, usual))
}
