import { Type } from '@sinclair/typebox'
import { signLink } from '../../../operations/link/sign-link.ts'
import { accountEndpoint } from '../endpoint.ts'
import { mailIn, mailProperties } from './mail-in.ts'

export const signLinkEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/links/sign',
  summary: 'Sign a click link, which records the click and redirects',
  scope: 'publish',
  clients: 'nothing',
  body: Type.Object({ to: Type.String({ maxLength: 4000 }), ...mailProperties }, { additionalProperties: false }),
  answer: Type.Object({
    account: Type.String(),
    url: Type.String(),
    destination: Type.String(),
    domain: Type.String(),
  }),
  async run({ account, body: { to: destination, ...mail } }, box) {
    return { value: await signLink(box, { ...mailIn(account, mail), destination }) }
  },
})
