import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Dziękujemy, formularz został wysłany.',
  unavailable: 'Niestety nie udało się wysłać formularza. Prosimy spróbować ponownie.',
  too_long: 'Nie wysłano: tekst jest za długi (znaków: {length}, limit: około {max}). Prosimy go skrócić.',
  files:
    'Nie wysłano: w tym formularzu nie można przesyłać plików. Prosimy wysłać go ponownie, aby przesłać go bez plików.',
  email: 'Prosimy podać adres e-mail.',
  bot_check: 'Prosimy potwierdzić, że formularz wypełnia człowiek.',
}
