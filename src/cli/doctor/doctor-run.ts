import { OperatorError } from '../../lib/operator-error.ts'
import { type CheckResult, checkJson, worstStatus } from '../../operations/check-result.ts'
import { configFault, examineBox } from '../../operations/doctor/examine-box.ts'
import type { NameServers } from '../../operations/doctor/observed-host.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import type { CommandResult } from '../command.ts'
import { actAsDataOwner, processUser, typedCommandLine } from '../data-folder/data-owner.ts'
import { inspectionOf } from '../open.ts'
import type { Layout, Tone } from '../output/style.ts'
import { hung, printable } from '../output/text.ts'
import type { Session } from '../session.ts'

interface DoctorRequest {
  deep: boolean
  strict: boolean
  quiet: boolean
}

export async function runDoctor(
  request: DoctorRequest,
  session: Session,
  nameServers?: NameServers,
): Promise<CommandResult> {
  const results = await examine(request, session, nameServers)
  const status = worstStatus(results)
  const shown = request.quiet ? results.filter((result) => result.status !== 'ok') : results
  return {
    json: { status, checks: shown.map(checkJson) },
    text: (layout) => asText(shown, layout),
    exitStatus: status === 'fault' || (request.strict && status === 'warning') ? 1 : 0,
  }
}

async function examine(
  { deep }: DoctorRequest,
  session: Session,
  nameServers: NameServers = {},
): Promise<CheckResult[]> {
  const loaded = await session.loadConfig().catch((error: unknown) => {
    if (error instanceof OperatorError) return error
    throw error
  })
  if (loaded instanceof OperatorError) return [configFault(loaded.message)]
  const { dataDir } = loaded.config
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  const inspection = await inspectionOf(loaded, session)
  return examineBox(inspection, { databaseFile: databaseFile(dataDir), deep, nameServers })
}

const tones: Record<CheckResult['status'], Tone> = { ok: 'good', warning: 'doubtful', fault: 'bad' }
const statusColumns = 7

function asText(results: CheckResult[], { style, columns }: Layout): string {
  const lines = results.flatMap(({ check, status, found, advice }) => {
    const padded = status.padEnd(statusColumns)
    const wrapped = hung(`${padded}  `, printable(`${check}: ${found}`, 'lines'), columns)
    const todo = advice === null ? [] : [hung(`${' '.repeat(statusColumns)}  → `, printable(advice, 'lines'), columns)]
    return [style(tones[status], padded) + wrapped.slice(padded.length), ...todo]
  })
  return lines.map((line) => `${line}\n`).join('')
}
