import { encodePng } from '../../lib/png.ts'
import { colourOfBothGrounds, parseColour } from '../../lib/readable-colour.ts'
import { type BarChart, scaleTop } from './charts.ts'

/** Pixels: twice the displayed size, for high-density screens. */
const width = 1104
const height = 240
const lineHeight = 2

/** Places in the palette. */
const ground = 0
const line = 1
const pale = 2
const bar = 3

/** The bars of a chart as a PNG without text, for light and dark backgrounds. */
export function chartPicture({ bars, before }: Pick<BarChart, 'bars' | 'before'>, colour: string): Uint8Array {
  const values = bars.map(({ value }) => value)
  const top = scaleTop(Math.max(1, ...values, ...(before ?? [])))
  const pixels = new Uint8Array(width * height).fill(ground)
  for (const y of [0, height / 2, height - lineHeight]) fill(pixels, { x: 0, y, wide: width, high: lineHeight }, line)
  const slot = width / Math.max(1, bars.length)
  const upright = (value: number, index: number, share: number, colour: number): void => {
    const high = Math.round((value / top) * height)
    const x = Math.round((index + (1 - share) / 2) * slot)
    fill(pixels, { x, y: height - high, wide: Math.max(1, Math.round(slot * share)), high }, colour)
  }
  for (const [index, value] of (before ?? []).slice(0, bars.length).entries()) upright(value, index, 0.9, pale)
  for (const [index, value] of values.entries()) upright(value, index, 0.6, bar)
  const [red, green, blue] = parseColour(colourOfBothGrounds(colour))
  const palette = [
    [0, 0, 0, 0],
    [128, 128, 128, 90],
    [128, 128, 128, 140],
    [red, green, blue, 255],
  ] as const
  return encodePng({ width, height, palette, pixels })
}

interface Box {
  x: number
  y: number
  wide: number
  high: number
}

function fill(pixels: Uint8Array, { x, y, wide, high }: Box, colour: number): void {
  const end = Math.min(width, x + wide)
  for (let row = y; row < Math.min(height, y + high); row++) pixels.fill(colour, row * width + x, row * width + end)
}
