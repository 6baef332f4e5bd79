import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Vielen Dank, Ihre Nachricht wurde gesendet.',
  refused: 'Leider konnte Ihre Nachricht nicht gesendet werden. Bitte versuchen Sie es erneut.',
  bot_check: 'Bitte bestätigen Sie, dass Sie ein Mensch sind.',
}
