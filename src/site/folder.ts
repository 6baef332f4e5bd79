import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { AccountSettings } from '../account/account.ts'
import { type AddressedKind, assetKinds, pathKinds } from '../asset/asset-kind.ts'
import { WallClock } from '../lib/local-time.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { Decoding } from '../lib/toml/decode.ts'
import type { Place } from '../lib/toml/value.ts'
import { type FolderDestination, folderDestinations } from './destinations.ts'
import { checkSize, errorPages, type FolderAsset, folderContents, folderPages } from './folder-assets.ts'
import { filesBelow, publishedTops, type Walk } from './folder-walk.ts'
import { type FolderForm, folderForms } from './forms.ts'
import { pagesNotUtf8 } from './page-text.ts'
import { folderRedirects } from './redirects.ts'
import type { SecretSources } from './secret.ts'
import { accountSettings, botCheckSettings, type FolderStep, folderGoals, folderSteps } from './settings.ts'
import { FolderReport, type KeptSecret, type SiteFault, SiteFaults, type SiteWarning, siteToml } from './site-faults.ts'
import type { WrittenSite } from './site-schema.ts'
import { readSiteToml, withoutSecrets } from './site-toml.ts'
import { folderSplits } from './splits.ts'

/** A checked site folder (docs/site-folder.md). */
export interface SiteFolder {
  /** Absolute and without links. */
  root: string
  /** `site.toml` without its secrets. */
  siteToml: string
  handle: string
  /** The position of the handle. */
  handlePlace: Place
  settings: AccountSettings
  /** The position of the connected domains, for a later check whether another account has one. */
  domainsPlace: Place
  /** The position of the origins, for a later check whether anybody could have one. */
  originsPlace: Place
  /** The position of `mail_from`, for a later check whether the box allows it. */
  mailFromPlace: Place
  /** The position of `[bot_check] verify_url`, for a later check whether anything may be sent there. */
  verifyUrlPlace: Place
  /** `[tracking] key`; `null`: the account keeps its key, or gets a new one. */
  trackingKey: string | null
  forms: FolderForm[]
  /** The pages and forms that goals and funnels count, for a later check whether there are any. */
  steps: FolderStep[]
  destinations: FolderDestination[]
  assets: FolderAsset[]
  /** Secrets that are to stay those that the box has. */
  keptSecrets: KeptSecret[]
  /** Secrets that came from the environment or a file, by the keys that ask for them. */
  fetchedSecrets: ReadonlyMap<string, string>
  /** Names that are not published, relative to the folder: dotted ones, and those with no place in a site folder. */
  skipped: string[]
  /** What is probably a mistake. */
  warnings: SiteWarning[]
}

/**
 * Reads and checks a site folder, names and sizes only. @param sent of a folder that came from another machine, the secrets that
 * its sender fetched there; `null`: it lies on this one. @throws SiteFaults with every fault
 */
export async function readSiteFolder(
  dir: string,
  env: SecretSources['env'],
  sent: SecretSources['sent'] = null,
): Promise<SiteFolder> {
  const report = new FolderReport()
  const walk = { dir: await realFolder(dir), report }
  const decoding = await readSiteToml(walk)
  const { value, partial } = decoding
  const forms = folderForms(
    partial.forms ?? [],
    {
      domains: partial.domains ?? [],
      origins: partial.origins ?? [],
      isBotCheckRequired: partial.bot_check?.value.required ?? false,
    },
    report,
  )
  const sources = { dir: walk.dir, env, sent }
  const botCheck = await botCheckOf(partial, sources, report)
  const destinations = await folderDestinations(
    partial.deliveries ?? [],
    { ...sources, forms: partial.forms ?? [] },
    report,
  )
  const counted = { goals: partial.goals ?? [], funnels: partial.funnels ?? [] }
  const goals = folderGoals(counted, report)
  const assets = await folderAssets(partial, walk)
  const splits = folderSplits(partial, assets, report)
  checkHome(decoding, assets, report)
  const redirects = redirectsOf(partial, assets, report)
  if (value === null || botCheck === null || report.faults.length > 0) {
    // A folder from another machine may have stand-ins for files whose bytes were not sent.
    const notText = sent === null ? await pagesNotUtf8(assets) : []
    throw new SiteFaults(dir, inOrder([...report.faults, ...notText]))
  }
  return {
    root: walk.dir,
    siteToml: withoutSecrets(decoding.text),
    handle: value.account,
    handlePlace: decoding.place('account'),
    settings: accountSettings(value, { botCheck, goals, splits, redirects }),
    domainsPlace: decoding.place('domains'),
    originsPlace: decoding.place('origins'),
    mailFromPlace: decoding.place('mail_from'),
    verifyUrlPlace: value.bot_check.place('verify_url'),
    trackingKey: value.tracking.key,
    forms,
    steps: folderSteps(counted),
    destinations,
    assets,
    keptSecrets: report.kept,
    fetchedSecrets: report.fetched,
    skipped: report.skipped,
    warnings: report.warnings,
  }
}

async function realFolder(dir: string): Promise<string> {
  const real = await realpath(dir).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EACCES' ? closed(dir) : null,
  )
  const found = real === null ? null : await stat(real).catch(() => null)
  const named =
    basename(dir) === siteToml ? `the folder it lies in, ${dirname(dir)}` : `a folder that contains a ${siteToml}`
  if (real === null || found === null) throw new OperatorError(`There is no folder ${dir}. Name ${named}.`)
  if (!found.isDirectory()) throw new OperatorError(`${dir} is not a folder. Name ${named}.`)
  await readdir(real).catch(() => closed(dir))
  return real
}

function closed(dir: string): never {
  throw new OperatorError(`The folder ${dir} is closed to this user. Open it (chmod), or run the command with sudo.`)
}

async function botCheckOf(partial: Partial<WrittenSite>, sources: SecretSources, report: FolderReport) {
  const written = partial.bot_check
  if (written === undefined) return null
  const requiredAnywhere = written.value.required || (partial.forms ?? []).some((form) => form.value.bot_check === 'on')
  return botCheckSettings(written, { ...sources, requiredAnywhere }, report)
}

/** Skips checks that depend on a list of `site.toml` that could not be decoded. */
async function folderAssets(partial: Partial<WrittenSite>, walk: Walk): Promise<FolderAsset[]> {
  const { report } = walk
  const clock = new WallClock(partial.timezone ?? 'UTC')
  const tops = await publishedTops(walk)
  const below = async (kind: AddressedKind) => {
    const { folder } = assetKinds[kind]
    return tops.has(folder) ? filesBelow(folder, walk) : []
  }
  const pages = await below('page')
  const assets = partial.pages === undefined ? [] : folderPages(pages, { entries: partial.pages, clock }, report)
  assets.push(...errorPages(pages))
  for (const kind of pathKinds) {
    const found = await below(kind)
    const entries = partial[assetKinds[kind].list]
    if (entries !== undefined) assets.push(...folderContents(kind, { found, entries }, report))
  }
  for (const asset of assets) checkSize(asset, report)
  return assets
}

/** Checked only beside whole lists of what they may lead to. */
function redirectsOf(partial: Partial<WrittenSite>, assets: FolderAsset[], report: FolderReport) {
  const { redirects, domains, home } = partial
  const needed = ['domains', 'home', 'pages', ...pathKinds.map((kind) => assetKinds[kind].list)] as const
  const isWhole = needed.every((name) => partial[name] !== undefined)
  return redirects === undefined || !isWhole
    ? []
    : folderRedirects(redirects, { domains: domains ?? [], home: home ?? null, assets }, report)
}

function checkHome({ partial, place }: Decoding<WrittenSite>, assets: FolderAsset[], report: FolderReport): void {
  const { home, pages } = partial
  if (home === undefined || home === null || pages === undefined) return
  const page = assets.find((asset) => asset.kind === 'page' && asset.name === home)
  if (page === undefined) report.key(place('home'), `there is no page "${home}" in the folder`)
  else if (page.state === 'preview')
    report.warn('home_in_preview', place('home'), `"${home}" is in preview: "/" answers 404`)
}

/** Faults of site.toml by line, then those of files in the order of the walk. */
const inOrder = (faults: SiteFault[]): SiteFault[] =>
  [...faults].sort((a, b) => Number(b.file === siteToml) - Number(a.file === siteToml) || (a.line ?? 0) - (b.line ?? 0))
