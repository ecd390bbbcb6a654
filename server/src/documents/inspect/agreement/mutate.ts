// Mutations that can make two readers see two documents: other spellings of every token of the structure,
// objects hidden at the target of a table, two definitions of one object, misplaced brackets, updates,
// damage.
import type { Payload } from './payloads.ts'
import { partsOf } from './payloads.ts'
import { Chance } from './random.ts'
import type { Draft, Part, Shelter, Token } from './write-pdf.ts'
import { writePdf } from './write-pdf.ts'

export type Mutant = { bytes: Buffer; changes: string[] }

type Gene = { label: string; apply(draft: Draft, chance: Chance): void }

export function mutate(payload: Payload, seed: number): Mutant {
  const chance = new Chance(seed)
  const parts = partsOf(payload).map((part) => ({ ...part }))
  const numbers = parts.filter(({ stream }) => !stream).map(({ number }) => number)
  const table = chance.pick(['table', 'stream', 'hybrid'] as const)
  const draft: Draft = {
    parts,
    packed: new Set(table === 'table' ? [] : numbers.filter(() => !chance.once(3))),
    compressed: chance.once(2),
    table,
    hidden: new Map(),
    update: [],
    spell: (_, plain) => plain,
  }
  const changes: string[] = []
  const count = seed === 0 ? 0 : 1 + chance.below(3)
  for (let index = 0; index < count; index++) {
    const gene = chance.pick(genes)
    gene.apply(draft, chance)
    changes.push(gene.label)
  }
  let bytes = writePdf(draft)
  if (chance.once(6) && seed !== 0) {
    bytes = damage(bytes, chance)
    changes.push('damage')
  }
  if (chance.once(8) && seed !== 0) {
    bytes = reframe(bytes, chance)
    changes.push('another frame')
  }
  return { bytes, changes }
}

/** Other spellings of an integer: some have the same value, some another, some none. */
function spellNumber(plain: string, chance: Chance): string {
  const number = Number(plain)
  return chance.pick([
    `+${plain}`,
    `${plain}.0`,
    `${plain}.`,
    `0${plain}`,
    `${number - 1}`,
    `${number + 1}`,
    `${number * 2}`,
    `-${plain}`,
    `--${plain}`,
    `${plain}-1`,
    `${2 ** 32 + number}`,
    `${plain}%c\n`,
    '60 0 R',
    '61 0 R',
    '62 0 R',
    '0',
    'null',
    `[${plain}]`,
    `(${plain})`,
    `/${plain}`,
  ])
}

/** Numbers in other objects: small, large, missing. */
const numbersElsewhere: Part[] = [
  { number: 60, text: '8' },
  { number: 61, text: '400' },
]

const spellings: Record<Token, (plain: string, chance: Chance) => string> = {
  length: spellNumber,
  first: spellNumber,
  count: spellNumber,
  size: spellNumber,
  previous: spellNumber,
  pointer: spellNumber,
  place: (plain, chance) => `${Math.max(0, Number(plain) + chance.below(9) - 4)}`.padStart(10, '0'),
  'packed place': spellNumber,
  'packed number': (plain, chance) =>
    chance.pick([`${Number(plain) + 1}`, '9', '1', `+${plain}`, `${plain}.0`]),
  header: (plain, chance) => {
    const number = plain.split(' ')[0] ?? ''
    return chance.pick([
      `+${plain}`,
      `0${plain}`,
      `${number}.0 0 obj`,
      `${number} 0-0 obj`,
      `${number} %c\n0 obj`,
      `${number} 0obj`,
      `${number}\0 0\fobj`,
      `${2 ** 32 + Number(number)} 0 obj`,
      `${number} 1 obj`,
      `%%EOF${plain}`,
      `endobj${plain}`,
      `1${plain}`,
      `${plain} %`,
    ])
  },
  filter: (plain, chance) =>
    chance.pick([
      `[${plain}]`,
      '/Fl',
      '63 0 R',
      `[${plain} null]`,
      `/F#6cateDecode`,
      `[[${plain}]]`,
      `${plain} /DecodeParms << /Predictor 12 >>`,
    ]),
  widths: (_, chance) => chance.pick(['[0 4 2]', '[1 4 1]', '[1 4]', '64 0 R', '[1 4 2 1]', '[1.0 4 2]']),
  index: (plain, chance) =>
    chance.pick([`${plain} /Index [0 99]`, '[0 99]', '65 0 R', plain.replace('9 1', '10 1')]),
  root: (_, chance) =>
    chance.pick([
      '+1 0 R',
      '1.0 0 R',
      '01 0 R',
      '1 0R',
      '1 %c\n0 R',
      '<< /Type /Catalog /Pages 2 0 R >>',
      '1 1 R',
    ]),
  stream: (_, chance) =>
    chance.pick(['stream\r', 'stream', 'stream \n', 'stream\r\n', 'stream\n\n', '%c\nstream\n']),
  endstream: (_, chance) => chance.pick(['endstream', '\rendstream', '\nendstrea', '\n  endstream', '']),
  endobj: (_, chance) => chance.pick(['', 'endobj endobj', '>> endobj', 'endob']),
  type: (_, chance) => chance.pick(['/Foo', '66 0 R', '/ObjStm /Type /Foo', '/#4fbjStm']),
}

const genes: readonly Gene[] = [
  {
    label: 'a token spelt otherwise',
    apply(draft, chance) {
      const token = chance.pick(Object.keys(spellings) as Token[])
      const before = draft.spell
      let left = 1 + chance.below(4)
      draft.parts.push(...numbersElsewhere)
      draft.spell = (asked, plain) => {
        const written = before(asked, plain)
        return asked === token && chance.once(2) && left-- > 0 ? spellings[token](written, chance) : written
      }
    },
  },
  {
    label: 'an object hidden',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      const shelter = chance.pick<Shelter>(['stream', 'string', 'comment', 'number'])
      draft.packed = new Set([...draft.packed].filter((number) => number !== part.number))
      draft.hidden = new Map([...draft.hidden, [part.number, shelter]])
      if (chance.once(2)) draft.parts.push({ number: part.number, text: '<< >>' })
    },
  },
  {
    label: 'an end mark inside the data',
    apply(draft) {
      draft.compressed = false
      draft.parts.unshift({ number: 67, text: '(\nendstream endobj )' })
      draft.packed = new Set([...draft.packed, 67])
    },
  },
  {
    label: 'a second definition',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      const other: Part = { number: part.number, text: chance.pick(['<< >>', 'null', '[3 0 R /Fit]', '(a)']) }
      if (chance.once(2)) draft.parts.unshift(other)
      else draft.parts.push(other)
    },
  },
  {
    label: 'an update',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      const other: Part = { number: part.number, text: chance.pick(['<< >>', 'null', part.text]) }
      draft.update.push(chance.once(2) ? part : other)
    },
  },
  {
    label: 'an update that brings everything',
    apply(draft) {
      if (draft.update.length > 0) return
      draft.update = draft.parts
      draft.parts = partsOf({ label: '' })
    },
  },
  {
    label: 'an entry twice',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      const keys = [...part.text.matchAll(/\/(Type|OpenAction|Names|S|JS|URI|A|AA|Annots|Subtype|Pages)\b/g)]
      if (keys.length === 0) return
      const key = chance.pick(keys)
      const value = chance.pick(['null', '/GoTo', '<< >>', '[3 0 R /Fit]', '(https://a.b)', '2 0 R'])
      part.text = chance.once(2)
        ? `${part.text.slice(0, key.index)} ${key[0]} ${value} ${part.text.slice(key.index)}`
        : part.text.replace(/>>\s*$/, `${key[0]} ${value} >>`)
    },
  },
  {
    label: 'a stray token',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      const places = [...part.text.matchAll(/\s/g)].map(({ index }) => index)
      const at = places.length > 0 ? chance.pick(places) : 0
      const stray = chance.pick([
        ']',
        '>>',
        '[',
        '<<',
        '(',
        ')',
        '>',
        '<',
        '{',
        '}',
        '/X',
        '/X ]',
        '/X [ >> ]',
        '/X <',
        '9',
        'endobj',
        'stream\n',
        'BI',
        '/X 1 R',
        '% >>\n',
        '/X (\\)) ',
        '/X <2',
        'null',
        '/X << /Y >>',
        '#',
      ])
      part.text = `${part.text.slice(0, at)} ${stray} ${part.text.slice(at)}`
    },
  },
  {
    label: 'names in hex',
    apply(draft, chance) {
      for (const part of draft.parts) {
        part.text = part.text.replace(/\/([A-Za-z])(\w*)/g, (whole, head: string, rest: string) =>
          chance.once(2) ? whole : `/#${head.charCodeAt(0).toString(16)}${rest}`,
        )
      }
    },
  },
  {
    label: 'other white space',
    apply(draft, chance) {
      for (const part of draft.parts) {
        part.text = part.text.replace(/ /g, () =>
          chance.pick([' ', '\r', '\n\n', '\t', '\f', '\0', '%c\n', '%)>>\r', '\x0b', '\x80']),
        )
      }
    },
  },
  {
    label: 'a reference spelt otherwise',
    apply(draft, chance) {
      const part = chance.pick(draft.parts)
      part.text = part.text.replace(/(\d+) 0 R/, (_, number: string) =>
        chance.pick([
          `+${number} 0 R`,
          `${number}.0 0 R`,
          `${number} 0R`,
          `0${number} 0 R`,
          `${number} %c\n0 R`,
          `${number} 1 R`,
          `${number} 0 R/`,
          `${number} 0 R5`,
        ]),
      )
    },
  },
  {
    label: 'a stream among packed objects',
    apply(draft) {
      const inner = '9 0 << /S /JavaScript /JS (x) >>'
      const text = `<< /Type /ObjStm /N 1 /First 4 /Length ${inner.length} >> stream\n${inner}\nendstream`
      draft.parts.push({ number: 68, text })
      draft.packed = new Set([...draft.packed, 68])
    },
  },
  {
    label: 'a table hidden in a stream',
    apply(draft, chance) {
      // A separate catalogue behind misplaced brackets, which harmless readers never reach.
      const catalog = `<< /Type /Catalog /Pages 2 0 R /X [ >> ] /OpenAction << /S /JavaScript /JS (x) >> >>`
      const number = chance.pick(['+1', '1.0', '01', '1e0', '1'])
      const hiddenAt = 57
      const hidden = `${number} 0 obj ${catalog} endobj\n`
      const table = `xref\n1 1\n${`${hiddenAt}`.padStart(10, '0')} 00000 n \ntrailer\n<< /Size 99 /Root 1 0 R /Prev 0 >>\n`
      draft.parts.unshift({ number: 69, text: '', stream: Buffer.from(hidden + table) })
      const before = draft.spell
      draft.spell = (token, plain) =>
        token === 'pointer' ? `${hiddenAt + hidden.length}` : before(token, plain)
    },
  },
  {
    label: 'a pointer to nowhere',
    apply(draft, chance) {
      const before = draft.spell
      const pointer = chance.pick(['0', '7', '15', '1', '99'])
      draft.spell = (token, plain) => (token === 'pointer' ? pointer : before(token, plain))
    },
  },
]

/** Adds the bytes that real files have before their header, or removes the end that they lack. */
function reframe(bytes: Buffer, chance: Chance): Buffer {
  const text = bytes.toString('latin1')
  const before = chance.pick([
    '\n',
    '\xef\xbb\xbf',
    'HTTP/1.1 200 OK\r\n\r\n',
    `${'x'.repeat(chance.below(900))}\n`,
    '1 0 obj << >> endobj\n',
  ])
  const changed = chance.pick([
    before + text,
    text.replace(/startxref\n\d+(?![\s\S]*startxref)/, `startxref\n${bytes.length + chance.below(99_999)}`),
    text.replace(/\s*%%EOF\s*$/, ''),
    text.slice(0, -1 - chance.below(30)),
  ])
  return Buffer.from(changed, 'latin1')
}

/** Inserts, removes or doubles bytes and tokens at random positions. */
function damage(bytes: Buffer, chance: Chance): Buffer {
  const at = 8 + chance.below(bytes.length - 8)
  const inserted = chance.pick([
    '9 0 obj',
    '<<',
    '>>',
    ' endobj\n',
    '(',
    ')',
    '%',
    'trailer <<',
    'xref',
    '\0',
    ' 1',
    'stream\n',
  ])
  switch (chance.below(4)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)])
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + chance.below(6))])
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 40))])
    default: {
      const changed = Buffer.from(bytes)
      changed[at] = chance.below(256)
      return changed
    }
  }
}
