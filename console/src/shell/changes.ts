/**
 * Follows changes of the service and reloads the data of the screen. Without the stream it reloads at intervals, and
 * every few seconds while the service cannot be reached. A list that is scrolled far down, and values of past days are
 * not reloaded.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { setServiceTime } from '../design/service-clock.ts'
import { isShort } from '../reads.ts'
import { checkSession, interrupted, reachable } from '../session/session.ts'

const withoutStreamMs = 15_000
const unreachableMs = 4_000

export function useChanges(): void {
  const queries = useQueryClient()
  const isInterrupted = interrupted.use() !== undefined
  const followed = useRef(false)
  useEffect(() => {
    if (isInterrupted) return
    const readAnew = () => {
      if (document.visibilityState !== 'visible') return
      void queries.invalidateQueries({ predicate: (query) => isShort(query) && !query.meta?.isPast })
    }
    const stream = new EventSource('/console/changes')
    const takeTime = ({ data }: MessageEvent<string>) =>
      setServiceTime((JSON.parse(data) as { readonly now: string }).now)
    stream.addEventListener('open', () => {
      // Changes between two streams were not reported.
      if (followed.current) readAnew()
      followed.current = true
    })
    stream.addEventListener('time', takeTime)
    stream.addEventListener('changed', (notice) => {
      takeTime(notice)
      readAnew()
    })
    // The browser opens the stream again by itself if the person has a new session.
    stream.addEventListener('signed-out', () => void checkSession())
    const timer = setInterval(() => {
      if (stream.readyState !== EventSource.OPEN) readAnew()
    }, withoutStreamMs)
    return () => {
      stream.close()
      clearInterval(timer)
    }
  }, [queries, isInterrupted])
  const isReachable = reachable.use()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(() => void queries.refetchQueries({ type: 'active' }), unreachableMs)
    return () => clearInterval(timer)
  }, [queries, isReachable])
}
