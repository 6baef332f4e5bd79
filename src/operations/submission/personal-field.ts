import { phoneNumbersIn } from '../../capture/phone-fields.ts'
import { holdsEmail } from '../../capture/url/email-in-text.ts'
import { isPersonalName } from '../../capture/url/personal-name.ts'
import { holdsPersonalNumber } from '../../capture/url/personal-text.ts'
import type { JsonObject } from '../../lib/json-value.ts'

/** Words for a person's name or phone beyond those that `isPersonalName` knows, where a field of a form is called so. */
const words = new Set([
  ...['nom', 'nombre', 'nome', 'naam', 'imie', 'nazwisko', 'apelido'],
  ...['telefone', 'telemovel', 'movil', 'cellulare', 'portable', 'komorka', 'mobiel', 'cell'],
])

/** Whether a field's name says that it holds a person's name, address, phone number or the like. */
export const isPersonalField = (name: string): boolean => {
  // `prénom` and `imię` as they are written without accents.
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '')
  return isPersonalName(plain) || (plain.toLowerCase().match(/[a-z]+/g) ?? []).some((word) => words.has(word))
}

/** Whether a text holds an e-mail address or a phone number, also one without any separator. */
export const holdsContact = (text: string): boolean =>
  holdsEmail(text.replaceAll(/%40/g, '@')) || holdsPersonalNumber(text) || /\d{7}/.test(text)

/** The number to call whoever sent the fields, as they wrote it; `null`: they gave none. */
export const phoneToCall = (fields: JsonObject): string | null => phoneNumbersIn(fields)[0] ?? null
