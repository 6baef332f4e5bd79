import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Grazie, l’invio è riuscito.',
  refused: 'Spiacenti, l’invio non è riuscito. La preghiamo di riprovare.',
  bot_check: 'Confermi di essere una persona.',
}
