import { Type } from '@sinclair/typebox'
import { mailBytesMax, rewriteMail } from '../../../operations/link/rewrite-mail.ts'
import { accountEndpoint } from '../endpoint.ts'
import { readTextBody } from '../read-call.ts'
import { mailIn, mailProperties } from './mail-in.ts'

const types = ['text/html', 'text/plain'] as const

export const rewriteMailEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/links/rewrite',
  summary: 'Rewrite the links in the HTML of an email to click links',
  scope: 'publish',
  clients: 'nothing',
  query: Type.Object(mailProperties),
  takes: types,
  answer: Type.Object({
    account: Type.String(),
    domain: Type.String(),
    signed: Type.Integer(),
    left: Type.Array(Type.Object({ href: Type.String(), why: Type.String() })),
    html: Type.String(),
  }),
  async run({ account, query, request }, box) {
    const mail = mailIn(account, query)
    const html = await readTextBody(request, { types, bytesMax: mailBytesMax })
    return { value: await rewriteMail(box, { ...mail, html }) }
  },
})
