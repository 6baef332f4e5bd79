import type { languages } from './languages.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { it } from './texts/it.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'

export type Language = (typeof languages)[number]

const texts: Readonly<Record<Language, Texts>> = { en, de, fr, es, it, nl, pt, pl }

/** Every text for visitors and customers. @param language `null`: the account names none, which is English */
export const textsOf = (language: Language | null): Texts => texts[language ?? 'en']
