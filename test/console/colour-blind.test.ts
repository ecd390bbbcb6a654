/**
 * The colours of charts in both themes, as people with protanopia, deuteranopia and tritanopia see them. The colours of
 * one chart differ clearly, and each stands out from the panel behind it.
 *
 * The simulation is that of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
 * Vision Deficiency" (2009), for the full deficiency. The distance is that of OKLab (Ottosson, 2020), in which a
 * distance of 2 is just visible.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'

/** Five times the distance that is just visible. */
const distanceMin = 10
/** WCAG 2.2, 1.4.11. */
const contrastMin = 3

type Three = readonly [number, number, number]
type Matrix = readonly [Three, Three, Three]

const visions: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const lmsOfRgb: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const labOfLms: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

const themes = ['light', 'dark'] as const
const charts: readonly (readonly [chart: string, tokens: readonly string[]])[] = [
  ['the bars', ['bar']],
  ['the closes', ['bar', 'marked']],
  ['the intake', ['submitted', 'opened', 'rejected']],
  ['the allocation', ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-rest']],
]
const styles = ['pictures.css', 'console.css']
  .map((name) => readFileSync(resolve(import.meta.dirname, '../../console/src/design', name), 'utf8'))
  .join('\n')

/** The value of a token in a theme, in linear light. */
function colourOf(token: string, theme: (typeof themes)[number]): Three {
  const [, ...pair] =
    new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(styles) ?? []
  const colour = pair[themes.indexOf(theme)]
  assert.ok(colour, `no colours of --${token}`)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

function times(matrix: Matrix, [x, y, z]: Three): Three {
  const [one, two, three] = matrix.map(([a, b, c]) => a * x + b * y + c * z)
  return [one ?? 0, two ?? 0, three ?? 0]
}

function each([x, y, z]: Three, change: (value: number) => number): Three {
  return [change(x), change(y), change(z)]
}

function seenAs(colour: Three, vision: Matrix): Three {
  const shown = each(times(vision, colour), (share) => Math.min(1, Math.max(0, share)))
  return times(labOfLms, each(times(lmsOfRgb, shown), Math.cbrt))
}

function distanceOf(one: Three, other: Three): number {
  return 100 * Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
}

function luminanceOf([red, green, blue]: Three): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: Three, other: Three): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('the colours of charts', () => {
  for (const theme of themes)
    for (const [chart, tokens] of charts)
      test(`${chart} in ${theme} colours differ for colour-blind eyes, and from the panel`, () => {
        const faint = tokens
          .map((token) => [token, contrastOf(colourOf(token, theme), colourOf('raised', theme))] as const)
          .filter(([, contrast]) => contrast < contrastMin)
        const alike = Object.entries(visions).flatMap(([vision, matrix]) =>
          tokens.flatMap((one, index) =>
            tokens
              .slice(index + 1)
              .map((other) => {
                const [first, second] = [one, other].map((token) => seenAs(colourOf(token, theme), matrix))
                return [vision, one, other, distanceOf(first as Three, second as Three)] as const
              })
              .filter(([, , , distance]) => distance < distanceMin),
          ),
        )
        assert.deepEqual([...faint, ...alike], [])
      })

  test('the measure finds a red and a green that colour-blind people cannot distinguish', () => {
    const red: Three = [0.32, 0.1, 0.02]
    const green: Three = [0.1, 0.17, 0.02]
    const { full, deuteranopia } = visions
    assert.ok(full && deuteranopia)
    assert.ok(distanceOf(seenAs(red, full), seenAs(green, full)) > distanceMin)
    assert.ok(distanceOf(seenAs(red, deuteranopia), seenAs(green, deuteranopia)) < distanceMin)
  })
})
