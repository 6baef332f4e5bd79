import { phoneDigitsMin } from './worth-a-look.ts'

/** The longest number of ITU-T E.164. */
const phoneDigitsMax = 15
/** ISO/IEC 7812. */
const cardDigitsMin = 13
const cardDigitsMax = 19

/**
 * Whether the text holds a phone number (7 to 15 digits with a `+` or separators) or a card number (13 to 19 digits that
 * pass Luhn), anywhere in a row of numbers (docs/events.md). `isOtherNumber` recognises similar texts such as dates, IP
 * addresses and decimal numbers.
 */
export function holdsPhoneOrCard(text: string): boolean {
  for (const run of numberRuns(text)) {
    if (run.digits < phoneDigitsMin || isOtherNumber(run)) continue
    for (const { groups, plus } of withoutDates(run)) {
      if (holdsPhone(groups, plus) || holdsCard(groups)) return true
    }
  }
  return false
}

/** Whether neighbouring groups make up a phone number; a single one does only after a `+`. */
function holdsPhone(groups: string[], plus: boolean[]): boolean {
  for (let first = 0; first < groups.length; first++) {
    let digits = 0
    for (let last = first; last < groups.length && digits <= phoneDigitsMax; last++) {
      digits += (groups[last] ?? '').length
      const written = last > first || plus[first] === true
      if (written && digits >= phoneDigitsMin && digits <= phoneDigitsMax) return true
    }
  }
  return false
}

function holdsCard(groups: string[]): boolean {
  for (let first = 0; first < groups.length; first++) {
    let number = ''
    for (let last = first; last < groups.length && number.length <= cardDigitsMax; last++) {
      number += groups[last] ?? ''
      if (number.length >= cardDigitsMin && number.length <= cardDigitsMax && passesLuhn(number)) return true
    }
  }
  return false
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = number.charCodeAt(number.length - 1 - i) - 0x30
    const weighed = i % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

/** Groups that remain of a run, with what tells whether each follows a `+`. */
type Groups = Pick<NumberRun, 'groups' | 'plus'>

/** A `+` that is a space between words. */
const afterWord = /[a-z0-9]\+$/i
const timeWithFraction = /^\d\d\.\d{1,9}(?:[+ -]\d\d(?:\d\d)?)?$/

/** Whether a run as a whole is another kind of number, although written like a phone number. */
function isOtherNumber(run: NumberRun): boolean {
  if (run.separators.length === 0 || run.plus[0] === true) return false
  return isDotted(run) || isEndOfTime(run)
}

/** A decimal number, a price, a version or an IPv4 address: only dots, and no group with a needless leading zero. */
function isDotted({ groups, separators }: NumberRun): boolean {
  if (separators.some((separator) => separator !== '.')) return false
  const [first = ''] = groups
  if (groups.length === 2) return !hasLeadingZero(first)
  if (groups.some(hasLeadingZero)) return isThousands(groups)
  return groups.includes('0') || isIpv4(groups) || isThousands(groups)
}

const isIpv4 = (groups: string[]): boolean => groups.length === 4 && groups.every((group) => Number(group) <= 255)

const isThousands = ([first = '', ...rest]: string[]): boolean =>
  first.length <= 2 && !first.startsWith('0') && rest.every((group) => group.length === 3)

const hasLeadingZero = (group: string): boolean => group.length > 1 && group.startsWith('0')

/** The seconds, fraction and offset that end an ISO 8601 time. */
const isEndOfTime = (run: NumberRun): boolean => /\d:$/.test(run.before) && timeWithFraction.test(joined(run))

const joined = ({ groups, separators }: NumberRun): string =>
  groups.map((group, i) => group + (separators[i] ?? '')).join('')

/** The run without its dates, in as many pieces as they leave. What begins with a plus sign has none. */
function withoutDates(run: NumberRun): Groups[] {
  if (run.plus[0] === true && !afterWord.test(run.before)) return [run]
  const pieces: Groups[] = []
  let piece: Groups | null = null
  for (let i = 0; i < run.groups.length; ) {
    const length = dateLength(run, i, piece === null)
    if (length > 0) {
      piece = null
      i += length
      continue
    }
    if (piece === null) {
      piece = { groups: [], plus: [] }
      pieces.push(piece)
    }
    piece.groups.push(run.groups[i] ?? '')
    piece.plus.push(run.plus[i] ?? false)
    i++
  }
  return pieces
}

/** How many groups from `i` on are a date. One without separators counts only where no number precedes it. */
function dateLength({ groups, separators }: NumberRun, i: number, isFirst: boolean): number {
  const [first = '', second = '', third = ''] = groups.slice(i, i + 3)
  const [gap, nextGap] = separators.slice(i, i + 2)
  if (isFirst && first.length === 8 && isDate(first.slice(0, 4), first.slice(4, 6), first.slice(6))) return 1
  if (gap === undefined || gap.length !== 1 || gap !== nextGap) return 0
  return isDate(first, second, third) || isDate(third, second, first) || isDate(third, first, second) ? 3 : 0
}

const isDate = (year: string, month: string, day: string): boolean =>
  isYear(year) && isWithin(month, 12) && isWithin(day, 31)

const isYear = (group: string): boolean => group.length === 4 && (group.startsWith('19') || group.startsWith('20'))

const isWithin = (group: string, max: number): boolean =>
  (group.length === 1 || group.length === 2) && Number(group) >= 1 && Number(group) <= max

/** Groups of digits that stand together as the parts of one phone number could. */
interface NumberRun {
  groups: string[]
  /** What stands between group i and the next. */
  separators: string[]
  /** Whether group i follows a `+` directly, or with `(` or a space between. */
  plus: boolean[]
  digits: number
  /** Up to four characters before the run. */
  before: string
}

/** `) - ` and `.(0).` need three between two groups. */
const separatorCharsMax = 3
const separatorCharacters = ' +-./()'

/** The runs of a decoded text, in one pass. A run of digits alone is a run of one group. */
function numberRuns(text: string): NumberRun[] {
  const runs: NumberRun[] = []
  let run: NumberRun | null = null
  let groupEnd = 0
  for (let i = 0; i < text.length; ) {
    if (!isDigit(text, i)) {
      i++
      continue
    }
    const start = i
    while (isDigit(text, i)) i++
    const separator = run === null ? null : separatorWithin(run, text.slice(groupEnd, start))
    if (run === null || separator === null) {
      run = { groups: [], separators: [], plus: [], digits: 0, before: text.slice(Math.max(0, start - 4), start) }
      runs.push(run)
    } else {
      run.separators.push(separator)
    }
    run.groups.push(text.slice(start, i))
    run.plus.push(followsPlus(text, start))
    run.digits += i - start
    groupEnd = i
  }
  return runs
}

/** Slashes make dates and paths of numbers, unless the run begins like a number that is dialled. */
function separatorWithin(run: NumberRun, between: string): string | null {
  if (between.length > separatorCharsMax) return null
  for (const character of between) if (!separatorCharacters.includes(character)) return null
  return between.includes('/') && !isDialled(run) ? null : between
}

const isDialled = ({ groups, plus, before }: NumberRun): boolean =>
  (groups[0] ?? '').startsWith('0') || plus[0] === true || before.endsWith('(')

function followsPlus(text: string, start: number): boolean {
  const before = text.charAt(start - 1)
  return before === '+' || ((before === '(' || before === ' ') && text.charAt(start - 2) === '+')
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0x30 && code <= 0x39
}
