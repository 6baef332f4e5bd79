import { installedUnit } from '../service/installed-unit.ts'
import { places } from '../service/places.ts'
import { runProgram } from './run-program.ts'

const planMsMax = 30_000

/** A sentence where the unit that runs this executable is not the one that the new version would install. */
export async function unitNote(executable: string): Promise<string[]> {
  if (installedUnit('/')?.executable !== executable) return []
  const argv = ['service', 'install', '--dry-run', '--json']
  const run = await runProgram(executable, argv, { env: {}, timeoutMs: planMsMax, user: null }).catch(() => null)
  if (run === null || !isUnitDue(run.stdout)) return []
  return [
    `The new version has another unit file than ${places.unit}. To put it right, with a short stop: sudo capture service install`,
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
