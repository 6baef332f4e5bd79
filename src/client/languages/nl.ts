import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Bedankt, uw bericht is verzonden.',
  refused: 'Helaas is het verzenden niet gelukt. Probeer het opnieuw.',
  bot_check: 'Bevestig dat u een mens bent.',
}
