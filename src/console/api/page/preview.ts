import { type Static, Type } from '@sinclair/typebox'
import { parseAge } from '../../../lib/age.ts'
import { closed, count, oneOf, orNull, text, textOrNull } from '../../../lib/schema.ts'
import { previewLinkJson } from '../../../operations/page/page-json.ts'
import { previewTtlMs } from '../../../operations/page/preview-address.ts'
import { previewKinds, previewTtlMsMax } from '../../../operations/page/preview-choice.ts'
import { type PreviewWanted, previewLink } from '../../../operations/page/preview-link.ts'
import { lastsUntil } from '../../access/caller.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'

const body = closed({
  kind: oneOf(['page', 'img', 'file', 'test']),
  id: Type.Optional(Type.String({ maxLength: 1024, description: 'Short id, slug or path; not for test.' })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999 })),
  ttl: Type.Optional(Type.String({ maxLength: 20, description: 'How long it is valid: 12h, 7d; absent: 1h.' })),
  key: Type.Optional(Type.String({ maxLength: 100, description: 'For test: the tracking key.' })),
})
type Body = Static<typeof body>

export const previewEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/preview',
  summary: 'Sign a preview address that anybody can open until it expires',
  scope: 'publish',
  audited: 'preview.sign',
  body,
  answer: Type.Object({
    account: text,
    kind: text,
    id: textOrNull,
    name: textOrNull,
    version: orNull(count),
    url: text,
    expiresAt: text,
  }),
  async run({ account, body, caller }, box) {
    const ttlMs = Math.min(ttlMsIn(body), lastsUntil(caller) - box.clock.now())
    const wanted = { account: account.handle, wanted: wantedIn(body), ttlMs }
    const link = await previewLink(box, wanted)
    return { value: previewLinkJson(link, body.kind), subject: link.name ?? body.kind }
  },
})

/** @throws ApiError `invalid` for an invalid or too long time */
function ttlMsIn({ ttl }: Body): number {
  if (ttl === undefined) return previewTtlMs
  const ms = parseAge(ttl)
  if (ms !== null && ms <= previewTtlMsMax) return ms
  throw new ApiError('invalid', '"ttl" must be a length of time such as 1h, 12h or 7d, and at most 366d.')
}

/** @throws ApiError `invalid` for parts that exclude each other */
function wantedIn({ kind, id, version, key }: Body): PreviewWanted {
  if (kind === 'test') {
    if (id !== undefined || version !== undefined)
      throw new ApiError('invalid', 'An account has one test page: leave out id and version.')
    return { kind, key: key ?? null }
  }
  if (id === undefined) throw new ApiError('invalid', 'Name what to show in "id": its short id, slug or path.')
  if (key !== undefined) throw new ApiError('invalid', 'Only the test page takes a key: leave it out.')
  return { kind: previewKinds[kind], name: id, version: version ?? null }
}
