import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Gracias, el formulario se ha enviado.',
  unavailable: 'Lo sentimos, no se ha podido enviar. Inténtelo de nuevo, por favor.',
  too_long: 'No se ha enviado: este texto tiene {length} caracteres y caben unos {max}. Acórtelo, por favor.',
  files: 'No se ha enviado: este formulario no permite enviar archivos. Vuelva a enviarlo para mandarlo sin ellos.',
  email: 'Introduzca una dirección de correo electrónico.',
  bot_check: 'Confirme que no es un robot, por favor.',
}
