import type { Config } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { untrustedProxy, untrustedProxyAdvice, untrustedProxyFound } from '../../operations/refusals/untrusted-proxy.ts'
import { readProxyNote } from '../../storage/filesystem/proxy-note.ts'
import type { ExitStatus } from '../command.ts'
import { actAsDataOwner, processUser, typedCommandLine } from '../data-owner.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { type Style, styleFor, type Tone } from '../output/style.ts'
import { hung } from '../output/wrap.ts'
import type { Session } from '../session.ts'
import { examineAbandoned } from './abandoned.ts'
import { examineDatabase } from './database.ts'
import { examineDomains } from './domains.ts'
import { examineElsewhere } from './elsewhere.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { examineDisk, examineFolder, examineServer } from './folder.ts'
import { examineKernel } from './kernel.ts'
import type { World } from './observed-host.ts'

/** Looks at the box without changing it, and says of everything what to do (contract section 1, `doctor`). */
export async function runDoctor(
  request: { deep: boolean; strict: boolean; quiet: boolean; json: boolean },
  session: Session,
  world: World = {},
): Promise<ExitStatus> {
  const findings = await examine(request, session, world)
  const status = worst(findings)
  const style = styleFor(session.out, session.env)
  const shown = request.quiet ? findings.filter((finding) => finding.status !== 'ok') : findings
  await session.out.write(request.json ? toJson({ status, checks: shown }) : asText(shown, style, session.out.columns))
  return status === 'fault' || (request.strict && status === 'warning') ? 1 : 0
}

async function examine(request: { deep: boolean }, session: Session, world: World): Promise<Finding[]> {
  const loaded = await session.loadConfig().catch((error: unknown) => {
    if (error instanceof OperatorError) return error
    throw error
  })
  if (loaded instanceof OperatorError) {
    return [fault('config', loaded.message, 'Mend it; `capture config example` explains every key.')]
  }
  const { config } = loaded
  actAsDataOwner({ dataDir: config.dataDir, user: processUser(), typed: typedCommandLine(session) })
  return [
    ...configFindings(loaded),
    ...(await examineBox(loaded, request, session)),
    ...(await proxyFindings(config)),
    ...(config.https.mode === 'off' ? [] : [examineKernel()]),
    ...(await examineDomains(config, session.clock, world)),
  ]
}

function configFindings({ file, warnings }: LoadedConfig): Finding[] {
  const read = ok('config', file === null ? 'There is no file; the built-in defaults hold.' : `${file} can be used.`)
  return [read, ...warnings.map((found) => warning('config', found, 'Take it out, or mend it.'))]
}

async function examineBox(
  { config, file }: LoadedConfig,
  { deep }: { deep: boolean },
  session: Session,
): Promise<Finding[]> {
  const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
  const folder = examineFolder(config, where)
  const disk = await examineDisk(config)
  if (!folder.exists) return [...folder.findings, disk]
  return [
    ...folder.findings,
    ...examineElsewhere(where),
    disk,
    ...(await examineDatabase(config, { deep, session })),
    examineServer(config),
    ...examineAbandoned(config),
  ]
}

async function proxyFindings(config: Config): Promise<Finding[]> {
  const note = await untrustedProxy({ config, proxyNote: () => readProxyNote(config.dataDir) })
  return note === null ? [] : [warning('proxy', untrustedProxyFound(note), untrustedProxyAdvice(note, config))]
}

function worst(findings: Finding[]): Finding['status'] {
  if (findings.some(({ status }) => status === 'fault')) return 'fault'
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

const tones: Record<Finding['status'], Tone> = { ok: 'good', warning: 'doubtful', fault: 'bad' }
const statusColumns = 7

function asText(findings: Finding[], style: Style, columns: number | undefined): string {
  const lines = findings.flatMap(({ check, status, found, advice }) => {
    const padded = status.padEnd(statusColumns)
    const said = hung(`${padded}  `, printable(`${check}: ${found}`, 'lines'), columns)
    const todo = advice === null ? [] : [hung(`${' '.repeat(statusColumns)}  → `, printable(advice, 'lines'), columns)]
    return [style(tones[status], padded) + said.slice(padded.length), ...todo]
  })
  return lines.map((line) => `${line}\n`).join('')
}
