import { html, type Markup } from '../../../lib/html.ts'
import { mark } from '../../look/mark.ts'

/** A step of a guide. The box marks it as done by what it has seen. */
export interface GuideStep {
  isDone: boolean
  title: string
  /** What the box has seen, or what to do. */
  text: Markup
}

/** The steps in order; the first open step is the next one to take. */
export function stepList(steps: readonly GuideStep[]): Markup {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return html`<ol class="steps">${steps.map((step, at) => item(step, at === next))}</ol>`
}

const item = ({ isDone, title, text }: GuideStep, isNext: boolean): Markup =>
  html`<li class="${isDone ? 'done' : isNext ? 'next' : 'open'}"><h3>${title} ${isDone ? mark('done', 'good') : isNext ? mark('now') : null}</h3>${text}</li>`
