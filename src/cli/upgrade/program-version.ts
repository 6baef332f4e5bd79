import { OperatorError } from '../../lib/operator-error.ts'
import { runProgram } from './run-program.ts'

const answerMsMax = 30_000

/** The version that an executable says it is. @throws OperatorError when it is not Capture, or does not run here */
export async function versionOf(file: string, named: string): Promise<string> {
  const run = await runProgram(file, ['version', '--json'], { env: {}, timeoutMs: answerMsMax, user: null }).catch(
    (error: Error) => {
      throw new OperatorError(`${named} does not start on this machine: ${error.message}. Nothing was changed.`)
    },
  )
  const version = run.status === 0 ? versionIn(run.stdout) : null
  if (version !== null) return version
  const complaint = run.stderr.trim().split('\n')[0] ?? ''
  throw new OperatorError(
    `${named} is not Capture, or cannot run here: \`version --json\` ended with ${run.status ?? 'a signal'}${complaint === '' ? '' : ` ("${complaint.slice(0, 200)}")`}. Nothing was changed.`,
  )
}

function versionIn(text: string): string | null {
  try {
    const { capture } = JSON.parse(text) as { capture?: unknown }
    return typeof capture === 'string' && /^\d+\.\d+\.\d[\w.+-]*$/.test(capture) ? capture : null
  } catch {
    return null
  }
}

/** How one version stands to another, in a word. */
export function comparedTo(version: string, other: string): 'newer' | 'older' | 'the same' {
  const order = Bun.semver.order(version, other)
  if (order === 0) return 'the same'
  return order > 0 ? 'newer' : 'older'
}
