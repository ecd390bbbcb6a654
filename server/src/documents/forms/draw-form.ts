/** Draws a form as PDF: its sections with labelled boxes, check boxes, texts and fields for signatures. */
import type { Check, Form, Part } from './form.ts'
import { type FormHeading, Sheet } from './sheet.ts'

export function drawForm(form: Form, heading: FormHeading): Promise<Buffer> {
  const sheet = new Sheet(heading)
  let wasApart = false
  for (const { title, parts, apart = false } of form.sections) {
    if (apart || wasApart) sheet.beginPage()
    wasApart = apart
    const pieces = parts.flatMap((part) => pieceOf(sheet, part))
    sheet.beginSection(title, pieces[0]?.height ?? 0)
    for (const piece of pieces) put(sheet, piece)
    sheet.endSection()
  }
  for (const piece of missingLetters(sheet)) put(sheet, piece)
  return sheet.finish()
}

/** A piece that must not be split by the end of a page. */
interface Piece {
  readonly height: number
  readonly draw: (y: number) => void
  /** Drawn above the piece if it begins a page. */
  readonly head?: Piece
}

function put(sheet: Sheet, { height, draw, head }: Piece): void {
  const begins = sheet.makeRoom(height)
  if (begins && head !== undefined) put(sheet, head)
  draw(sheet.y)
  sheet.y += height
}

function pieceOf(sheet: Sheet, part: Part): Piece[] {
  switch (part.kind) {
    case 'boxes':
      return [boxes(sheet, part)]
    case 'checks':
      return [checkBoxes(sheet, part)]
    case 'questions':
      return part.questions.map((one) => question(sheet, one))
    case 'text':
      return [paragraph(sheet, part.text)]
    case 'notice':
      return [notice(sheet, part.text)]
    case 'clauses':
      return part.clauses.map((clause, at) => numbered(sheet, clause, at + 1))
    case 'table':
      return tableRows(sheet, part)
    case 'signature':
      return [signature(sheet, part)]
    default:
      throw new Error(`a form has no part ${JSON.stringify(part satisfies never)}`)
  }
}

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>

const padding = 3.5
const labelHeight = 9

/** The boxes of a line have the height of the box with the most lines. */
function boxes(sheet: Sheet, { boxes: all }: PartOf<'boxes'>): Piece {
  const heightMin = 25
  const shares = all.reduce((sum, { share }) => sum + share, 0)
  const widths = all.map(({ share }) => (sheet.width * share) / shares)
  const heights = all.map(({ value }, at) => sheet.measure(value, 'value', (widths[at] ?? 0) - 2 * padding))
  const height = Math.max(heightMin, labelHeight + 2 * padding + Math.max(...heights))
  return {
    height,
    draw: (y) => {
      let x = sheet.left
      all.forEach(({ label, value }, at) => {
        const width = widths[at] ?? 0
        const room = width - 2 * padding
        sheet.frame(x, y, width, height)
        sheet.write(label, 'label', {
          x: x + padding,
          y: y + 1.5,
          width: room,
          height: labelHeight,
          ellipsis: true,
        })
        sheet.write(value, 'value', { x: x + padding, y: y + labelHeight + 1, width: room })
        x += width
      })
    },
  }
}

function drawCheck(sheet: Sheet, { label, checked }: Check, x: number, y: number): void {
  sheet.square(x, y, 8)
  if (checked) sheet.write('X', 'strong', { x: x + 1.4, y: y - 2.1, width: 8 })
  sheet.write(label, 'text', { x: x + 12, y: y - 1.8, width: sheet.width })
}

/** Draws check boxes in as many equal columns as the longest label allows. */
function checkBoxes(sheet: Sheet, { label, checks }: PartOf<'checks'>): Piece {
  /** The width of the square, and the space before and after its label. */
  const squareRoom = 24
  /** Keeps a few short check boxes close together. */
  const columnsMin = 4
  const lineHeight = 13
  const room = sheet.width - 2 * padding
  const widest = Math.max(0, ...checks.map((check) => sheet.widthOf(check.label, 'text')))
  const fitting = Math.max(1, Math.floor(room / (widest + squareRoom)))
  const columns = Math.max(1, Math.min(checks.length, fitting))
  const width = room / Math.max(columns, Math.min(columnsMin, fitting))
  const height = labelHeight + Math.ceil(checks.length / columns) * lineHeight + 3
  return {
    height,
    draw: (y) => {
      sheet.frame(sheet.left, y, sheet.width, height)
      sheet.write(label, 'label', { x: sheet.left + padding, y: y + 1.5, width: room })
      checks.forEach((check, at) => {
        const x = sheet.left + padding + (at % columns) * width
        drawCheck(sheet, check, x, y + labelHeight + Math.floor(at / columns) * lineHeight + 2)
      })
    },
  }
}

/** Draws a question with its answer at the right edge. */
function question(sheet: Sheet, one: PartOf<'questions'>['questions'][number]): Piece {
  const height = 17
  const right = sheet.left + sheet.width
  return {
    height,
    draw: (y) => {
      sheet.frame(sheet.left, y, sheet.width, height)
      sheet.write(one.question, 'text', { x: sheet.left + padding, y: y + 2.6, width: sheet.width - 100 })
      drawCheck(sheet, { label: 'Yes', checked: one.answer }, right - 84, y + 4.5)
      drawCheck(sheet, { label: 'No', checked: !one.answer }, right - 40, y + 4.5)
    },
  }
}

function paragraph(sheet: Sheet, content: string): Piece {
  return {
    height: sheet.measure(content, 'text', sheet.width) + sheet.gap,
    draw: (y) => sheet.write(content, 'text', { x: sheet.left, y, width: sheet.width }),
  }
}

function notice(sheet: Sheet, content: string): Piece {
  const [inset, room] = [6, sheet.width - 14]
  const height = sheet.measure(content, 'strong', room) + 2 * inset
  return {
    height: height + sheet.gap,
    draw: (y) => {
      sheet.warning(sheet.left, y, sheet.width, height)
      sheet.write(content, 'strong', { x: sheet.left + 7, y: y + inset, width: room })
    },
  }
}

function numbered(sheet: Sheet, clause: { title: string; text: string }, number: number): Piece {
  const [indent, titleHeight] = [18, 12]
  const room = sheet.width - indent
  return {
    height: titleHeight + sheet.measure(clause.text, 'text', room) + sheet.gap,
    draw: (y) => {
      sheet.write(`${number}.`, 'strong', { x: sheet.left, y, width: indent })
      sheet.write(clause.title, 'strong', { x: sheet.left + indent, y, width: room })
      sheet.write(clause.text, 'text', { x: sheet.left + indent, y: y + titleHeight, width: room })
    },
  }
}

/** The labels of the columns are repeated on each page. */
function tableRows(sheet: Sheet, { columns, rows }: PartOf<'table'>): Piece[] {
  const shares = columns.reduce((all, { share }) => all + share, 0)
  const widths = columns.map(({ share }) => (sheet.width * share) / shares)
  const cells = (y: number, texts: readonly string[], style: 'label' | 'text' | 'strong') => {
    let x = sheet.left
    texts.forEach((content, at) => {
      const room = (widths[at] ?? 0) - 2 * padding
      sheet.write(content, style, {
        x: x + padding,
        y,
        width: room,
        align: columns[at]?.right === true ? 'right' : 'left',
      })
      x += widths[at] ?? 0
    })
  }
  const head: Piece = {
    height: labelHeight + 2,
    draw: (y) =>
      cells(
        y,
        columns.map(({ label }) => label),
        'label',
      ),
  }
  const body = rows.map(({ cells: texts, strong }): Piece => {
    const style = strong === true ? 'strong' : 'text'
    const heights = texts.map((content, at) => sheet.measure(content, style, (widths[at] ?? 0) - 2 * padding))
    const height = Math.max(11, ...heights) + 2
    return {
      height,
      head,
      draw: (y) => {
        sheet.rule(sheet.left, y, sheet.width, 'fine')
        cells(y + 1, texts, style)
      },
    }
  })
  return [head, ...body]
}

/** Draws a line for the signature, the name of the signer, and a line for the date. */
function signature(sheet: Sheet, { name, capacity }: PartOf<'signature'>): Piece {
  const between = 12
  const columns = [
    { label: 'Signature', share: 0.45, value: '' },
    { label: capacity, share: 0.37, value: name },
    { label: 'Date', share: 0.18, value: '' },
  ].map((column) => {
    const width = sheet.width * column.share - between
    return { ...column, width, height: sheet.measure(column.value, 'value', width) }
  })
  const down = Math.max(32, ...columns.map(({ height }) => height + 6))
  return {
    height: down + 20,
    draw: (y) => {
      let x = sheet.left
      for (const { label, value, width, height } of columns) {
        sheet.rule(x, y + down, width)
        sheet.write(value, 'value', { x, y: y + down - height - 1, width })
        sheet.write(label, 'small', { x, y: y + down + 2, width })
        x += width + between
      }
    },
  }
}

/** Lists the letters that are drawn as � above. */
function missingLetters(sheet: Sheet): Piece[] {
  const codes = sheet.missingLetters.map(
    (letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  if (codes.length === 0) return []
  const content = `Letters shown as \u{fffd} are not in the typeface of this form; the account record holds them. In the order they come: ${codes.join(', ')}.`
  return [paragraph(sheet, content)]
}
