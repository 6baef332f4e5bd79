import { html, type Markup } from '../../lib/html.ts'

/** Lines on a ground of 16 by 16, as the `d` of an SVG path. */
const drawings = {
  bars: 'M2.5 13.5v-5M6.2 13.5V4.5M9.8 13.5v-6M13.5 13.5v-11',
  form: 'M2.5 3h11v3.5h-11zM2.5 9.5h11V13h-11z',
  globe: 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8h12M8 2c3.6 3.4 3.6 8.6 0 12M8 2c-3.6 3.4-3.6 8.6 0 12',
  grid: 'M2.5 2.5H7V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  key: 'M2.5 11a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M6.8 9.2 13 3M10.5 5.5l2 2',
  lines: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  link: 'M6.2 9.8l3.6-3.6M7.2 4.6l1.3-1.3a3 3 0 0 1 4.2 4.2l-1.3 1.3M8.8 11.4l-1.3 1.3a3 3 0 0 1-4.2-4.2l1.3-1.3',
  lock: 'M3 7.5h10v6.5H3zM5.3 7.5V5.2a2.7 2.7 0 0 1 5.4 0v2.3',
  page: 'M4 1.5h5.5L12.5 4.5v10H4zM9.3 1.5v3.2h3.2',
  people:
    'M3.5 5.3a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M1.5 13.5c0-2.6 1.9-4 4.5-4s4.5 1.4 4.5 4M10.6 3a2.5 2.5 0 0 1 0 4.6M12.2 9.9c1.5.6 2.3 1.8 2.3 3.6',
  person: 'M5.2 5.3a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0M2.5 14c.4-2.8 2.6-4.2 5.5-4.2s5.1 1.4 5.5 4.2',
  picture: 'M2 2.5h12v11H2zM4.8 6a1 1 0 1 0 2 0 1 1 0 1 0-2 0M2.3 12.3 6 8.8l2.5 2.4 2-1.9 3.2 3',
  plane: 'M14 2 7 9M14 2 9.6 14 7 9 2 6.4z',
  plus: 'M8 3v10M3 8h10',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  question: 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8M6.2 6.4a1.8 1.8 0 1 1 2.7 1.5c-.6.4-.9.7-.9 1.3M8 11.4h.01',
  sliders:
    'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M9 4.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M4 11.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0',
  stop: 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8M3.8 3.8l8.4 8.4',
  tray: 'M2 9.5h3.4l1 2h3.2l1-2H14M2 9.5 4.2 3h7.6L14 9.5v4H2z',
  upload: 'M8 10.5v-8M4.5 5.8 8 2.3l3.5 3.5M2.5 10.5v3h11v-3',
}

export type IconName = keyof typeof drawings

/** Beside a word that says the same: a reader's program passes over it. */
export const icon = (name: IconName): Markup =>
  html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="${drawings[name]}"/></svg>`
