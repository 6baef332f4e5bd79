import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Thank you, it has been sent.',
  refused: 'Sorry, it could not be sent. Please try again.',
  bot_check: 'Please confirm that you are human.',
}
