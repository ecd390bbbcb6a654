/** Items of work that the service would not take: somebody else was first, or the rules forbid it. */
import { tell } from '../design/notices.tsx'

/** What could not be done, in one notice. */
export const tellRefused = (refused: readonly { readonly workId: string; readonly reason: string }[]) => {
  const [first] = refused
  if (first === undefined) return
  tell({
    tone: 'bad',
    title: refused.length === 1 ? 'One item was refused' : `${refused.length} items were refused`,
    message: [...new Set(refused.map(({ reason }) => reason))].join(' '),
  })
}
