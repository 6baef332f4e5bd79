import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Obrigado, o formulário foi enviado.',
  unavailable: 'Lamentamos, mas não foi possível enviar. Tente novamente, por favor.',
  too_long: 'Não enviado: este texto tem {length} caracteres e cabem cerca de {max}. Por favor, encurte-o.',
  files: 'Não enviado: este formulário não permite enviar anexos. Envie novamente para prosseguir sem eles.',
  email: 'Indique um endereço de e-mail.',
  bot_check: 'Confirme que não é um robô.',
}
