/** Reads server-sent events from bytes (WHATWG HTML, section 9.2.6). */

export interface ServerSent {
  /** The name of the event; `message` when it has none. */
  readonly event: string
  /** The data; empty for a block with an id only. */
  readonly data: string
  /** The last id, of this block or of an earlier one. */
  readonly id: string | undefined
}

/** All blocks with data or an id, in order. Comments are skipped. */
export async function* readServerSent(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const blocks = startBlocks()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      // A CR at the end can be the first half of a CR LF.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      text = lines.pop() ?? ''
      for (const line of lines) {
        const block = blocks.add(line)
        if (block !== undefined) yield block
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function startBlocks(): { add(line: string): ServerSent | undefined } {
  let id: string | undefined
  let moved = false
  let event = ''
  let data: string[] = []
  return {
    add(line) {
      if (line === '') {
        const block = { event: event || 'message', data: data.join('\n'), id }
        const said = moved || data.length > 0
        event = ''
        data = []
        moved = false
        return said ? block : undefined
      }
      const colon = line.indexOf(':')
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id' && !value.includes('\0')) {
        id = value
        moved = true
      }
      return undefined
    },
  }
}
