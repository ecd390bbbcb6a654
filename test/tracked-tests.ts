/**
 * `node:test` follows every promise of a process, to know to which test a new test or a stray fault belongs. That is a
 * seventh of the processor time of the service's tests. Here it does so only while a file declares its tests: a stray
 * fault then fails the file in which it comes, not one test of it.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'
import { suite } from 'node:test'

let ofTests: AsyncHook | undefined
const hooks: { enable(this: AsyncHook): AsyncHook } = Object.getPrototypeOf(createHook({}))
const { enable } = hooks

/** The first hook of the process is that of `node:test`, enabled with the first suite. */
hooks.enable = function (this: AsyncHook) {
  ofTests = this
  hooks.enable = enable
  return enable.call(this)
}

/** Declares a suite. Tests that are declared later, by a running test, are not known as its own. */
export function declareSuite(name: string, declare: () => Promise<unknown>): void {
  ofTests?.enable()
  void suite(name, async () => {
    try {
      await declare()
    } finally {
      ofTests?.disable()
    }
  })
}
