/** Trusted markup: `html` makes it, and `trustedMarkup` from the program's own texts. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template may contain. Strings are escaped; `null` leaves nothing. */
export type HtmlPart = string | number | null | Markup | readonly HtmlPart[]

/** HTML from a template; everything that is not markup is escaped. Attribute values must be quoted. */
export function html(literals: TemplateStringsArray, ...parts: HtmlPart[]): Markup {
  const [first = '', ...rest] = literals
  return new Markup(first + rest.map((literal, index) => escaped(parts[index] ?? null) + literal).join(''))
}

/** The program's own markup or style sheet: it must contain nothing captured or configured. */
export const trustedMarkup = (text: string): Markup => new Markup(text)

function escaped(part: HtmlPart): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(escaped).join('')
  return escapeHtml(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
