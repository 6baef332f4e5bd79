import type { NewReceiver } from '../../site/new-receivers.ts'
import type { HereChange } from '../../site/publication-log.ts'
import type { NewDomain } from '../domain/judge-domains.ts'
import type { AppliedFolder } from './apply-folder.ts'
import type { PublishedAsset } from './published-assets.ts'
import type { ShorterTerms } from './shorter-terms.ts'

/** What `apply --json` prints and the API answers: docs/site-folder.md. */
export function applyJson(applied: AppliedFolder) {
  const { account, domains, trackingKey, deliverySecrets, forms, pages, images, files, changes } = applied
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
    images: images.map(asFile),
    files: files.map(asFile),
    changes: changes.map(({ action, kind, name }) => ({ action, kind, name })),
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
      return [name, { due: due[name], nextDueAt: due[name] > 0 || at === null ? null : new Date(at).toISOString() }]
    }),
  )

/** Somebody who would get what visitors enter, as the API names them. */
export const receiverJson = ({ key, what }: NewReceiver) => ({ key, what })
