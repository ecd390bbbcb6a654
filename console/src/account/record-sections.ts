/**
 * A record in the order of the catalogue of fields: a section for each part, with its fields under headings and its
 * empty fields apart.
 */
import { accountBlock, fieldOf, memberOf, type RecordBlock } from '@clearing/protocol'
import { renderCountry, valueInWords } from '../design/record-words.ts'
import { wordsOf } from '../design/words.ts'
import { type Block, isBlock } from './record.ts'

export interface Row {
  readonly path: string
  readonly label: string
  /** Several for the lines of an address. */
  readonly lines: readonly string[]
}

export interface Group {
  readonly heading: string
  readonly rows: readonly Row[]
}

export interface Section {
  readonly path: string
  readonly title: string
  readonly groups: readonly Group[]
  /** Labels of the empty fields. */
  readonly empty: readonly string[]
}

interface Found extends Row {
  readonly heading: string
}

/** The sections of a record: the account itself, each of its blocks, and each item of a list. */
export function sectionsOf(record: Block): Section[] {
  const { own, blocks } = split(record, accountBlock)
  const sections = blocks.flatMap(([name, value]) => {
    const block = blockNamed(accountBlock, name)
    if (isAddress(name)) return []
    if (!Array.isArray(value)) return [sectionOf(block.label, value as Block, block, name)]
    return value
      .filter(isBlock)
      .map((each, index) => sectionOf(titleOfItem(block, each, index), each, block, `${name}[${index}]`))
  })
  const addresses = blocks.filter(([name]) => isAddress(name))
  const found = [
    // The same address follows below, line by line.
    ...own.filter(([name]) => name !== 'mailingAddressString').map(([name, value]) => rowOf(name, value)),
    ...addresses.map(([name, value]) => addressRow(name, value as Block, accountBlock.label)),
  ]
  return [grouped('', accountBlock.label, found), ...sections.filter(({ groups }) => groups.length > 0)]
}

function titleOfItem(block: RecordBlock, item: Block, index: number): string {
  const role =
    typeof item.role === 'string' && item.role !== ''
      ? valueInWords('associatedParties[0].role', item.role)
      : ''
  return role === '' ? `${block.item ?? block.label} ${index + 1}` : role
}

function sectionOf(title: string, data: Block, block: RecordBlock, path: string): Section {
  return grouped(path, title, foundIn(data, block, path, block.label))
}

/** The fields of a block and of its inner blocks. */
function foundIn(data: Block, block: RecordBlock, path: string, heading: string): Found[] {
  const { own, blocks } = split(data, block)
  const fields = own.map(([name, value]) => rowOf(`${path}.${name}`, value))
  const inside = blocks.flatMap(([name, value]) => {
    const below = blockNamed(block, name)
    const at = `${path}.${name}`
    if (isAddress(name)) return [addressRow(at, value as Block, 'Contact')]
    return foundIn(value as Block, below, at, below.label)
  })
  const all = joinPhones([...fields, ...inside])
  return heading === block.label ? all : all.map((row) => ({ ...row, heading }))
}

/** A record whose members are in the order of the catalogue. */
export function inOrder(data: Block, block: RecordBlock = accountBlock): Block {
  const { own, blocks } = split(data, block)
  const inside = blocks.map(([name, value]) => {
    const below = blockNamed(block, name)
    const ordered = Array.isArray(value)
      ? value.map((item) => (isBlock(item) ? inOrder(item, below) : item))
      : inOrder(value as Block, below)
    return [name, ordered]
  })
  return Object.fromEntries([...own, ...inside])
}

/** The values of a block and its inner blocks in the order of the catalogue; fields outside the catalogue come last. */
function split(data: Block, block: RecordBlock) {
  const order = Object.values(block.members)
  const place = (name: string) => {
    const member = memberOf(block, name)
    return member === undefined ? order.length : order.indexOf(member)
  }
  const members = Object.entries(data).sort(([one], [other]) => place(one) - place(other))
  const holdsBlocks = (value: unknown) => isBlock(value) || (Array.isArray(value) && value.some(isBlock))
  return {
    own: members.filter(([, value]) => !holdsBlocks(value)),
    blocks: members.filter(([, value]) => holdsBlocks(value)),
  }
}

function blockNamed(block: RecordBlock, name: string): RecordBlock {
  const member = memberOf(block, name)
  return member?.kind === 'block' ? member : { kind: 'block', label: wordsOf(name), members: {} }
}

function isAddress(name: string) {
  return /address$/i.test(name)
}

function rowOf(path: string, value: unknown): Found {
  const field = fieldOf(path)
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  const words = valueInWords(path, text)
  return {
    path,
    heading: field?.group ?? 'Other',
    label: field?.label ?? wordsOf(path.slice(path.lastIndexOf('.') + 1)),
    lines: words === '' ? [] : [words],
  }
}

function addressRow(path: string, address: Block, heading: string): Found {
  const {
    street = '',
    city = '',
    stateProvince = '',
    postalCode = '',
    country = '',
  } = address as Record<string, string>
  const place = [city, [stateProvince, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const lines = [...String(street).split('\n'), place, renderCountry(country)].filter(Boolean)
  const name = path.slice(path.lastIndexOf('.') + 1)
  const label = fieldOf(`${path}.city`)?.group ?? wordsOf(name)
  return { path, heading, label, lines }
}

/** A country code stands before its number. */
function joinPhones(rows: readonly Found[]): Found[] {
  return rows.flatMap((row, index) => {
    if (row.label.endsWith(', country code')) return []
    const before = rows[index - 1]
    const [number] = row.lines
    const [region] = before?.label === `${row.label}, country code` ? before.lines : []
    return [
      region === undefined || number === undefined
        ? row
        : { ...row, lines: [`+${region.replace('+', '')} ${number}`] },
    ]
  })
}

function grouped(path: string, title: string, found: readonly Found[]): Section {
  const headings = [...new Set(found.map(({ heading }) => heading))]
  const groups = headings.map((heading) => ({
    heading: heading === title || headings.length === 1 ? '' : heading,
    rows: found.filter((row) => row.heading === heading && row.lines.length > 0),
  }))
  return {
    path,
    title,
    groups: groups.filter(({ rows }) => rows.length > 0),
    empty: [...new Set(found.filter(({ lines }) => lines.length === 0).map(({ label }) => label))],
  }
}
