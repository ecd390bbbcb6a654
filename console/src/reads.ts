/** Reads and writes by an operation's name. Reads are cached by name and request, and every write invalidates them. */
import { type CallOf, OutcomeUnknown, RequestRejected, SignedOut } from '@clearing/sdk'
import {
  type Query,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type Answered, call, type Readable } from './client.ts'
import { mayPass } from './design/fault.ts'
import { reachable } from './session/session.ts'

function notice(fault: unknown) {
  // A session can end between the attempts of a write whose first response was lost.
  const isSignedOut = fault instanceof OutcomeUnknown && fault.cause instanceof SignedOut
  reachable.set(isSignedOut || !mayPass(fault))
}

export function makeQueries() {
  return new QueryClient({
    queryCache: new QueryCache({ onError: notice, onSuccess: () => reachable.set(true) }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // The client has retried already; repeating a rejected request does not help.
        retry: false,
        // The client itself reports an unreachable service.
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      mutations: { onError: notice, networkMode: 'always' },
    },
  })
}

export interface ReadSettings {
  readonly enabled?: boolean
  /** The firm, for an operation of a firm whose request names no account. */
  readonly firmId?: string
  /** The reason to show unmasked personal numbers, which the service records with the reader. */
  readonly reveal?: string | undefined
  /** The interval of repeated reads while the page is visible. */
  readonly everyMs?: number | undefined
  /** Shows the previous response while the next one is loading, for filters and pages. */
  readonly keep?: boolean
}

function headersOf({
  firmId,
  reveal,
}: {
  firmId?: string | undefined
  reveal?: string | undefined
}): Record<string, string> {
  return {
    ...(firmId === undefined ? {} : { 'X-Clearing-Firm': firmId }),
    ...(reveal === undefined
      ? {}
      : {
          'X-Clearing-Reveal': 'personal-numbers',
          'X-Clearing-Reveal-Reason': encodeURIComponent(reveal),
        }),
  }
}

/** Keeps the previous response only within an account and a firm, so that a screen never shows another's rows. */
function keepFor(request: object, headers: Record<string, string>) {
  const owner = ownerOf(request, headers)
  return <T>(before: T, query: { readonly queryKey: readonly unknown[] } | undefined): T | undefined => {
    const [, asked, sent] = query?.queryKey ?? []
    return ownerOf(asked, sent) === owner ? before : undefined
  }
}

function ownerOf(request: unknown, headers: unknown): string {
  const { accountNumber, firmId } = (request ?? {}) as Readonly<Record<string, unknown>>
  const { 'X-Clearing-Firm': named } = (headers ?? {}) as Readonly<Record<string, unknown>>
  return JSON.stringify([accountNumber, firmId, named])
}

export function useRead<N extends Readable>(name: N, request: CallOf<N>, settings: ReadSettings = {}) {
  const headers = headersOf(settings)
  return useQuery<Answered<N>>({
    queryKey: [name, request, headers],
    queryFn: async ({ signal }) => (await call(name, request, { signal, headers })).data,
    enabled: settings.enabled ?? true,
    ...(settings.everyMs === undefined ? {} : { refetchInterval: settings.everyMs }),
    ...(settings.keep ? { placeholderData: keepFor(request, headers) } : {}),
  })
}

/** The operations that return a list in pages. */
type Paged = {
  [N in Readable]: Answered<N> extends { next: string }
    ? 'after' | 'size' extends keyof CallOf<N>
      ? N
      : never
    : never
}[Readable]

/** A list that is read in pages: `rows` so far, and `more` to load the next page when their end becomes visible. */
export function usePages<N extends Paged, M extends keyof Answered<N>>(
  name: N,
  member: M,
  request: CallOf<N>,
  settings: ReadSettings = {},
) {
  const headers = headersOf(settings)
  const read = useInfiniteQuery({
    queryKey: [name, request, headers, 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const page = {
        ...request,
        size: pageSize,
        ...(pageParam === '' ? {} : { after: pageParam }),
      }
      return (await call(name, page, { signal, headers })).data
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page as { next: string }).next || undefined,
    enabled: settings.enabled ?? true,
    placeholderData: keepFor(request, headers),
  })
  const rows = useMemo(
    () => (read.data?.pages ?? []).flatMap((page) => page[member] as unknown[]) as Rows<Answered<N>[M]>,
    [read.data, member],
  )
  const { hasNextPage, isFetching, fetchNextPage, isFetchNextPageError } = read
  // The end of the rows stays visible after a failure, so only a person reads the failed page again.
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const again = () => void (isFetchNextPageError ? fetchNextPage() : read.refetch())
  /** Not cached, because a list that was read to its end would be read again with all its pages. */
  const readAll = async () => {
    const all: unknown[] = []
    let after = ''
    do {
      const page = { ...request, size: pageSize, ...(after === '' ? {} : { after }) }
      const { data } = await call(name, page, { headers })
      all.push(...(data[member] as unknown[]))
      after = (data as { next: string }).next
    } while (after !== '' && all.length < readAllMax)
    return all as Rows<Answered<N>[M]>
  }
  return { ...read, rows, more, again, readAll }
}

export const pageSize = 100
/** The largest number of rows that is saved or printed. */
const readAllMax = 10_000
type Rows<T> = T extends readonly (infer Row)[] ? Row[] : never

const shortPagesMax = 10

/** A list read to its end. */
export function useAll<N extends Paged, M extends keyof Answered<N>>(
  name: N,
  member: M,
  request: CallOf<N>,
  settings: ReadSettings = {},
) {
  const pages = usePages(name, member, request, settings)
  const { hasNextPage, more } = pages
  useEffect(() => {
    if (hasNextPage) more()
  }, [hasNextPage, more])
  return pages
}

/** Without repetition: a row that moved between pages is at its first position. */
export function eachOnce<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map([...rows].reverse().map((row) => [keyOf(row), row])).values()].reverse()
}

/** Whether reading again is quick. A list is read page after page, up to the scrolled position. */
export function isShort({ state }: Query): boolean {
  return ((state.data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) <= shortPagesMax
}

/**
 * A write. One idempotency key covers all attempts of a request, also after a lost connection. Another request, or the
 * next one after a success, gets a new key.
 */
export function useWrite<N extends Readable>(name: N, { firmId }: { readonly firmId?: string } = {}) {
  const queries = useQueryClient()
  const attempt = useRef<{ request: string; key: string }>(undefined)
  return useMutation({
    mutationFn: async (request: CallOf<N>) => {
      const text = JSON.stringify(request)
      if (attempt.current?.request !== text) attempt.current = { request: text, key: crypto.randomUUID() }
      return call(name, request, { idempotencyKey: attempt.current.key, headers: headersOf({ firmId }) })
    },
    onError: (fault) => {
      // After a new sign-in the same request may follow one whose outcome is unknown.
      if (fault instanceof RequestRejected && !(fault instanceof SignedOut)) attempt.current = undefined
      notice(fault)
    },
    onSuccess: async () => {
      attempt.current = undefined
      void queries.invalidateQueries({ predicate: (query) => !isShort(query) })
      await queries.invalidateQueries({ predicate: isShort })
    },
  })
}

export type Write<N extends Readable> = ReturnType<typeof useWrite<N>>
