/**
 * A load generator. It keeps a number of connections busy with one request each and counts the responses. It
 * runs in a process of its own (`node bench/load.ts` with its settings as JSON on standard input), so that it
 * takes no time from the measured service.
 */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Load {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** `#########` is replaced by nine digits that no other request has. Several bodies are sent in turn. */
  readonly body: string | readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  /** When the first request was sent, in milliseconds since 1970. */
  readonly startedAtMs: number
  readonly succeeded: number
  readonly requestsPerSecond: number
  readonly failures: number
  readonly medianMs: number
  /** The 99th percentile of the durations. */
  readonly p99Ms: number
  readonly slowestMs: number
}

const place = '#########'

/** Runs the load in a child process. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`the load generator ended with ${code}`)),
    )
    child.stdin.end(JSON.stringify(load))
  })
}

async function generate(load: Load): Promise<LoadResult> {
  const endMs = performance.now() + load.seconds * 1_000
  const times: number[] = []
  let failures = 0
  // Areas 100 to 665 are valid in an SSN; groups and serials must not be zero.
  let counter = 100_000_000 + Math.floor(Math.random() * 500_000_000)
  const unique = () => {
    do counter += 1
    while (counter % 10_000 === 0 || Math.floor(counter / 10_000) % 100 === 0)
    return String(counter)
  }
  const head = Object.entries(load.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const bodies = [load.body].flat()
  let sent = 0
  const request = () => {
    const next = bodies[sent++ % bodies.length] as string
    const body = next.includes(place) ? next.replace(place, unique()) : next
    return `POST ${load.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(load.port, '127.0.0.1')
      socket.setNoDelay(true)
      let sentMs = 0
      let received: Buffer = Buffer.alloc(0)
      const send = () => {
        sentMs = performance.now()
        socket.write(request())
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (piece: Buffer) => {
        received = received.length === 0 ? piece : Buffer.concat([received, piece])
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]
        if (length === undefined) return reject(new Error('an answer has no length'))
        if (received.length < end + 4 + Number(length)) return
        const ok = received.toString('latin1', 9, 12) === '200'
        received = Buffer.alloc(0)
        const nowMs = performance.now()
        times.push(nowMs - sentMs)
        if (!ok) failures += 1
        if (nowMs < endMs) send()
        else {
          socket.end()
          resolve()
        }
      })
    })
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: load.connections }, keepBusy))
  const tookSeconds = (performance.now() - startedMs) / 1_000
  times.sort((a, b) => a - b)
  return {
    startedAtMs: performance.timeOrigin + startedMs,
    succeeded: times.length - failures,
    requestsPerSecond: (times.length - failures) / tookSeconds,
    failures,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    slowestMs: times.at(-1) ?? 0,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let input = ''
  for await (const piece of process.stdin) input += piece
  process.stdout.write(JSON.stringify(await generate(JSON.parse(input))))
}
