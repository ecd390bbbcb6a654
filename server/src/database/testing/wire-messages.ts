// The framing of PostgreSQL's protocol, for the fault proxy: splits bytes into messages, and finds the statement that a
// message runs.

export interface Message {
  /** The type byte of the message; empty for the startup message, which has none. */
  type: string
  /** The whole message with type byte and length. */
  bytes: Buffer
}

/** Splits a stream of bytes into messages. A client's stream begins with a startup message. */
export class MessageReader {
  #greeting: boolean
  #rest: Buffer = Buffer.alloc(0)

  constructor(settings: { greeting: boolean }) {
    this.#greeting = settings.greeting
  }

  *read(bytes: Buffer): Generator<Message> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    for (;;) {
      const head = this.#greeting ? 0 : 1
      if (this.#rest.length < head + 4) return
      const length = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < length) return
      const message = {
        type: this.#rest.toString('latin1', 0, head),
        bytes: Buffer.from(this.#rest.subarray(0, length)),
      }
      this.#rest = this.#rest.subarray(length)
      this.#greeting = false
      yield message
    }
  }
}

/** Follows Parse and Bind messages to find the text that an Execute or a simple query runs. */
export class StatementReader {
  readonly #textOf = new Map<string, string>()
  readonly #boundTo = new Map<string, string>()

  /** Returns the text that the message runs, or undefined. */
  read(message: Message): string | undefined {
    const [first = '', second = ''] = message.bytes.toString('latin1', 5).split('\0', 2)
    switch (message.type) {
      case 'P':
        this.#textOf.set(first, second)
        return undefined
      case 'B':
        this.#boundTo.set(first, second)
        return undefined
      case 'E':
        return this.#textOf.get(this.#boundTo.get(first) ?? '')
      case 'Q':
        return first
      default:
        return undefined
    }
  }
}

export function isCommit(text: string): boolean {
  return /^\s*commit\b/i.test(text)
}
