import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { cleanUpWhenInterrupted } from '../lib/interruption.ts'
import { type DnsRecords, dnsRecords } from '../operations/domains/dns-records.ts'
import { previewAddresses } from '../operations/page/preview-address.ts'
import { type Applied, type ApplyOptions, applySite } from '../site/apply.ts'
import { readSiteFolder, type SiteFolder } from '../site/folder.ts'
import type { SitePlan } from '../site/plan.ts'
import { dnsText } from './apply-dns.ts'
import { leftText, standingText } from './apply-notes.ts'
import { applyProgress } from './apply-progress.ts'
import { Addresses, resultOf, resultText } from './apply-result.ts'
import { type ShorterTerms, shorterTerms, shorterTermsResult, shorterTermsText } from './apply-retention.ts'
import type { ExitStatus } from './command.ts'
import { type CommandBox, openBox } from './open.ts'
import { noticeOtherBox } from './other-boxes.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { OutputClosed } from './output/streams.ts'
import type { Session } from './session.ts'
import { warnOfUncollected } from './uncollected.ts'

export interface ApplyRequest {
  dir: string
  dryRun: boolean
  prune: boolean
  json: boolean
}

/** `capture apply`: publishes the folder and prints what changed; whoever interrupts it is told how things stand. */
export async function runApply(request: ApplyRequest, session: Session): Promise<ExitStatus> {
  const progress = applyProgress(session)
  let published: SitePlan | null = null
  const settle = cleanUpWhenInterrupted(() => {
    progress.end()
    session.err.write(`Interrupted: ${standingText(published)}`)
  })
  const onPublished = (plan: SitePlan): void => {
    published = plan
  }
  try {
    await publishFolder(request, session, { onProgress: progress.show, onPublished, onDone: progress.end })
    return 0
  } catch (error) {
    // Nobody takes the result: its disk is full.
    if (published !== null && !(error instanceof OutputClosed))
      session.err.write(`The result is not shown: ${standingText(published)}`)
    throw error
  } finally {
    settle()
  }
}

type Watching = Pick<ApplyOptions, 'onProgress' | 'onPublished'> & { onDone: () => void }

async function publishFolder(
  request: ApplyRequest,
  session: Session,
  { onDone, ...watching }: Watching,
): Promise<void> {
  const { config, file } = await session.loadConfig()
  const dir = resolve(session.cwd, request.dir)
  // Before the box is opened: root may have to read the folder that the data folder's owner may not.
  const folder = await readSiteFolder(dir, session.env)
  for (const warning of folder.warnings) session.err.write(`warning: ${printable(warning)}\n`)
  for (const skipped of folder.skipped) session.err.write(`skipped: ${printable(skipped)}\n`)
  const box = await openBox(config, session)
  try {
    const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
    await noticeOtherBox(box.accounts, where, (message) => session.err.write(`warning: ${printable(message)}\n`))
    const publishing = { ...box, clock: session.clock, previewHost: config.server.previewHost }
    const { handle, settings } = folder
    const shorter = await shorterTerms(box, { handle, terms: settings.retention, dryRun: request.dryRun })
    const dns = dnsRecords(await newDomains(folder, box), box)
    const applied = await applySite(folder, publishing, { ...request, dir, ...watching })
    onDone()
    await report(applied, { folder, request, config, session, box, shorter, dns })
  } finally {
    await box.close()
  }
}

/** Those that the account has not had before. */
async function newDomains(
  { handle, settings }: SiteFolder,
  { accounts }: Pick<CommandBox, 'accounts'>,
): Promise<string[]> {
  const before = (await accounts.find(handle))?.settings.domains ?? []
  return settings.domains.filter((host) => !before.includes(host))
}

interface Reporting {
  folder: SiteFolder
  request: ApplyRequest
  config: Config
  session: Session
  box: CommandBox
  shorter: ShorterTerms | null
  /** Of domains that are new. */
  dns: DnsRecords[]
}

async function report(
  applied: Applied,
  { folder, request, config, session, box, shorter, dns }: Reporting,
): Promise<void> {
  const account = await box.accounts.find(folder.handle)
  const previews = account && (await previewAddresses(box, account.id))
  const addresses = new Addresses(folder, config, previews)
  const result = resultOf(applied, { folder, addresses, dryRun: request.dryRun })
  if (request.json) {
    const retention = shorter && { retention: shorterTermsResult(shorter) }
    await session.out.write(toJson({ ...result, ...retention, ...(dns.length > 0 && { dns }) }))
  } else {
    const announced = shorter === null ? '' : shorterTermsText(shorter, request.dryRun)
    await session.out.write(resultText(applied, result, request.dryRun) + dnsText(dns) + announced)
  }
  if (applied.plan.left.length > 0) session.err.write(leftText(applied.plan.left, request))
  warnOfUncollected(applied.uncollected?.message ?? null, session.err)
}
