import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Obrigado, o envio foi concluído.',
  refused: 'Lamentamos, não foi possível enviar. Tente novamente.',
  bot_check: 'Confirme que é uma pessoa.',
}
