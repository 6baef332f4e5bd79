/** Where nobody has chosen a colour: the console's. */
export const usualColour = '#1f5fbf'

/** The contrasts that normal text (WCAG 2.2, 1.4.3) and parts of a drawing (1.4.11) need. */
const textContrastMin = 4.5
const drawingContrastMin = 3
const mixingSteps = 20

/** Red, green and blue, 0 to 255. */
type Colour = readonly [number, number, number]
const black: Colour = [0, 0, 0]
const white: Colour = [255, 255, 255]

/** The colour (`#rrggbb`), moved towards black or white until text in it is readable on the background. */
export function readableColour(colour: string, background: string): string {
  const [wanted, behind] = [parseColour(colour), parseColour(background)]
  const end = isDark(background) ? white : black
  for (let step = 0; step <= mixingSteps; step++) {
    const mixed = mix(wanted, end, step / mixingSteps)
    if (contrast(mixed, behind) >= textContrastMin) return format(mixed)
  }
  return format(end)
}

const lightGround: Colour = [255, 255, 255]
const darkGround: Colour = [31, 31, 30]

/** The colour (`#rrggbb`), moved until it stands out from light and dark grounds, for drawings shown on either. */
export function colourOfBothGrounds(colour: string): string {
  const wanted = parseColour(colour)
  const isSeen = (mixed: Colour): boolean =>
    contrast(mixed, lightGround) >= drawingContrastMin && contrast(mixed, darkGround) >= drawingContrastMin
  const end = contrast(wanted, lightGround) < drawingContrastMin ? black : white
  for (let step = 0; step <= mixingSteps; step++) {
    const mixed = mix(wanted, end, step / mixingSteps)
    if (isSeen(mixed)) return format(mixed)
  }
  return format(wanted)
}

/** Whether white is easier to read on it than black. */
export function isDark(background: string): boolean {
  const behind = parseColour(background)
  return contrast(white, behind) > contrast(black, behind)
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

/** Red, green and blue of `#rrggbb`, 0 to 255. */
export const parseColour = (hex: string): Colour => [channel(hex, 1), channel(hex, 3), channel(hex, 5)]

const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16)

const format = (colour: Colour): string =>
  `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
