/** What visitors and customers read can be in each of these (docs/languages.md). */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const
