import { Type } from '@sinclair/typebox'
import { mailBytesMax, rewriteMail } from '../../../operations/link/rewrite-mail.ts'
import { accountEndpoint } from '../endpoint.ts'
import { readTextBody } from '../read-call.ts'
import { count, text } from '../schema.ts'
import { mail, mailIn } from './mail-in.ts'

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
    html: text,
  }),
  async run({ account, query, request }, box) {
    const mail = mailIn(account, query)
    const html = await readTextBody(request, { types: mailTypes, bytesMax: mailBytesMax })
    return { value: await rewriteMail(box, { ...mail, html }) }
  },
})
