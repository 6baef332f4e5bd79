import type { applyJson } from '../../../operations/apply/apply-act.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { noRecords, type RetentionClass } from '../../../processing/retention.ts'

/** What the API answers to an apply with `?details=true`. */
export type RemoteResult = ReturnType<typeof applyJson> &
  Pick<AppliedFolder, 'left'> & { warnings: string[]; skipped: string[]; notes: (string | null)[] }

/** The answer without its details: what `apply --json` prints. */
export function remoteJson({ left: _, warnings: __, skipped: ___, notes: ____, ...json }: RemoteResult) {
  return json
}

/** The answer as the operation here would have returned it, to be printed in the same words. */
export function appliedRemotely(result: RemoteResult): AppliedFolder {
  const { account, domains, trackingKey = null, deliverySecrets = [], forms, left, notes, dns = [] } = result
  const { newDomains = [], takenOver = [] } = result
  return {
    account,
    domains,
    trackingKey,
    deliverySecrets,
    forms,
    pages: result.pages.map(({ slug, ...page }) => ({ name: slug, ...page })),
    images: result.images.map(({ path, ...image }) => ({ name: path, ...image })),
    files: result.files.map(({ path, ...file }) => ({ name: path, ...file })),
    changes: result.changes.map((change, at) => ({ ...change, note: notes[at] ?? null })),
    replaced: (result.changedHere ?? []).map(({ what, at, by, via }) => ({
      subject: what,
      at: Date.parse(at),
      by: { name: by, via },
    })),
    left,
    receivers: (result.notAllowed?.receivers ?? []).map(({ key, what }) => ({ key, what, noted: what })),
    notAllowed: result.notAllowed?.message ?? null,
    shorterTerms: shorterTermsIn(result),
    boxWarnings: [],
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
