import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Thank you, it has been sent.',
  unavailable: 'Sorry, it could not be sent. Please try again.',
  too_long: 'Not sent: this text has {length} characters, and about {max} fit. Please shorten it.',
  files: 'Not sent: files cannot be sent with this form. Send again to send it without them.',
  email: 'Please enter an email address.',
  bot_check: 'Please confirm that you are human.',
}
