import { Type } from '@sinclair/typebox'
import { assetKinds, byList, pathKinds } from '../../asset/asset-kind.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../lib/schema.ts'
import { harmKinds } from '../../site/harm.ts'
import type { NewReceiver } from '../../site/new-receivers.ts'
import type { HereChange } from '../../site/publication-log.ts'
import type { AuditChange, Done } from '../act.ts'
import type { Box } from '../box.ts'
import { connectionsJson, type NewDomain } from '../domain/judge-domains.ts'
import { pageState } from '../page/page-acts.ts'
import type { AppliedFolder } from './apply-folder.ts'
import type { PublishedAsset } from './published-assets.ts'
import type { ShorterTerms } from './shorter-terms.ts'

/** One thing that an apply takes away from visitors, or loses. */
const harmSchema = Type.Object({ kind: oneOf(harmKinds), subject: text, count, message: text })

const published = { id: text, state: pageState, url: textOrNull }
const file = Type.Object({ path: text, ...published })

/** What `apply --json` prints. */
const applySchema = Type.Object({
  account: text,
  domains: texts,
  trackingKey: Type.Optional(text),
  deliverySecrets: Type.Optional(Type.Array(Type.Object({ name: text, secret: text }))),
  forms: Type.Array(Type.Object({ id: text, name: text, registered: Type.Boolean() })),
  pages: Type.Array(Type.Object({ slug: text, ...published })),
  ...byList(pathKinds, () => Type.Array(file)),
  changes: Type.Array(
    Type.Object({
      action: text,
      kind: text,
      name: text,
      note: textOrNull,
      fields: Type.Array(
        Type.Object({ field: text, before: textOrNull, after: textOrNull, diff: Type.Optional(text) }),
      ),
    }),
  ),
  harm: Type.Array(harmSchema),
  warnings: Type.Array(Type.Object({ kind: text, file: text, line: orNull(count), key: textOrNull, message: text })),
  retention: Type.Optional(Type.Record(Type.String(), Type.Object({ due: count, nextDueAt: textOrNull }))),
  dns: Type.Optional(
    Type.Array(
      Type.Object({
        host: text,
        records: Type.Array(Type.Object({ type: text, value: textOrNull })),
        cname: textOrNull,
      }),
    ),
  ),
  newDomains: Type.Optional(
    Type.Array(
      Type.Object({
        host: text,
        allowed: Type.Boolean(),
        record: orNull(Type.Object({ name: text, value: text })),
        note: text,
      }),
    ),
  ),
  takenOver: Type.Optional(Type.Array(Type.Object({ host: text, account: text, droppedAt: text }))),
  notAllowed: Type.Optional(
    Type.Object({ message: text, receivers: Type.Array(Type.Object({ key: text, what: text })) }),
  ),
  changedHere: Type.Optional(Type.Array(Type.Object({ what: text, at: text, by: text, via: text }))),
  left: Type.Array(Type.Object({ kind: text, name: text, state: text })),
  skipped: texts,
})

/**
 * Publishing a folder, and publishing the kept folder with another `site.toml`. A folder comes in by a stream, or lies beside the
 * command, and its progress is shown: presenters call `applyFolder`, `applyUpload` and `editSiteToml` themselves.
 */
export const applyAct = { name: 'account.apply', scope: 'publish', answer: applySchema } as const
export const settingsAct = { ...applyAct, name: 'account.settings' } as const

/** What the caller gets, and what the audit log learns. The folder may have made the account. */
export const appliedDone = async (
  applied: AppliedFolder,
  { accounts }: Pick<Box, 'accounts'>,
): Promise<Done<ReturnType<typeof applyJson>>> => ({
  answer: applyJson(applied),
  subject: applied.account,
  accountId: (await accounts.find(applied.account))?.id,
  change: folderApplied(applied),
})

const changesMax = 100

/** What was added, changed and removed, by kind and name; and the domains, with the accounts that they were reserved for. */
export const folderApplied = ({
  changes,
  dropped,
  receivers,
  shorterTerms,
  ...arrived
}: AppliedFolder): AuditChange => ({
  before: null,
  after: {
    ...connectionsJson(arrived),
    ...(dropped.length > 0 && { dropped }),
    ...(receivers.length > 0 && { receivers: receivers.map(({ noted }) => noted) }),
    ...(shorterTerms && { shorterTerms: shorterTerms.classes }),
    changes: changes.slice(0, changesMax).map(({ action, kind, name }) => `${action} ${kind} ${name}`),
    ...(changes.length > changesMax && { more: changes.length - changesMax }),
  },
})

/** What `apply --json` prints and the API answers: docs/publishing.md. */
export function applyJson(applied: AppliedFolder) {
  const { account, domains, trackingKey, deliverySecrets, forms, pages, changes } = applied
  const { harm, warnings, left, skipped } = applied
  const { shorterTerms, dns, newDomains, takenOver, replaced, receivers, notAllowed } = applied
  const asPage = ({ name, ...page }: PublishedAsset) => ({ slug: name, ...page })
  const asFile = ({ name, ...file }: PublishedAsset) => ({ path: name, ...file })
  return {
    account,
    domains,
    ...(trackingKey === null ? {} : { trackingKey }),
    ...(deliverySecrets.length > 0 && { deliverySecrets }),
    forms,
    pages: pages.map(asPage),
    ...byList(pathKinds, (kind) => applied[assetKinds[kind].list].map(asFile)),
    changes,
    harm,
    warnings,
    left,
    skipped,
    ...(shorterTerms && { retention: shorterTermsResult(shorterTerms) }),
    ...(dns.length > 0 && { dns }),
    ...(newDomains.length > 0 && { newDomains: newDomains.map(newDomainJson) }),
    ...(takenOver.length > 0 && { takenOver: takenOver.map(takenOverJson) }),
    ...(notAllowed !== null && { notAllowed: { message: notAllowed, receivers: receivers.map(receiverJson) } }),
    ...(replaced.length > 0 && { changedHere: replaced.map(changedHereJson) }),
  }
}

const newDomainJson = ({ host, isAllowed, record, note }: NewDomain) => ({ host, allowed: isAllowed, record, note })

const takenOverJson = ({ host, handle, droppedAt }: AppliedFolder['takenOver'][number]) => ({
  host,
  account: handle,
  droppedAt: new Date(droppedAt).toISOString(),
})

/** A change on the box that the apply replaces. */
const changedHereJson = ({ subject, at, by }: HereChange) => ({
  what: subject,
  at: new Date(at).toISOString(),
  by: by.name,
  via: by.via,
})

const shorterTermsResult = ({ classes, due, nextDueAt }: ShorterTerms) =>
  Object.fromEntries(
    classes.map((name) => {
      const at = nextDueAt[name]
      return [name, { due: due[name], nextDueAt: due[name] > 0 ? null : instantOrNull(at) }]
    }),
  )

/** Somebody who would get what visitors enter, as the API names them. */
export const receiverJson = ({ key, what }: NewReceiver) => ({ key, what })
