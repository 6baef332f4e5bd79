import { assetKinds, byList, pathKinds } from '../../../asset/asset-kind.ts'
import { newId } from '../../../lib/id.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { applyJson } from '../../../operations/apply/apply-act.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { noRecords, type RetentionClass } from '../../../processing/retention.ts'
import { filesForDiffs } from '../../../site/comparison/asset-diffs.ts'
import type { FolderAsset } from '../../../site/folder-assets.ts'
import type { DoubtedForm } from '../../../site/folder-references.ts'
import type { Consent } from '../../../site/harm.ts'
import { type Persistence, persistently, type RemoteAnswer, type RemoteBox } from './remote-box.ts'
import { folderForm, type RemoteFolder } from './remote-folder.ts'

interface RemoteWanted {
  handle: string
  prune: boolean
}

type RemoteApply = RemoteWanted & { isNew: boolean; accept: Consent } & Pick<Persistence, 'onPause' | 'onUnderWay'>

/** As many as one call takes. */
const hashesPerCall = 3000

/**
 * What an apply would change there. Sends names and hashes, and then what diffs are made of and pages with forms that go.
 *
 * @param compared whose text is compared @param naming forms that the folder lacks, with the pages that name them
 * @throws OperatorError
 */
export async function planRemotely(
  box: RemoteBox,
  { manifest }: RemoteFolder,
  {
    handle,
    prune,
    compared,
    naming,
  }: RemoteWanted & { compared: readonly FolderAsset[]; naming: readonly DoubtedForm[] },
): Promise<{ isNew: boolean; plan: RemoteResult }> {
  const query = `?dryRun=true${prune ? '&prune=true' : ''}`
  const isNew = (await askMissing(box, [], { handle, isNew: false })).status === 404
  const planWith = async (contents: string[]) =>
    resultOf(await box.post(applyPath({ handle, isNew }) + query, folderForm(manifest, contents)))
  const plan = await planWith([])
  const files = [...new Set([...filesForDiffs(plan.changes, compared), ...filesNaming(naming, plan.changes, compared)])]
  return { isNew, plan: files.length > 0 ? await planWith(files) : plan }
}

/** The new and changed pages that name forms which go: the box has not read them yet. */
function filesNaming(
  naming: readonly DoubtedForm[],
  changes: RemoteResult['changes'],
  assets: readonly FolderAsset[],
): string[] {
  const gone = new Set(
    changes.flatMap(({ kind, action, note }) => (kind === 'form' && action !== 'create' ? note : [])),
  )
  const shown = new Set(naming.flatMap(({ id, file }) => (gone.has(id) ? file : [])))
  const changed = new Set(changes.map(({ kind, name }) => `${kind} ${name}`))
  return assets.flatMap((asset) =>
    shown.has(asset.shown) && changed.has(`${asset.kind} ${asset.name}`) ? asset.file : [],
  )
}

/**
 * Sends what the box lacks, and applies the folder: all of it or nothing. When the connection breaks it goes on, file by file:
 * the box keeps what has arrived whole.
 *
 * @throws OperatorError
 */
export async function applyRemotely(
  box: RemoteBox,
  { manifest, fileOf }: RemoteFolder,
  { prune, accept, onPause, onUnderWay, ...account }: RemoteApply,
): Promise<RemoteResult> {
  const hashes = [...fileOf.keys()]
  const query = new URLSearchParams({ accept: [...accept].join(), ...(prune && { prune: 'true' }) })
  const path = `${applyPath(account)}?${query}`
  // Whoever lost the answer gets the same one, with the key that is shown once.
  const idempotencyKey = newId()
  let arrived = 0
  const send = async (): Promise<RemoteResult> => {
    const missing = await missingOf(hashes, box, account)
    arrived = hashes.length - missing.length
    const files = missing.flatMap((hash) => fileOf.get(hash) ?? [])
    return resultOf(await box.post(path, { ...folderForm(manifest, files), idempotencyKey }))
  }
  return persistently(send, { progress: () => arrived, onPause, onUnderWay })
}

/** An account there, or one that is made. */
interface RemoteAccount {
  handle: string
  isNew: boolean
}

const applyPath = ({ handle, isNew }: RemoteAccount): string =>
  isNew ? '/accounts/apply' : `/accounts/${handle}/apply`

async function missingOf(hashes: readonly string[], box: RemoteBox, account: RemoteAccount): Promise<string[]> {
  const missing: string[] = []
  for (let from = 0; from < hashes.length; from += hashesPerCall) {
    const { status, value } = await askMissing(box, hashes.slice(from, from + hashesPerCall), account)
    if (status === 404)
      throw new OperatorError(`The account "${account.handle}" is gone from that box. Run the command again.`)
    missing.push(...(value as { missing: string[] }).missing)
  }
  return missing
}

/** 404: there is no such account, or the token has no part in it. */
const askMissing = (
  box: RemoteBox,
  hashes: readonly string[],
  { handle, isNew }: RemoteAccount,
): Promise<RemoteAnswer> =>
  box.post(isNew ? '/accounts/apply/missing' : `/accounts/${handle}/folder/missing`, {
    type: 'application/json',
    body: JSON.stringify({ hashes }),
  })

function resultOf({ status, value }: RemoteAnswer): RemoteResult {
  if (status === 200) return value as RemoteResult
  throw new OperatorError('There is no API of Capture at that address. Is it that of the console?')
}

/** What the API answers to an apply. */
type RemoteResult = ReturnType<typeof applyJson>

/** The answer as the operation here would have returned it, to be printed in the same words. */
export function appliedRemotely(result: RemoteResult): AppliedFolder {
  const { account, domains, trackingKey = null, deliverySecrets = [], forms, dns = [] } = result
  const { changes, harm, warnings, left, skipped } = result
  const { newDomains = [], takenOver = [] } = result
  return {
    account,
    domains,
    trackingKey,
    deliverySecrets,
    forms,
    pages: result.pages.map(({ slug, ...page }) => ({ name: slug, ...page })),
    ...byList(pathKinds, (kind) =>
      result[assetKinds[kind].list].map(({ path, ...asset }) => ({ name: path, ...asset })),
    ),
    changes,
    harm,
    warnings,
    skipped,
    replaced: (result.changedHere ?? []).map(({ what, at, by, via }) => ({
      subject: what,
      at: Date.parse(at),
      by: { name: by, via },
    })),
    left,
    receivers: (result.notAllowed?.receivers ?? []).map(({ key, what }) => ({ key, what, noted: what })),
    notAllowed: result.notAllowed?.message ?? null,
    shorterTerms: shorterTermsIn(result),
    notAdopted: null,
    dns,
    newDomains: newDomains.map(({ allowed, ...domain }) => ({ ...domain, isAllowed: allowed })),
    takenOver: takenOver.map(({ host, account, droppedAt }) => ({
      host,
      handle: account,
      droppedAt: Date.parse(droppedAt),
    })),
    connected: [],
    dropped: [],
    uncollected: null,
  }
}

function shorterTermsIn({ retention }: RemoteResult): AppliedFolder['shorterTerms'] {
  if (retention === undefined) return null
  const classes = Object.keys(retention) as RetentionClass[]
  const due = noRecords()
  const nextDueAt: Record<RetentionClass, number | null> = { submissions: null, events: null, refused: null }
  for (const name of classes) {
    const terms = retention[name]
    due[name] = terms?.due ?? 0
    nextDueAt[name] = terms?.nextDueAt ? Date.parse(terms.nextDueAt) : null
  }
  return { classes, due, nextDueAt, clock: { isBelieved: true } } as AppliedFolder['shorterTerms']
}
