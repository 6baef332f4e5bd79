import { resolve } from 'node:path'
import type { Asset } from '../asset/asset.ts'
import { encodeAssetPath } from '../asset/asset-name.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import { type Applied, type ApplyOptions, applySite } from '../site/apply.ts'
import type { Change } from '../site/change.ts'
import { readSiteFolder, type SiteFolder } from '../site/folder.ts'
import { interruptedText, leftText } from './apply-notes.ts'
import { type ShorterTerms, shorterTerms, shorterTermsResult, shorterTermsText } from './apply-retention.ts'
import type { ExitStatus } from './command.ts'
import { type Box, openBox } from './open.ts'
import { noticeOtherBox } from './other-boxes.ts'
import { cleanUpWhenInterrupted } from './output/interruption.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { type Progress, startProgress } from './output/progress.ts'
import { plural } from './output/quantities.ts'
import { type PreviewAddresses, previewAddresses } from './preview-address.ts'
import type { Session } from './session.ts'
import { sayUncollected } from './uncollected.ts'

export interface ApplyRequest {
  dir: string
  dryRun: boolean
  prune: boolean
  json: boolean
}

export async function runApply(request: ApplyRequest, session: Session): Promise<ExitStatus> {
  const { config, file } = await session.loadConfig()
  const dir = resolve(session.cwd, request.dir)
  const progress = applyProgress(session)
  let isPublished = false
  const settle = cleanUpWhenInterrupted(() => {
    progress.end()
    session.err.write(interruptedText(isPublished))
  })
  try {
    // Before the box is opened: root may have to read the folder that the data folder's owner may not.
    const folder = await readSiteFolder(dir, session.env)
    for (const warning of folder.warnings) session.err.write(`warning: ${printable(warning)}\n`)
    for (const skipped of folder.skipped) session.err.write(`skipped: ${printable(skipped)}\n`)
    const box = await openBox(config, session)
    try {
      const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
      await noticeOtherBox(box.accounts, where, (message) => session.err.write(`warning: ${printable(message)}\n`))
      const publishing = { ...box, clock: session.clock, previewHost: config.server.previewHost }
      const onPublished = (): void => {
        isPublished = true
      }
      const { handle, settings } = folder
      const shorter = await shorterTerms(box, { handle, terms: settings.retention, dryRun: request.dryRun })
      const applied = await applySite(folder, publishing, { ...request, dir, onProgress: progress.show, onPublished })
      progress.end()
      await report(applied, { folder, request, config, session, box, shorter })
      return 0
    } finally {
      await box.close()
    }
  } finally {
    settle()
  }
}

interface Reporting {
  folder: SiteFolder
  request: ApplyRequest
  config: Config
  session: Session
  box: Box
  shorter: ShorterTerms | null
}

async function report(applied: Applied, { folder, request, config, session, box, shorter }: Reporting): Promise<void> {
  const account = await box.accounts.find(folder.handle)
  const signing = { config, clock: session.clock, signingKeys: box.signingKeys }
  const previews = account && (await previewAddresses({ ...signing, accountId: account.id }))
  const addresses = new Addresses(folder, config, previews)
  const result = resultOf(applied, { folder, addresses, dryRun: request.dryRun })
  if (request.json) {
    const retention = shorter && { retention: shorterTermsResult(shorter) }
    await session.out.write(toJson({ ...result, ...retention }))
  } else {
    const announced = shorter === null ? '' : shorterTermsText(shorter, request.dryRun)
    await session.out.write(asText(applied, result, request.dryRun) + announced)
  }
  if (applied.plan.left.length > 0) session.err.write(leftText(applied.plan.left, request))
  sayUncollected(applied.uncollected, session.err)
}

interface Shown {
  folder: SiteFolder
  addresses: Addresses
  dryRun: boolean
}

/** Exactly the object of contract section 3. What a dry run mints is stored nowhere, and must not be taken for good. */
function resultOf({ plan, assets }: Applied, { folder, addresses, dryRun }: Shown) {
  const ofKind = (kind: Asset['kind']) => assets.filter((asset) => asset.kind === kind)
  const withPath = (asset: Asset) => ({ path: asset.name, ...addresses.of(asset) })
  return {
    account: folder.handle,
    domains: folder.settings.domains,
    ...(plan.mintedTrackingKey === null || dryRun ? {} : { trackingKey: plan.mintedTrackingKey }),
    forms: plan.forms.map(({ id, name, registered }) => ({
      id: dryRun && plan.mintedFormIds.includes(id) ? null : id,
      name,
      registered,
    })),
    pages: ofKind('page').map((asset) => ({ slug: asset.name, ...addresses.of(asset) })),
    images: ofKind('image').map(withPath),
    files: ofKind('file').map(withPath),
    changes: plan.changes.map(({ action, kind, name }) => ({ action, kind, name })),
  }
}

class Addresses {
  constructor(
    private readonly folder: SiteFolder,
    private readonly config: Config,
    /** `null`: there is no such account yet (a dry run). */
    private readonly previews: PreviewAddresses | null,
  ) {}

  of(asset: Asset): { id: string; state: Asset['current']['state']; url: string | null } {
    const { state } = asset.current
    return { id: asset.id, state, url: state === 'live' ? this.live(asset) : (this.previews?.of(asset) ?? null) }
  }

  private live({ kind, name }: Asset): string | null {
    const host = this.folder.settings.domains[0]
    if (host === undefined) return null
    const base = publicBase(this.config, host)
    if (kind === 'page') return `${base}/${name}`
    return `${base}/_svc/${kind === 'image' ? 'img' : 'file'}/${encodeAssetPath(name)}`
  }
}

const signs: Record<Change['action'], string> = { create: '+', update: '~', delete: '-' }

function asText({ plan }: Applied, result: ReturnType<typeof resultOf>, dryRun: boolean): string {
  if (plan.changes.length === 0) return `${result.account}: nothing to change.\n`
  const lines = plan.changes.map((change) => changeLine(dryRun ? withoutMintedId(change, plan) : change))
  const counted = `${result.account}: ${plural(plan.changes.length, 'change')}${dryRun ? ', none of them made (dry run)' : ' published'}.`
  const key =
    plan.mintedTrackingKey === null || dryRun
      ? []
      : ['', `Tracking key (shown once; it belongs into data-site-key): ${plan.mintedTrackingKey}`]
  const urls = dryRun ? [] : liveAddresses(result)
  return `${[...lines, counted, ...key, ...urls].join('\n')}\n`
}

const withoutMintedId = (change: Change, { mintedFormIds }: Applied['plan']): Change =>
  change.kind === 'form' && mintedFormIds.includes(change.note ?? '') ? { ...change, note: 'gets an id' } : change

const changeLine = ({ action, kind, name, note }: Change) =>
  printable(`  ${signs[action]} ${kind} ${name}${note === null || note === '' ? '' : ` (${note})`}`)

/** As many addresses as help; the rest is what `capture page list` is for. */
const addressesShown = 10

function liveAddresses({ pages }: ReturnType<typeof resultOf>): string[] {
  const live = pages.filter((page) => page.state === 'live' && page.url !== null)
  if (live.length === 0) return []
  const more = live.length > addressesShown ? [`  … and ${live.length - addressesShown} more`] : []
  return ['', ...live.slice(0, addressesShown).map((page) => `  ${page.url}`), ...more]
}

/** One bar a step: reading, storing, publishing. */
function applyProgress({ err, clock }: Session): { show: ApplyOptions['onProgress']; end: () => void } {
  const labels = { reading: 'Reading', storing: 'Storing', publishing: 'Publishing' }
  let current: { step: string; done: number; bar: Progress } | null = null
  return {
    show: (step, done, total) => {
      if (current?.step !== step) {
        current?.bar.end()
        const bar = startProgress({ stream: err, clock, label: labels[step], unit: 'files', total })
        current = { step, done: 0, bar }
      }
      current.bar.advance(done - current.done)
      current.done = done
    },
    end: () => current?.bar.end(),
  }
}
