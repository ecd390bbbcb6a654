/**
 * Draws a state diagram from the generated parts of the documentation as SVG. Columns are steps from the
 * beginning, and final states are in the last column. The colour of a line shows the actor of the step, and
 * its tooltip names the step.
 */
import { escapeHtml } from './html.ts'

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
}

interface Diagram {
  readonly states: readonly string[]
  readonly arrows: readonly Arrow[]
  readonly finals: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
}

const box = { width: 164, height: 44 }
const gap = { x: 110, y: 56 }
const margin = 30

export function drawStates(source: string): string {
  const diagram = readDiagram(source)
  const places = placeStates(diagram)
  const all = [...places.values()]
  const width = Math.max(...all.map(({ x }) => x)) + box.width + margin
  const height = Math.max(...all.map(({ y }) => y)) + box.height + margin * 2
  const lines = diagram.arrows
    .filter(({ from, to }) => from !== to)
    .map((arrow) => drawArrow(arrow, places))
    .join('')
  const boxes = diagram.states.map((state) => drawState(state, diagram, places)).join('')
  const taking = actors.filter((actor) =>
    diagram.arrows.some((arrow) => arrow.from !== arrow.to && actorOf(arrow) === actor),
  )
  const legend = taking
    .map(
      (actor, at) =>
        `<line class="by-${actor}" x1="${margin + at * 130}" x2="${margin + 28 + at * 130}" y1="${height - 14}" y2="${height - 14}"/>` +
        `<text class="legend" x="${margin + 36 + at * 130}" y="${height - 10}">${actor}</text>`,
    )
    .join('')
  const heads = taking
    .map(
      (actor) =>
        `<marker id="head-${actor}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head-${actor}" d="M0 0 8 4 0 8z"/></marker>`,
    )
    .join('')
  return `<svg class="states" viewBox="0 0 ${width} ${height}" role="img" aria-label="States and the steps between them"><defs>${heads}</defs>${lines}${boxes}${legend}</svg>`
}

/** The few words of Mermaid's state diagrams that are used: arrows with labels, beginning, ends, one class. */
function readDiagram(source: string): Diagram {
  const arrows: Arrow[] = []
  const finals = new Set<string>()
  const waiting = new Set<string>()
  const states: string[] = []
  const see = (state: string) => {
    if (!states.includes(state)) states.push(state)
  }
  for (const line of source.split('\n')) {
    const arrow = /^\s*(\S+) --> (\S+?)(?:: (.*))?$/.exec(line)
    const marked = /^\s*class (\S+) waiting/.exec(line)
    if (marked !== null) for (const state of (marked[1] ?? '').split(',')) waiting.add(state)
    if (arrow === null) continue
    const [, from = '', to = '', label = ''] = arrow
    if (from === '[*]') see(to)
    else if (to === '[*]') finals.add(from)
    else {
      see(from)
      see(to)
      arrows.push({ from, to, label })
    }
  }
  return { states, arrows, finals, waiting }
}

interface Place {
  readonly x: number
  readonly y: number
}

function placeStates({ states, arrows, finals }: Diagram): Map<string, Place> {
  const steps = new Map<string, number>(states.slice(0, 1).map((state) => [state, 0]))
  for (const [from, step] of steps) {
    for (const arrow of arrows) {
      if (arrow.from === from && !steps.has(arrow.to) && !finals.has(arrow.to)) steps.set(arrow.to, step + 1)
    }
  }
  const last = Math.max(...steps.values()) + 1
  for (const state of states) if (!steps.has(state)) steps.set(state, last)
  const columns = new Map<number, string[]>()
  for (const state of states) {
    const step = steps.get(state) ?? last
    columns.set(step, [...(columns.get(step) ?? []), state])
  }
  const rowsMax = Math.max(...[...columns.values()].map((column) => column.length))
  const places = new Map<string, Place>()
  for (const [step, column] of columns) {
    const top = margin + ((rowsMax - column.length) * (box.height + gap.y)) / 2
    column.forEach((state, row) => {
      places.set(state, { x: margin + step * (box.width + gap.x), y: top + row * (box.height + gap.y) })
    })
  }
  return places
}

const actors = ['service', 'firm', 'operations'] as const

/** The actor of the step. If several actors may take it, the one that can take it least easily. */
function actorOf({ label }: Arrow): (typeof actors)[number] {
  return /\(.*operations/.test(label) ? 'operations' : /\(.*firm/.test(label) ? 'firm' : 'service'
}

function drawArrow({ from, to, label }: Arrow, places: ReadonlyMap<string, Place>): string {
  const start = places.get(from)
  const end = places.get(to)
  if (start === undefined || end === undefined) return ''
  const path = start.x === end.x ? alongside(start, end) : across(start, end)
  const actor = actorOf({ from, to, label })
  const title = `${from} → ${to}: ${label.replaceAll('<br/>', ', ')}`
  return `<path class="arrow by-${actor}" marker-end="url(#head-${actor})" d="${path}"><title>${escapeHtml(title)}</title></path>`
}

/**
 * Draws a line between states of one column: upwards on the left, downwards on the right, and wider for a
 * longer distance.
 */
function alongside(start: Place, end: Place): string {
  const down = end.y > start.y
  const x = down ? start.x + box.width : start.x
  const rows = Math.abs(end.y - start.y) / (box.height + gap.y)
  const bow = x + (down ? 1 : -1) * (18 + 16 * rows)
  const shift = box.height / 4
  const [y1, y2] = down
    ? [start.y + box.height / 2 + shift, end.y + box.height / 2 - shift]
    : [start.y + box.height / 2 - shift, end.y + box.height / 2 + shift]
  return `M${x} ${y1} C${bow} ${y1} ${bow} ${y2} ${x} ${y2}`
}

/**
 * Draws a line between columns: to the right slightly above the middle, back slightly below it, so that both
 * directions have separate lines.
 */
function across(start: Place, end: Place): string {
  const forth = end.x > start.x
  const shift = forth ? -6 : 8
  const x1 = forth ? start.x + box.width : start.x
  const x2 = forth ? end.x : end.x + box.width
  const y1 = start.y + box.height / 2 + shift
  const y2 = end.y + box.height / 2 + shift
  const bend = (x2 - x1) / 2
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

function drawState(state: string, { finals, waiting }: Diagram, places: ReadonlyMap<string, Place>): string {
  const place = places.get(state)
  if (place === undefined) return ''
  const kind = finals.has(state) ? 'final' : waiting.has(state) ? 'waiting' : 'moving'
  const middle = place.y + box.height / 2
  return (
    `<rect class="state ${kind}" x="${place.x}" y="${place.y}" width="${box.width}" height="${box.height}" rx="8"/>` +
    `<text class="name" x="${place.x + box.width / 2}" y="${middle + 5}">${escapeHtml(state)}</text>`
  )
}
