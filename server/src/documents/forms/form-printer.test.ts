/** Forms are drawn in a thread whose faults affect only the forms that wait for it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PartUnavailable } from '../../part-unavailable.ts'
import type { Form } from './form.ts'
import { FormPrinter } from './form-printer.ts'

const heading = { title: 'A form', code: 'F', accountNumber: '1', day: '2026-01-01' }

test('firms take turns, and a firm with too many forms is refused without others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'form-printer-'))
  const workerFile = join(folder, 'worker.mjs')
  await writeFile(
    workerFile,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ number }) => parentPort.postMessage({ number, pdf: new Uint8Array() }))`,
  )
  const printer = new FormPrinter({ workerFile })
  const order: string[] = []
  const print = async (firm: string) => {
    await printer.print(firm, {} as Form, heading)
    order.push(firm)
  }
  try {
    const many = Array.from({ length: 40 }, () => print('many'))
    const few = [print('few'), print('few')]
    const outcomes = await Promise.allSettled(many)
    await Promise.all(few)
    // One is drawn and 32 wait.
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 33)
    for (const form of outcomes.slice(33))
      assert.ok(form.status === 'rejected' && form.reason instanceof PartUnavailable)
    assert.deepEqual(order.slice(0, 6), ['many', 'many', 'few', 'many', 'few', 'many'])
  } finally {
    await printer.close()
    await rm(folder, { recursive: true })
  }
})

test('a form that takes too long is refused with those that wait for it, and the next form is drawn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'form-printer-'))
  const workerFile = join(folder, 'worker.mjs')
  await writeFile(
    workerFile,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ number, heading }) => {
  if (heading.title === 'hang') for (;;);
  parentPort.postMessage({ number, pdf: new TextEncoder().encode(heading.title) })
})`,
  )
  const printer = new FormPrinter({ workerFile, timeoutMs: 4_000 })
  const print = (title: string) => printer.print('one', {} as Form, { ...heading, title })
  try {
    assert.equal((await print('before')).toString(), 'before')
    const lost = await Promise.allSettled([print('hang'), print('behind it')])
    for (const form of lost) assert.ok(form.status === 'rejected' && form.reason instanceof PartUnavailable)
    assert.equal((await print('after')).toString(), 'after')
  } finally {
    await printer.close()
    await rm(folder, { recursive: true })
  }
})
