import { Type } from '@sinclair/typebox'
import { rejudgeClicks } from '../../../operations/link/rejudge-clicks.ts'
import { accountEndpoint } from '../endpoint.ts'

export const rejudgeClicksEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/clicks/rejudge',
  summary: "Apply today's verdict rules to stored clicks",
  scope: 'admin',
  clients: 'nothing',
  audited: 'clicks.rejudge',
  answer: Type.Object({
    account: Type.String(),
    clicks: Type.Integer(),
    changed: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), clicks: Type.Integer() })),
  }),
  async run({ account }, box) {
    return { value: await rejudgeClicks(box, account.handle, () => {}) }
  },
})
