import { type Style, styleFor } from './output/style.ts'

/** How a report is drawn where it goes. */
export interface Drawn {
  style: Style
  /** A bar for the share (0 to 1) of the longest one. */
  bar(share: number): string
}

/** Columns of the longest bar. */
const barColumns = 12
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** With block characters on a terminal that shows them, else in plain ASCII: a file or a mail may be anybody's. */
export function drawnFor({ isTerminal }: { isTerminal: boolean }, env: Record<string, string | undefined>): Drawn {
  const isPlain = !isTerminal || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return { style: styleFor({ isTerminal }, env), bar: !isPlain && /utf-?8/i.test(locale) ? blocks : ascii }
}

function blocks(share: number): string {
  const length = lengthOf(share, barColumns * 8)
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '')
}

const ascii = (share: number): string => '#'.repeat(lengthOf(share, barColumns))

/** What there is at all is seen. */
const lengthOf = (share: number, longest: number): number => (share > 0 ? Math.max(1, Math.round(share * longest)) : 0)
