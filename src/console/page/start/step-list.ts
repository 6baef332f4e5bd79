import { html, type Markup } from '../../../lib/html.ts'
import { mark } from '../../look/mark.ts'

/** A step of a guide, judged by what the box has seen. */
export interface GuideStep {
  isDone: boolean
  title: string
  /** What was seen, or what to do. */
  text: Markup
}

/** The steps in their order; the first that is open is the one to take now. */
export function stepList(steps: readonly GuideStep[]): Markup {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return html`<ol class="steps">${steps.map((step, at) => item(step, at === next))}</ol>`
}

const item = ({ isDone, title, text }: GuideStep, isNext: boolean): Markup =>
  html`<li class="${isDone ? 'done' : isNext ? 'next' : 'open'}"><h3>${title} ${isDone ? mark('done', 'good') : isNext ? mark('now') : null}</h3>${text}</li>`
