// Asks clamd whether content is infected, with its INSTREAM command over TCP or a unix socket. Fails closed: every
// response that is not clear is a ScannerUnavailable, for which the caller responds 503 and stores nothing.
import { connect } from 'node:net'
import type { Readable } from 'node:stream'

export type ScannerSettings = {
  /** The address of clamd. */
  address: { host: string; port: number } | { path: string }
  /** The time limit of one whole scan. */
  timeoutMs?: number
}

export type ScanVerdict = { infected: false } | { infected: true; signature: string }

export type VirusScanner = {
  /** Reads `content` to its end. Throws ScannerUnavailable. */
  scan(content: Readable): Promise<ScanVerdict>
  /** For the readiness check: throws ScannerUnavailable unless clamd responds to PING. */
  check(): Promise<void>
}

/** The scanner gave no clear response. A fault; the response is 503. */
export class ScannerUnavailable extends Error {}

const SCAN_TIMEOUT_MS = 30_000
const ANSWER_BYTES_MAX = 4_096
const PIECE_BYTES_MAX = 65_536

export function createVirusScanner(settings: ScannerSettings): VirusScanner {
  const timeoutMs = settings.timeoutMs ?? SCAN_TIMEOUT_MS
  return {
    async scan(content) {
      try {
        return readVerdict(await ask(settings.address, timeoutMs, 'zINSTREAM\0', content))
      } finally {
        content.destroy()
      }
    },
    async check() {
      const answer = await ask(settings.address, timeoutMs, 'zPING\0')
      if (answer !== 'PONG') throw new ScannerUnavailable('The virus scanner does not answer PING with PONG.')
    },
  }
}

function readVerdict(answer: string): ScanVerdict {
  if (answer === 'stream: OK') return { infected: false }
  const found = /^stream: (.{1,200}) FOUND$/.exec(answer)
  if (found?.[1]) return { infected: true, signature: found[1] }
  throw new ScannerUnavailable(`The virus scanner answered ${JSON.stringify(answer.slice(0, 200))}.`)
}

/** Sends one command, with its stream if any, and reads the response up to its final NUL. */
function ask(
  address: ScannerSettings['address'],
  timeoutMs: number,
  command: string,
  content?: Readable,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    let answer = ''
    let settled = false
    const settle = (act: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      socket.destroy()
      content?.destroy()
      act()
    }
    const fail = (reason: string, cause?: unknown) =>
      settle(() => reject(new ScannerUnavailable(`The virus scanner ${reason}.`, { cause })))
    const timer = setTimeout(() => fail(`gave no answer within ${timeoutMs} ms`), timeoutMs)

    socket.on('error', (cause) => fail('cannot be reached or broke the connection', cause))
    socket.on('close', () => fail('closed the connection without an answer'))
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString('latin1')
      const end = answer.indexOf('\0')
      if (end >= 0) settle(() => resolve(answer.slice(0, end).trim()))
      else if (answer.length > ANSWER_BYTES_MAX) fail('sent too long a response')
    })
    socket.write(command)
    if (!content) return
    sendPieces(socket, content, () => settled).catch((cause) => fail('could not be given the content', cause))
  })
}

async function sendPieces(
  socket: ReturnType<typeof connect>,
  content: Readable,
  ended: () => boolean,
): Promise<void> {
  for await (const piece of content as AsyncIterable<Buffer>) {
    for (let at = 0; at < piece.length; at += PIECE_BYTES_MAX) {
      if (ended()) return
      const part = piece.subarray(at, at + PIECE_BYTES_MAX)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      socket.write(length)
      if (!socket.write(part)) await drained(socket)
    }
  }
  if (!ended()) socket.write(Buffer.alloc(4))
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.on('drain', done)
    socket.on('close', done)
  })
}
