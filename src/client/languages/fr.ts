import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Merci, votre formulaire a bien été envoyé.',
  unavailable: 'Désolé, l’envoi a échoué. Veuillez réessayer.',
  too_long:
    'Non envoyé\u00a0: ce texte compte {length} caractères, pour un maximum d’environ {max}. Veuillez le raccourcir.',
  files:
    'Non envoyé\u00a0: ce formulaire ne permet pas d’envoyer de fichiers. Envoyez-le à nouveau pour le transmettre sans fichiers.',
  email: 'Veuillez saisir une adresse e-mail.',
  bot_check: 'Veuillez confirmer que vous n’êtes pas un robot.',
}
