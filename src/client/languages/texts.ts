/**
 * What the script says to visitors, in one language. A form's attribute `data-svc-message-<name>` overrides a text. Add
 * new texts here, in `en.ts` and in each language beside it.
 */
export interface VisitorTexts {
  accepted: string
  /** For all refusals without a text of their own. */
  unavailable: string
  /** Names `{length}` and `{max}`, in characters. */
  too_long: string
  files: string
  email: string
  bot_check: string
}

/** Each is a file `/_svc/l/<language>.js`. English comes with the forms, too. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const

export type Language = (typeof languages)[number]
