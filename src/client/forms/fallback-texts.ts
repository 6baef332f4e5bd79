import type { VisitorTexts } from '../languages/texts.ts'

/** Used where the texts of a language could not be loaded. */
export const fallbackTexts: Pick<VisitorTexts, 'accepted' | 'unavailable' | 'files'> = {
  accepted: 'Thank you, it has been sent.',
  unavailable: 'Sorry, it could not be sent. Please try again.',
  files: 'Not sent: files cannot be sent with this form. Send again to send it without them.',
}

/** The texts of a language, as far as they could be loaded. */
export type LoadedTexts = typeof fallbackTexts & Partial<VisitorTexts>
