import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Dziękujemy, formularz został wysłany.',
  refused: 'Niestety nie udało się wysłać formularza. Proszę spróbować ponownie.',
  bot_check: 'Proszę potwierdzić, że nie jest Pan/Pani robotem.',
}
