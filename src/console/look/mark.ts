import { html, type Markup } from '../../lib/html.ts'

/** `doubtful`: somebody should look at it. */
export type MarkTone = 'plain' | 'good' | 'doubtful' | 'bad'

/** A word or two about the state of something. The words say it without the colour as well. */
export const mark = (text: string, tone: MarkTone = 'plain'): Markup => html`<span class="mark ${tone}">${text}</span>`
