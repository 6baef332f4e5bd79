import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Vielen Dank, Ihre Angaben wurden gesendet.',
  unavailable: 'Das Senden ist leider fehlgeschlagen. Bitte versuchen Sie es erneut.',
  too_long: 'Nicht gesendet: Der Text hat {length} Zeichen, es passen etwa {max}. Bitte kürzen Sie ihn.',
  files:
    'Nicht gesendet: Mit diesem Formular lassen sich keine Dateien übermitteln. Senden Sie es noch einmal, um es ohne Dateien abzuschicken.',
  email: 'Bitte geben Sie eine E-Mail-Adresse ein.',
  bot_check: 'Bitte bestätigen Sie, dass Sie ein Mensch sind.',
}
