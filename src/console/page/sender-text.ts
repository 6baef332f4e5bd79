import { capturedValue, cut, onOneLine } from './values.ts'

const charactersMax = 60

/** Who sent a lead, for titles and lists. @param nobody who sent it without name and address */
export const senderText = (who: string | null, nobody = 'Somebody'): string =>
  cut(onOneLine(capturedValue(who ?? nobody)), charactersMax)
