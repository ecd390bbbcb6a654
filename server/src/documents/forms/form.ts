/** The elements of a form before it is drawn: sections of boxes, check boxes, texts and signatures. */
import type { AccountRecord, Party } from '@clearing/domain'

/** The data for a form. */
export interface FormCase {
  readonly accountNumber: string
  readonly accountName: string
  readonly record: AccountRecord
  /** The client firm that has the account. */
  readonly firmName: string
  /** The subject of a form about one person. */
  readonly person: Party
  /** True shows tax ids and identification numbers in full; false shows the last four digits. */
  readonly personalNumbers: boolean
}

export interface Form {
  readonly sections: readonly Section[]
}

export interface Section {
  readonly title: string
  readonly parts: readonly Part[]
  /** No other section is on its pages. */
  readonly apart?: true
}

export type Part =
  /** Boxes in one line, each with its label and its share of the width. */
  | { readonly kind: 'boxes'; readonly boxes: readonly Box[] }
  | { readonly kind: 'checks'; readonly label: string; readonly checks: readonly Check[] }
  /** Questions that are answered by yes or no. */
  | {
      readonly kind: 'questions'
      readonly questions: readonly { readonly question: string; readonly answer: boolean }[]
    }
  | { readonly kind: 'text'; readonly text: string }
  /** A disclosure in a frame. */
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'clauses'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly kind: 'signature'; readonly name: string; readonly capacity: string }

export interface Box {
  readonly label: string
  readonly value: string
  readonly share: number
}

export interface Check {
  readonly label: string
  readonly checked: boolean
}

export interface Column {
  readonly label: string
  readonly share: number
  /** Figures are at the right edge. */
  readonly right?: true
}

export interface Row {
  readonly cells: readonly string[]
  /** A total, in bold type. */
  readonly strong?: true
}

export interface Clause {
  readonly title: string
  readonly text: string
}

export function box(label: string, value: string | undefined, share = 1): Box {
  return {
    label,
    value: value ?? '',
    share,
  }
}
export function boxes(...all: readonly Box[]): Part {
  return { kind: 'boxes', boxes: all }
}
export function text(content: string): Part {
  return { kind: 'text', text: content }
}
export function notice(content: string): Part {
  return { kind: 'notice', text: content }
}
export function checks(label: string, all: readonly Check[]): Part {
  return { kind: 'checks', label, checks: all }
}
/** Questions with their flags in the record; a missing flag means no. */
export function questions(all: readonly (readonly [question: string, flag: string | undefined])[]): Part {
  return {
    kind: 'questions',
    questions: all.map(([question, flag]) => ({ question, answer: flag?.toLowerCase() === 'true' })),
  }
}
export function clauses(all: Readonly<Record<string, string>>): Part {
  return {
    kind: 'clauses',
    clauses: Object.entries(all).map(([title, content]) => ({ title, text: content })),
  }
}
/** A column whose name begins with `>` has figures. */
export function table(columns: Readonly<Record<string, number>>, rows: readonly Row[]): Part {
  return {
    kind: 'table',
    columns: Object.entries(columns).map(([name, share]) =>
      name.startsWith('>') ? { label: name.slice(1), share, right: true } : { label: name, share },
    ),
    rows,
  }
}
export function signature(name: string, capacity: string): Part {
  return { kind: 'signature', name, capacity }
}
