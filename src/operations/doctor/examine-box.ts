import { type CheckResult, fault, note, ok, warning } from '../check-result.ts'
import { untrustedProxy, untrustedProxyAdvice, untrustedProxyFound } from '../refusals/read-refusals.ts'
import { examineBackups } from './backup.ts'
import { examineCluster } from './cluster.ts'
import { examineDatabase } from './database.ts'
import { examineDomains } from './domains.ts'
import { examineDisk, examineElsewhere, examineFolder, examineServer, examineUnfinished } from './folder.ts'
import type { Inspection } from './inspection.ts'
import type { NameServers } from './observed-host.ts'

interface ExaminationWanted {
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
    ...(await examineCluster(inspection)),
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

const migrateSetting = 'net.ipv4.tcp_migrate_req'

/**
 * Checks whether the kernel migrates pending handshakes to the listener that replaces another (docs/decisions/0033). Never a
 * warning: under normal load almost none are pending, browsers retry, and in a container the host decides.
 */
export async function examineKernel({ kernelSetting }: Pick<Inspection, 'kernelSetting'>): Promise<CheckResult> {
  const value = await kernelSetting(migrateSetting)
  if (value === '1') return ok('kernel', 'A change of certificates resets no connection.')
  const losses = 'On a very busy box a change of certificates resets connections that are just being made'
  if (value === null) return note('kernel', `${losses}: this kernel does not have ${migrateSetting}.`)
  return {
    ...note('kernel', `${losses}, since ${migrateSetting} is ${value}.`),
    advice: `echo '${migrateSetting} = 1' | sudo tee /etc/sysctl.d/60-capture.conf && sudo sysctl -p /etc/sysctl.d/60-capture.conf`,
  }
}
