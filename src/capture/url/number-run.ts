/** Groups of digits that stand together as the parts of one phone number could. */
export interface NumberRun {
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
export function numberRuns(text: string): NumberRun[] {
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
