/** Text that is markup already: `html` makes it, and `trustedMarkup` of what is the program's own. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template may hold. A string is text: it is escaped. `null` leaves nothing. */
export type HtmlPart = string | number | null | Markup | readonly HtmlPart[]

/** HTML from a template, in which everything but markup is escaped. An attribute's value has to stand in quotes. */
export function html(literals: TemplateStringsArray, ...parts: HtmlPart[]): Markup {
  const [first = '', ...rest] = literals
  return new Markup(first + rest.map((literal, index) => escaped(parts[index] ?? null) + literal).join(''))
}

/** The program's own markup or style sheet: nothing of what was captured or configured may be in it. */
export const trustedMarkup = (text: string): Markup => new Markup(text)

function escaped(part: HtmlPart): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(escaped).join('')
  return escapeHtml(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
