import { calendarDate } from '../lib/calendar.ts'
import { capitalised } from '../lib/capitalised.ts'
import { localDay } from '../lib/local-day.ts'
import { type Language, textsOf } from './language.ts'
import type { Texts } from './texts/en.ts'
import { filled, type Plural } from './wording.ts'

/** Whose conventions dates and numbers follow, where a language has several. */
const tags: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  it: 'it-IT',
  nl: 'nl-NL',
  pt: 'pt-PT',
  pl: 'pl-PL',
}

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const numberStyles = {
  count: { maximumFractionDigits: 0 },
  decimal: tenths,
  percent: { style: 'percent', ...tenths },
  wholePercent: { style: 'percent', maximumFractionDigits: 0 },
} as const satisfies Record<string, Intl.NumberFormatOptions>

/** The examples are English. */
const dayStyles = {
  /** `12 October 2026` */
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `Monday, 12 October 2026` */
  weekdayDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** `12 October` */
  dayOfMonth: { day: 'numeric', month: 'long' },
  /** `12 Oct` */
  short: { day: 'numeric', month: 'short' },
  /** `Mon 12 Oct` */
  weekdayShort: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `October 2026` */
  month: { month: 'long', year: 'numeric' },
  /** `Oct 2026` */
  monthShort: { month: 'short', year: 'numeric' },
  /** `October` */
  monthAlone: { month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
export type DayStyle = keyof typeof dayStyles

const byteUnits = [
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const

const dayMs = 86_400_000

/** The texts of a language, and how it writes numbers, dates and plurals. Loads the runtime's data of it when first asked. */
export class Locale {
  readonly language: Language
  readonly texts: Texts
  private readonly tag: string
  private readonly numberFormats = new Map<keyof typeof numberStyles, Intl.NumberFormat>()
  private readonly dayFormats = new Map<DayStyle, Intl.DateTimeFormat>()
  private rules: Intl.PluralRules | null = null

  /** @param language `null`: the account names none, which is English */
  constructor(language: Language | null) {
    this.language = language ?? 'en'
    this.texts = textsOf(language)
    this.tag = tags[this.language]
  }

  /** `1,234` */
  count(number: number): string {
    return this.number('count', number)
  }

  /** `0.3` */
  decimal(number: number): string {
    return this.number('decimal', number)
  }

  /** `2.7%`, of a share in per cent. */
  percent(share: number): string {
    return this.number('percent', share / 100)
  }

  /** `12%` */
  wholePercent(share: number): string {
    return this.number('wholePercent', share / 100)
  }

  /** `1 lead`, `3 leads`: the form for the number, with `{count}` and the other gaps filled. */
  plural(forms: Plural, number: number, values: Readonly<Record<string, string | number>> = {}): string {
    this.rules ??= new Intl.PluralRules(this.tag)
    const form = this.rules.select(number)
    const text = form === 'zero' || form === 'two' ? undefined : forms[form]
    return filled(text ?? forms.other, { count: this.count(number), ...values })
  }

  /** The size of a file: `23 bytes`, `1.2 MB`. */
  bytes(number: number): string {
    const [unit, size] = byteUnits.find(([, size]) => number >= size) ?? ['byte', 1]
    const display = unit === 'byte' ? 'long' : 'short'
    const format = { style: 'unit', unit, unitDisplay: display, maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(this.tag, format).format(number / size)
  }

  /** `a, b and c` */
  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.tag).format(items)
  }

  /** @param day days since 1970-01-01 */
  day(day: number, style: DayStyle): string {
    return this.ordinal(this.dayFormat(style).format(day * dayMs))
  }

  /** `3–17 October 2026`. @param last included */
  days(first: number, last: number, style: DayStyle): string {
    const range = this.dayFormat(style).formatRange(first * dayMs, last * dayMs)
    // Italian and Portuguese write `03` in a range, and `3` in a date. English has blanks around every dash; between
    // two days of one month they only make room for a line break.
    const plain = range.replaceAll(/(?<=^|–\s?)0(?=\d)/g, '').replace(/^(\d+)\s–\s/, '$1–')
    return this.ordinal(plain)
  }

  /** An instant in a time zone: `22 November 2026, 09:15 CET`. */
  instant(at: number, timeZone: string): string {
    const date = new Intl.DateTimeFormat(this.tag, { ...dayStyles.date, timeZone })
    const time = new Intl.DateTimeFormat(this.tag, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    })
    return `${this.ordinal(date.format(at))}, ${time.format(at)}`
  }

  /** An instant in a list of what is recent: `Today, 09:15`, `Yesterday, 18:40`, `20 Nov, 09:15`; of another year the date alone. */
  recent(at: number, timeZone: string, now: number): string {
    const [on, today] = [localDay(at, timeZone), localDay(now, timeZone)]
    const isNear = today === on || today === on + 1
    if (!isNear && calendarDate(on).year !== calendarDate(today).year) return this.day(on, 'date')
    const time = new Intl.DateTimeFormat(this.tag, { timeZone, timeStyle: 'short' }).format(at)
    const near = new Intl.RelativeTimeFormat(this.tag, { numeric: 'auto' })
    return `${isNear ? capitalised(near.format(on - today, 'day')) : this.day(on, 'short')}, ${time}`
  }

  /** French counts on from the first of a month: `1er novembre`, `2 novembre`. */
  private ordinal(date: string): string {
    return this.language === 'fr' ? date.replaceAll(/(?<!\d)1(?=–\d|\s\p{L})/gu, '1er') : date
  }

  private number(style: keyof typeof numberStyles, number: number): string {
    const format = this.numberFormats.get(style) ?? new Intl.NumberFormat(this.tag, numberStyles[style])
    this.numberFormats.set(style, format)
    return format.format(number)
  }

  private dayFormat(style: DayStyle): Intl.DateTimeFormat {
    const format =
      this.dayFormats.get(style) ?? new Intl.DateTimeFormat(this.tag, { ...dayStyles[style], timeZone: 'UTC' })
    this.dayFormats.set(style, format)
    return format
  }
}

export const english = new Locale('en')
