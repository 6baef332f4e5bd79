/** One text in the grammatical numbers of a language (Unicode CLDR, plural rules). Polish has `few` and `many`, too. */
export type Plural = { other: string } & Partial<Record<'one' | 'few' | 'many', string>>

/** A plural of English, typed so that other languages may have more forms. */
export const plural = (forms: Plural): Plural => forms

/** A text with its gaps, such as `{count}`, filled. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap))
