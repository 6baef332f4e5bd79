import { html, type Markup } from '../../../lib/html.ts'
import type { AccountPageCall } from '../page.ts'

/** Tells clients why they see dots in place of names and texts. */
export const maskedNote = ({ view }: AccountPageCall): Markup | null =>
  view === 'masked'
    ? html`<p class="hint">Your role does not show what visitors entered. Ask the agency if you need to see it.</p>`
    : null
