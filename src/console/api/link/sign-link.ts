import { Type } from '@sinclair/typebox'
import { signLink } from '../../../operations/link/sign-link.ts'
import { accountEndpoint } from '../endpoint.ts'
import { closed, text } from '../schema.ts'
import { mail, mailIn } from './mail-in.ts'

export const signLinkEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/links/sign',
  summary: 'Sign a click link, which records the click and redirects',
  scope: 'publish',
  body: closed({ to: Type.String({ maxLength: 4000 }), ...mail.properties }),
  answer: Type.Object({ account: text, url: text, destination: text, domain: text }),
  run: async ({ account, body: { to: destination, ...mail } }, box) => ({
    value: await signLink(box, { ...mailIn(account, mail), destination }),
  }),
})
