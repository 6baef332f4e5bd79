/** What a piece of text means; a terminal shows it by colour, anything else by the words alone. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'heading' | 'dim'

/** Dresses a text in its tone, or leaves it as it is. */
export type Style = (tone: Tone, text: string) => string

export interface Layout {
  style: Style
  /** Of the terminal; absent: it is none. */
  columns?: number | undefined
}

/** SGR parameters (ECMA-48 section 8.3.117). */
const codes: Record<Tone, [on: number, off: number]> = {
  good: [32, 39],
  bad: [31, 39],
  doubtful: [33, 39],
  heading: [1, 22],
  dim: [2, 22],
}

/** Colour on a terminal only, and not where NO_COLOR is set to anything (no-color.org) or the terminal knows none. */
export function styleFor({ isTerminal }: { isTerminal: boolean }, env: Record<string, string | undefined>): Style {
  const coloured = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return coloured ? inColour : plain
}

export const plain: Style = (_tone, text) => text

const inColour: Style = (tone, text) => {
  const [on, off] = codes[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
