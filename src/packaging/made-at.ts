import { processEnvironment } from '../config/environment.ts'
import { OperatorError } from '../lib/operator-error.ts'

/** The time of a release in seconds: that of its sources, so that builds are reproducible. */
export function madeAtSeconds(): number {
  const given = processEnvironment().SOURCE_DATE_EPOCH
  const text =
    given ?? Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], { stderr: 'ignore' }).stdout.toString().trim()
  if (/^[0-9]{1,11}$/.test(text)) return Number(text)
  throw new OperatorError(
    given === undefined
      ? 'There is no history here to take the time of the last commit from: set SOURCE_DATE_EPOCH to a time in seconds.'
      : `SOURCE_DATE_EPOCH is "${given}": expected a time in seconds.`,
  )
}
