import type { CheckState } from './check.ts'

/** All results so far, in one sentence. */
export function summary(states: CheckState[], accountName: string): { title: string; tone: CheckState; says: string } {
  const count = (...wanted: CheckState[]): number => states.filter((state) => wanted.includes(state)).length
  const under = count('running', 'waiting')
  const tried = count('passed', 'note', 'failed')
  const [failed, asks, notes] = [count('failed'), count('asks'), count('note')]
  if (under > 0) {
    return { title: 'Trying everything…', tone: 'running', says: `${states.length - under} of ${states.length} done.` }
  }
  if (failed > 0) {
    const says = `${tried - failed} of ${tried} checks are as they should be. What to do stands below each of the others.`
    return { title: failed === 1 ? 'One thing does not work' : `${failed} things do not work`, tone: 'failed', says }
  }
  if (asks > 0)
    return { title: 'Your turn', tone: 'asks', says: 'Everything else was tried. The rest needs a person: see below.' }
  const noted = notes === 0 ? '' : notes === 1 ? ' One has a note.' : ` ${notes} have a note.`
  const skipped = count('skipped')
  const says = `${tried} checks of ${accountName} are as they should be.${noted}`
  if (skipped === 0) return { title: 'Everything works', tone: 'passed', says }
  return { title: 'Not everything could be tried', tone: 'note', says: `${says} ${skipped} could not be tried.` }
}
