import { existsSync, readFileSync } from 'node:fs'
import { places } from '../service/places.ts'
import { runProgram } from './run-program.ts'

const planMsMax = 30_000

/** A sentence where the installed unit is not the one that the new version would install. */
export async function unitNote(executable: string): Promise<string[]> {
  if (executable !== places.executable || !existsSync(places.unit)) return []
  const user = /^User=(.+)$/m.exec(readFileSync(places.unit, 'utf8'))?.[1]
  if (user === undefined) return []
  const argv = ['service', 'install', '--dry-run', '--json', '--user', user]
  const run = await runProgram(executable, argv, { env: {}, timeoutMs: planMsMax, user: null }).catch(() => null)
  if (run === null || !isUnitDue(run.stdout)) return []
  return [
    `The new version has another unit file than the one in ${places.unit}. To put it right, with a short stop: sudo capture service install --user ${user}`,
  ]
}

function isUnitDue(text: string): boolean {
  try {
    const { steps } = JSON.parse(text) as { steps: { what: string; state: string }[] }
    return steps.some(({ what, state }) => what === 'unit' && state === 'due')
  } catch {
    return false
  }
}
