/**
 * `node:test` tracks every promise of a process, to assign new tests and stray faults to the right test. This takes a
 * seventh of the processor time of the service's tests. Here it tracks promises only while a file declares its tests. A
 * stray fault then fails the file in which it occurs, not a single test.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'
import { suite } from 'node:test'

let ofTests: AsyncHook | undefined
const hooks: { enable(this: AsyncHook): AsyncHook } = Object.getPrototypeOf(createHook({}))
const { enable } = hooks

/** The first hook of the process is that of `node:test`, which the first suite enables. */
hooks.enable = function (this: AsyncHook) {
  ofTests = this
  hooks.enable = enable
  return enable.call(this)
}

/** Declares a suite. A test that a running test declares later is not assigned to the running test. */
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
