/**
 * Reads a secret: from the keyboard without echo, or from the first line of standard input if that is not a terminal.
 */
import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'
import { Interrupted } from './wrong-usage.ts'

export async function readSecret(prompt: string, { input, note, showsProgress }: Terminal): Promise<string> {
  if (input.isTTY !== true) return (await text(input)).split(/\r?\n/, 1)[0]?.trim() ?? ''
  if (showsProgress) process.stderr.write(prompt)
  input.setRawMode?.(true)
  let secret = ''
  try {
    for await (const piece of input) {
      for (const character of String(piece)) {
        if (character === '\u0003') throw new Interrupted('interrupted')
        if (character === '\r' || character === '\n' || character === '\u0004') return secret.trim()
        secret = character === '\u007f' || character === '\b' ? secret.slice(0, -1) : secret + character
      }
    }
    return secret.trim()
  } finally {
    input.setRawMode?.(false)
    note('')
  }
}
