/** What `doctor` finds out about one setting. */
export interface Finding {
  readonly kind: 'wrong' | 'advice' | 'right'
  readonly text: string
}
