import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Grazie, il modulo è stato inviato.',
  unavailable: 'Spiacenti, l’invio non è riuscito. La preghiamo di riprovare.',
  too_long: 'Non inviato: il testo è di {length} caratteri e il massimo è di circa {max}. La preghiamo di accorciarlo.',
  files: 'Non inviato: con questo modulo non è possibile inviare file. Lo invii di nuovo per trasmetterlo senza file.',
  email: 'Inserisca un indirizzo e-mail.',
  bot_check: 'Confermi di non essere un robot.',
}
