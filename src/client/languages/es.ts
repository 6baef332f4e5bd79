import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Gracias, el envío se ha realizado correctamente.',
  refused: 'Lo sentimos, no se ha podido enviar. Inténtelo de nuevo.',
  bot_check: 'Confirme que es una persona, por favor.',
}
