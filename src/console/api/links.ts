import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { closed, count, text } from '../../lib/schema.ts'
import type { LinkedMail } from '../../operations/link/click-links.ts'
import { mailBytesMax, rejudgeClicks, rewriteMail, signLink, typedMail } from '../../operations/link/click-links.ts'
import { linkWarning } from '../../operations/link/dead-destination.ts'
import { ApiError } from './api-error.ts'
import { accountEndpoint, actEndpoint } from './endpoint.ts'
import { readTextBody } from './read-call.ts'

/** The mail that the click links belong to. */
const mail = Type.Object({
  email: Type.Optional(
    Type.String({ maxLength: 600, description: "The recipient's address; the link contains only an opaque id." }),
  ),
  message: Type.Optional(Type.String({ maxLength: 200, description: 'Your id of the mail; readable in the link.' })),
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'The connected domain of the link.' })),
})

/** @throws ApiError `invalid` for an invalid address or domain */
const mailIn = ({ handle }: StoredAccount, { email, message, domain }: Static<typeof mail>): LinkedMail =>
  typedMail(
    { account: handle, email, message, domain },
    (part, expected) => new ApiError('invalid', `"${part}" must be ${expected}.`),
  )

export const signLinkEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/links/sign',
  summary: 'Sign a click link, which records the click and redirects',
  scope: 'publish',
  body: closed({ to: Type.String({ maxLength: 4000 }), ...mail.properties }),
  answer: Type.Object({ account: text, url: text, destination: text, domain: text, warnings: Type.Array(linkWarning) }),
  run: async ({ account, body: { to: destination, ...mail } }, box) => ({
    value: await signLink(box, { ...mailIn(account, mail), destination }),
  }),
})

const mailTypes = ['text/html', 'text/plain'] as const

export const rewriteMailEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/links/rewrite',
  summary: 'Rewrite the links in the HTML of an email to click links',
  scope: 'publish',
  query: mail,
  takes: mailTypes,
  answer: Type.Object({
    account: text,
    domain: text,
    signed: count,
    left: Type.Array(Type.Object({ href: text, why: text })),
    warnings: Type.Array(linkWarning),
    html: text,
  }),
  async run({ account, query, request }, box) {
    const mail = mailIn(account, query)
    const html = await readTextBody(request, { types: mailTypes, bytesMax: mailBytesMax })
    return { value: await rewriteMail(box, { ...mail, html, file: null }) }
  },
})

export const rejudgeClicksEndpoint = actEndpoint(rejudgeClicks, {
  method: 'POST',
  path: '/accounts/:account/clicks/rejudge',
})
