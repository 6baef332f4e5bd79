import { OperatorError } from '../../lib/operator-error.ts'
import type { OpenedTarget } from './target-ports.ts'

/** The targets that a command is about: the one that is named, or all. @throws OperatorError when there is none */
export function chosenTargets(opened: readonly OpenedTarget[], named: string | undefined): OpenedTarget[] {
  if (opened.length === 0)
    throw new OperatorError('No backups leave this box: name a place for them in [backup] to of capture.toml.')
  if (named === undefined) return [...opened]
  const url = named.replace(/\/$/, '')
  const found = opened.find(({ target }) => target.url === url)
  if (found !== undefined) return [found]
  const known = opened.map(({ target }) => target.url).join(', ')
  throw new OperatorError(`${named} is not in [backup] to of capture.toml. There are: ${known}.`)
}
