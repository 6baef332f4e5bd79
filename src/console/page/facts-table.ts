import { html, type Markup } from '../../lib/html.ts'

export type Fact = readonly [name: Markup | string, value: Markup | string]

/** Names and values, a row each. */
export const factsTable = (facts: readonly Fact[]): Markup =>
  html`<table class="facts">${facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="value">${value}</td></tr>`)}</table>`
