import { Type } from '@sinclair/typebox'
import { rejudgeClicks } from '../../../operations/link/rejudge-clicks.ts'
import { accountEndpoint } from '../endpoint.ts'
import { count, text } from '../schema.ts'

export const rejudgeClicksEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/clicks/rejudge',
  summary: "Apply today's verdict rules to stored clicks",
  scope: 'admin',
  audited: 'clicks.rejudge',
  answer: Type.Object({
    account: text,
    clicks: count,
    changed: Type.Array(Type.Object({ from: text, to: text, clicks: count })),
  }),
  run: async ({ account }, box) => ({ value: await rejudgeClicks(box, account.handle, () => {}) }),
})
