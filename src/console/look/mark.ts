import { html, type Markup } from '../../lib/html.ts'

/** `doubtful`: needs attention. */
export type MarkTone = 'plain' | 'good' | 'doubtful' | 'bad'

/** A word or two about a state. The words alone are enough without the colour. */
export const mark = (text: string, tone: MarkTone = 'plain'): Markup => html`<span class="mark ${tone}">${text}</span>`
