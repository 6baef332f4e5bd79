import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Merci, votre envoi a bien été transmis.',
  refused: 'Désolé, l’envoi a échoué. Veuillez réessayer.',
  bot_check: 'Veuillez confirmer que vous êtes humain.',
}
