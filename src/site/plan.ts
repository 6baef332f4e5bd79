import { relative } from 'node:path'
import type { AccountSettings, RetentionSettings, StoredAccount } from '../account/account.ts'
import { visitorDestinations } from '../account/destination.ts'
import type { Form } from '../account/form.ts'
import { trackingKeyFingerprint } from '../account/tracking-key.ts'
import { type Asset, type AssetVariant, subjectOf } from '../asset/asset.ts'
import type { Change } from './change.ts'
import { writtenForm, writtenSettings } from './comparison/as-written.ts'
import { changedFields } from './comparison/fields.ts'
import type { SiteFolder } from './folder.ts'
import type { FolderForm } from './forms.ts'
import { isSameFolder, type KeptFile, type KeptFolder } from './kept-folder.ts'
import { type NewReceiver, newReceivers } from './new-receivers.ts'
import { type HashedAsset, type PublishedAssets, planAssets } from './plan-assets.ts'
import { planDestinations } from './plan-destinations.ts'
import { type HereChange, isUndone, keysOf, type UnknownChange } from './publication-log.ts'
import { type SiteWarning, siteToml } from './site-faults.ts'
import type { AssetPublication, SitePublication } from './site-store.ts'

/** The account's published state; `null`: the account does not exist. */
type CurrentSite =
  | (PublishedAssets & {
      account: StoredAccount
      kept: KeptFolder | null
      changedHere: UnknownChange[]
    })
  | null

interface PlanOptions {
  /** Whether to remove what is no longer in the folder. */
  prune: boolean
  mintTrackingKey: () => string
  mintWebhookSecret: () => string
}

/** The changes that make the box match the folder. */
export interface SitePlan {
  changes: Change[]
  /** What is probably a mistake in the folder. */
  warnings: SiteWarning[]
  /** Assets whose bytes must be stored before publishing. */
  staged: HashedAsset[]
  /** Unchanged assets whose lost or damaged bytes are stored again. */
  restored: HashedAsset[]
  /** What it changes, as people are told: `site.toml`, `page launch`. */
  subjects: string[]
  /** The keys of settings, forms and deliveries that it changes. */
  keys: string[]
  /** What was changed on the box since a folder was last applied from elsewhere, and is replaced by this plan. */
  replaced: HereChange[]
  /** Content that stays on the box though it is no longer in the folder, such as a renamed slug or a removed form. */
  left: LeftBehind[]
  /** Who would get what visitors send, and does not get it now. */
  receivers: NewReceiver[]
  /** The classes of records that are deleted sooner than now. */
  shorterTerms: ReturnType<typeof shorterTermsOf>
  /** A new key, to be printed once; `null`: this plan makes none. */
  mintedTrackingKey: string | null
  /** New secrets of webhooks, to be printed once. */
  mintedSecrets: { name: string; secret: string }[]
  publication: Omit<SitePublication, 'assets' | 'publishedAt' | 'note'> & { removed: Pick<Asset, 'kind' | 'name'>[] }
}

export interface LeftBehind {
  kind: 'form' | Asset['kind']
  /** For a form, its id. */
  name: string
  state: 'live' | 'preview' | 'unregistered'
}

/** Compares a folder with what is published. Pure. Empty `changes`: nothing to do. */
export function planSite(
  folder: SiteFolder,
  assets: HashedAsset[],
  current: CurrentSite,
  options: PlanOptions,
): SitePlan {
  const formPlan = planForms(folder.forms, current?.account.forms ?? [], options.prune)
  const visitors = visitorDestinations(folder.forms).map((destination) => ({ destination, secret: null }))
  const destinationPlan = planDestinations([...folder.destinations, ...visitors], {
    known: current?.account.destinations ?? [],
    mintSecret: options.mintWebhookSecret,
  })
  const assetPlan = planAssets(assets, current, { prune: options.prune, timezone: folder.settings.timezone })
  const settingsChanged = current === null || !Bun.deepEquals(current.account.settings, folder.settings)
  const key = planKey(folder, current?.account ?? null, options.mintTrackingKey)
  const accountChanges = planAccount(folder, current, settingsChanged)
  const besides = [...accountChanges, ...key.changes, ...destinationPlan.changes]
  const { kept, subjects, keys, replaced } = planFolder(
    folder,
    { assets, changes: assetPlan.changes, besides, forms: formPlan.changes },
    current,
  )
  return {
    changes: [
      ...accountChanges,
      ...key.changes,
      ...formPlan.changes,
      // A form's change names what changes of its mails to visitors.
      ...destinationPlan.changes.filter(({ name }) => !formPlan.changes.some(({ note }) => name.endsWith(`:${note}`))),
      ...assetPlan.changes,
    ],
    warnings: folder.warnings,
    staged: assetPlan.staged,
    restored: assetPlan.restored,
    subjects,
    keys,
    replaced,
    left: [...formPlan.left, ...assetPlan.left],
    receivers: newReceivers(
      { destinations: destinationPlan.written.map(({ destination }) => destination), settings: folder.settings },
      current?.account ?? null,
    ),
    shorterTerms: shorterTermsOf(current?.account.settings.retention ?? null, folder.settings.retention),
    mintedTrackingKey: key.minted,
    mintedSecrets: destinationPlan.minted,
    publication: {
      handle: folder.handle,
      settings: settingsChanged ? folder.settings : null,
      forms: formPlan.written,
      withdrawnForms: formPlan.withdrawn,
      destinations: destinationPlan.written,
      removedDestinations: destinationPlan.removed,
      trackingKeyFingerprint: key.fingerprint,
      folder: kept,
      removed: assetPlan.removed,
    },
  }
}

/** The assets part of a publication, once the variants of the staged ones are known. */
export function assetPublications(plan: SitePlan, variants: ReadonlyMap<string, AssetVariant[]>): AssetPublication[] {
  const published = plan.staged.map(({ kind, name, sha256, byteCount, state, liveFrom, liveUntil }) => {
    const version = { sha256, byteCount, state, liveFrom, liveUntil, variants: variants.get(sha256) ?? [] }
    return { kind, name, version: { ...version, publishedBy: 'apply' as const } }
  })
  return [...published, ...plan.publication.removed.map(({ kind, name }) => ({ kind, name, version: null }))]
}

function planAccount(folder: SiteFolder, current: CurrentSite, settingsChanged: boolean): Change[] {
  if (current === null) return [{ action: 'create', kind: 'account', name: folder.handle, note: null, fields: [] }]
  return settingsChanged ? [settingsChange(current.account, folder.settings)] : []
}

/** An account's settings before and after. */
export function settingsChange({ handle, settings }: StoredAccount, after: AccountSettings): Change {
  const fields = changedFields(writtenSettings(settings), writtenSettings(after), ['bot_check.secret'])
  return { action: 'update', kind: 'settings', name: handle, note: null, fields }
}

function planForms(forms: FolderForm[], known: Form[], prune: boolean) {
  const changes: Change[] = []
  const written: FolderForm[] = []
  for (const form of forms) {
    const before = known.find(({ id }) => id === form.id)
    if (before && Bun.deepEquals({ ...form, version: before.version }, before)) continue
    written.push(form)
    const fields = before === undefined ? [] : changedFields(writtenForm(before), writtenForm(form))
    changes.push({ action: before ? 'update' : 'create', kind: 'form', name: form.name, note: form.id, fields })
  }
  const gone = known.filter(({ id }) => !forms.some((form) => form.id === id))
  const withdrawn = prune ? gone : []
  for (const { id, name } of withdrawn) changes.push({ action: 'delete', kind: 'form', name, note: id, fields: [] })
  const left = gone.slice(withdrawn.length).map(({ id, registered }) => ({
    kind: 'form' as const,
    name: id,
    state: registered ? ('live' as const) : ('unregistered' as const),
  }))
  return { changes, written, withdrawn: withdrawn.map(({ id }) => id), left }
}

interface KeyPlan {
  changes: Change[]
  fingerprint: string | null
  minted: string | null
}

/** Activates the folder's key, unless it is already valid without an end. Without one, a new account gets a generated key. */
function planKey(
  folder: Pick<SiteFolder, 'trackingKey'>,
  current: Pick<StoredAccount, 'trackingKeys'> | null,
  mint: () => string,
): KeyPlan {
  const known = current?.trackingKeys ?? []
  if (folder.trackingKey !== null) {
    const fingerprint = trackingKeyFingerprint(folder.trackingKey)
    const isInForce = known.some((key) => key.fingerprint === fingerprint && key.validUntil === null)
    if (isInForce) return { changes: [], fingerprint: null, minted: null }
    const isNew = known.length === 0
    const change: Change = {
      action: isNew ? 'create' : 'update',
      kind: 'key',
      name: 'tracking key',
      note: 'from site.toml',
      fields: isNew ? [] : [{ field: 'tracking.key', before: '(the key in use)', after: '(the key in site.toml)' }],
    }
    return {
      changes: [change],
      fingerprint,
      minted: null,
    }
  }
  if (current !== null) return { changes: [], fingerprint: null, minted: null }
  const minted = mint()
  const change: Change = { action: 'create', kind: 'key', name: 'tracking key', note: 'minted', fields: [] }
  return { changes: [change], fingerprint: trackingKeyFingerprint(minted), minted }
}

interface FolderPlan {
  /** The folder that the box is to keep; `null`: it keeps this one already. */
  kept: KeptFolder | null
  /** What the plan changes, as people are told: `site.toml`, `page launch`. */
  subjects: string[]
  /** The keys that it changes. */
  keys: string[]
  /** Those of them that were changed on the box since a folder was last applied from elsewhere. */
  replaced: HereChange[]
}

interface Before {
  kept: KeptFolder | null
  changedHere: UnknownChange[]
}

/**
 * Compares a folder with the one that the box keeps.
 *
 * @param changes of assets
 * @param forms changes of forms, which `site.toml` alone makes
 * @param besides changes of settings, keys and deliveries: where `site.toml` is the one that the box keeps, they were made on the box
 */
function planFolder(
  folder: Pick<SiteFolder, 'root' | 'siteToml'>,
  {
    assets,
    changes,
    besides,
    forms,
  }: Record<'changes' | 'besides' | 'forms', readonly Change[]> & { assets: readonly HashedAsset[] },
  before: Before | null,
): FolderPlan {
  const after = { siteToml: folder.siteToml, files: filesOf(assets, folder.root) }
  const kept = before?.kept ?? null
  const text = kept?.siteToml === after.siteToml ? besides.map(subjectOf) : [siteToml]
  const subjects = [...text, ...changes.map(subjectOf)]
  const keys = keysOf([...besides, ...forms])
  const changed = { subjects: new Set([...subjects, ...besides.map(subjectOf)]), keys }
  return {
    kept: kept !== null && isSameFolder(kept, after) ? null : after,
    subjects,
    keys,
    replaced: (before?.changedHere ?? []).filter((change) => isUndone(change, changed)),
  }
}

/** One file may be several pages. */
function filesOf(assets: readonly HashedAsset[], root: string): KeptFile[] {
  const files = new Map<string, KeptFile>()
  for (const { file, sha256, byteCount } of assets) {
    const path = relative(root, file)
    files.set(path, { path, sha256, byteCount })
  }
  return [...files.values()].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}

type TermName = 'submissions' | 'events' | 'refused'

const daysOf = (terms: RetentionSettings): [TermName, number][] => [
  ['submissions', terms.submissionsDays ?? Number.POSITIVE_INFINITY],
  ['events', terms.eventsDays ?? Number.POSITIVE_INFINITY],
  ['refused', terms.refusedDays],
]

/** The classes of records whose term is new or shorter: they are deleted sooner. @param before `null`: a new account */
export function shorterTermsOf(before: RetentionSettings | null, after: RetentionSettings): TermName[] {
  const known = new Map(daysOf(before ?? after))
  return daysOf(after).flatMap(([name, days]) => (days < (known.get(name) ?? 0) ? [name] : []))
}
