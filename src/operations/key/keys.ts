import { Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import { retiredKeyVerifiesUntil, rotatedPurposes } from '../../account/signing-key.ts'
import { mintTrackingKey, trackingKeyFingerprint } from '../../account/tracking-key.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { parseAge } from '../../lib/age.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { UnfitInput } from '../../lib/operator-error.ts'
import { count, oneOf, text, textOrNull } from '../../lib/schema.ts'
import { trackingKeySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'

/** The longest time that earlier keys go on working beside a new one. */
export const overlapMsMax = 366 * 86_400_000

type KeyBox = Pick<Box, 'accounts' | 'publications' | 'clock'>

/** The key is shown only this once: the box keeps a fingerprint. `siteToml`: the lines for site.toml, if it names a key. */
export const rotateKey = defineAct({
  name: 'key.rotate',
  text: 'Make a new tracking key and show it once',
  of: 'account',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({
    overlap: Type.Optional(
      Type.String({ maxLength: 10, description: 'how long earlier keys stay valid, such as 7d; absent: not at all' }),
    ),
  }),
  answer: Type.Object({ account: text, trackingKey: text, oldKeysValidUntil: textOrNull, siteToml: text }),
  async run(box: KeyBox, { account: handle, overlap }, by: Publisher) {
    const { accounts, clock } = box
    const oldKeysValidUntil = overlap === undefined ? null : clock.now() + overlapMsIn(overlap)
    const trackingKey = mintTrackingKey()
    const account = await accountNamed(accounts, handle)
    await accounts.addTrackingKey(account.id, trackingKeyFingerprint(trackingKey), oldKeysValidUntil)
    await noteChangeHere(box, { accountId: account.id, subject: trackingKeySubject, by })
    const answer = {
      account: account.handle,
      trackingKey,
      oldKeysValidUntil: instantOrNull(oldKeysValidUntil),
      siteToml: `[tracking]\nkey = "${trackingKey}"\n`,
    }
    return { answer }
  },
})

/** @throws UnfitInput */
function overlapMsIn(text: string): number {
  const ms = parseAge(text)
  if (ms !== null && ms <= overlapMsMax) return ms
  throw new UnfitInput('The parameter "overlap" takes an age of at most a year, such as 7d.')
}

export const revokeKeys = defineAct({
  name: 'key.revoke',
  text: 'Revoke all tracking keys; events are refused until there is a new key',
  of: 'account',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({}),
  answer: Type.Object({ account: text, revoked: count }),
  async run(box: KeyBox, { account: named }, by: Publisher) {
    const { id, handle } = await accountNamed(box.accounts, named)
    const revoked = await box.accounts.revokeTrackingKeys(id)
    if (revoked > 0) await noteChangeHere(box, { accountId: id, subject: trackingKeySubject, by })
    return { answer: { account: handle, revoked } }
  },
})

/** A tracking key that works, without the key itself, which the box does not have. */
interface ListedTrackingKey {
  /** The first 12 digits of the key's SHA-256 in hex. */
  fingerprint: string
  /** ISO 8601; `null`: until it is replaced. */
  validUntil: string | null
}

const shownDigits = 12

/** The keys in force, latest first. @throws OperatorError when there is no account of that handle */
export async function listTrackingKeys(
  { accounts, clock }: Pick<Box, 'accounts' | 'clock'>,
  named: string,
): Promise<ListedTrackingKey[]> {
  const { trackingKeys } = await accountNamed(accounts, named)
  const now = clock.now()
  return trackingKeys.toReversed().flatMap(({ fingerprint, validUntil }) =>
    fingerprint === null || (validUntil !== null && validUntil <= now)
      ? []
      : [
          {
            fingerprint: fingerprint.slice(0, shownDigits),
            validUntil: instantOrNull(validUntil),
          },
        ],
  )
}

/** Notes a key or secret that was changed on the box, so that the next apply says so before it replaces it. */
export const noteChangeHere = (
  { publications, clock }: Pick<Box, 'publications' | 'clock'>,
  { accountId, subject, by }: { accountId: string; subject: string; by: Publisher },
): Promise<void> =>
  publications.add(accountId, { by, at: clock.now(), origin: 'box', subjects: [subject], subjectCount: 1 })

const purpose = oneOf(rotatedPurposes)

/** `oldKeysVerifyUntil`: when signatures of earlier keys become invalid; `null`: at once. */
export const rotateSecret = defineAct({
  name: 'secret.rotate',
  text: 'Make a new key that signs click links (click), identity cookies (cookie), preview addresses (preview) or shared reports (share)',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({ purpose }),
  answer: Type.Object({ purpose, keyId: text, oldKeysVerifyUntil: textOrNull }),
  subject: ({ purpose }) => purpose,
  async run({ signingKeys }: Pick<Box, 'signingKeys'>, { purpose }) {
    const { id: keyId, createdAt } = await signingKeys.rotate(purpose)
    const until = retiredKeyVerifiesUntil(purpose, createdAt)
    return { answer: { purpose, keyId, oldKeysVerifyUntil: until > createdAt ? new Date(until).toISOString() : null } }
  },
})

/** The tag that a page needs for forms and events. @param trackingKey `svc_tk_…` */
export const scriptTag = ({ config }: Pick<Box, 'config'>, domain: string, trackingKey: string): string =>
  `<script src="${publicBase(config, domain)}/_svc/v1.js" data-site-key="${trackingKey}" defer></script>`
