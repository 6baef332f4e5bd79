import { untrustedProxy, untrustedProxyAdvice, untrustedProxyFound } from '../refusals/untrusted-proxy.ts'
import { examineBackups } from './backup.ts'
import { type CheckResult, fault, ok, warning } from './check-result.ts'
import { examineDatabase } from './database.ts'
import { examineDomains } from './domains.ts'
import { examineElsewhere } from './elsewhere.ts'
import { examineDisk, examineFolder, examineServer } from './folder.ts'
import type { Inspection } from './inspection.ts'
import { examineKernel } from './kernel.ts'
import type { NameServers } from './observed-host.ts'
import { examineUnfinished } from './unfinished.ts'

export interface ExaminationWanted {
  /** The database's path, for messages. */
  databaseFile: string
  /** Whether to read and hash all published content. */
  deep: boolean
  nameServers?: NameServers
}

/** Examines the box without changing it, with advice for each problem (docs/running.md). */
export async function examineBox(
  inspection: Inspection,
  { databaseFile, deep, nameServers = {} }: ExaminationWanted,
): Promise<CheckResult[]> {
  const { config } = inspection
  return [
    ...configChecks(inspection),
    ...(await examineData(inspection, { file: databaseFile, deep })),
    ...(await proxyChecks(inspection)),
    ...(config.https.mode === 'off' ? [] : [await examineKernel(inspection)]),
    ...(await examineDomains(inspection, nameServers)),
  ]
}

/** The only result if the configuration cannot be read. */
export const configFault = (message: string): CheckResult =>
  fault('config', message, 'Correct it; `capture config example` explains every key.')

function configChecks({ configFile, configWarnings }: Inspection): CheckResult[] {
  const found = configFile === null ? 'There is no file; the built-in defaults apply.' : `${configFile} is valid.`
  const warnings = configWarnings.map((message) => warning('config', message, 'Remove or correct it.'))
  return [ok('config', found), ...warnings]
}

async function examineData(inspection: Inspection, database: { file: string; deep: boolean }): Promise<CheckResult[]> {
  const folder = examineFolder(inspection)
  const disk = await examineDisk(inspection)
  if (!folder.exists) return [...folder.results, disk]
  return [
    ...folder.results,
    ...examineElsewhere(inspection),
    disk,
    ...(await examineDatabase(inspection, database)),
    await examineServer(inspection),
    ...examineUnfinished(inspection.folder),
    ...examineBackups({
      config: inspection.config.backup,
      stateOf: (url) => inspection.folder.targetState(url),
      now: inspection.clock.now(),
      isServed: inspection.isServed(),
    }),
  ]
}

async function proxyChecks(inspection: Inspection): Promise<CheckResult[]> {
  const proxy = await untrustedProxy(inspection)
  if (proxy === null) return []
  return [warning('proxy', untrustedProxyFound(proxy), untrustedProxyAdvice(proxy, inspection.config))]
}
