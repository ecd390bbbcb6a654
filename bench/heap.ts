/**
 * Measures the memory of a service after a full collection: its heap and its external buffers, through the
 * debugging protocol of Node.js.
 */

export interface HeapOf extends Disposable {
  /** Bytes that are still reachable. */
  readonly bytesHeld: () => Promise<number>
}

interface Answer {
  readonly id: number
  readonly result: Readonly<Record<string, number>>
}

/** Connects to a process that was started with `--inspect=127.0.0.1:<port>`. */
export async function openHeap(port: number): Promise<HeapOf> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  if (target === undefined) throw new Error('nothing can be inspected')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('the process refuses to be inspected')), {
      once: true,
    })
  })
  let ids = 0
  const ask = (method: string): Promise<Answer['result']> => {
    ids += 1
    const id = ids
    return new Promise((resolve) => {
      const onMessage = ({ data }: MessageEvent) => {
        const answer: Answer = JSON.parse(String(data))
        if (answer.id !== id) return
        socket.removeEventListener('message', onMessage)
        resolve(answer.result)
      }
      socket.addEventListener('message', onMessage)
      socket.send(JSON.stringify({ id, method }))
    })
  }
  return {
    async bytesHeld() {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage')
      return usedSize + backingStorageSize
    },
    [Symbol.dispose]() {
      socket.close()
    },
  }
}
