import { type Style, styleFor } from '../output/style.ts'

/** How a report is drawn where it goes. */
export interface Drawn {
  style: Style
  /** A bar for the share (0 to 1) of the longest one, which takes so many columns. */
  bar(share: number, columns: number): string
  /** Of the terminal; absent: it is none. */
  columns: number | undefined
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** With block characters on a terminal that shows them, else in plain ASCII: a file or a mail may be anybody's. */
export function drawnFor(
  { isTerminal, columns }: { isTerminal: boolean; columns?: number | undefined },
  env: Record<string, string | undefined>,
): Drawn {
  const isPlain = !isTerminal || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  const bar = !isPlain && /utf-?8/i.test(locale) ? blocks : ascii
  return { style: styleFor({ isTerminal }, env), bar, columns }
}

function blocks(share: number, columns: number): string {
  const length = lengthOf(share, columns * 8)
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '')
}

const ascii = (share: number, columns: number): string => '#'.repeat(lengthOf(share, columns))

/** What there is at all is seen. */
const lengthOf = (share: number, longest: number): number => (share > 0 ? Math.max(1, Math.round(share * longest)) : 0)
