import { Type } from '@sinclair/typebox'
import { listForms } from '../../../operations/form/list-forms.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const listFormsEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/forms',
  summary: 'List forms, ordered by id',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      version: Type.Integer(),
      registered: Type.Boolean(),
      honeypot: text,
      consentTextId: text,
      redirectUrl: text,
      botCheck: Type.Object({ required: Type.Boolean(), provider: Type.String() }),
      reply: Type.Boolean(),
      origins: Type.Array(Type.String()),
      lastSubmissionAt: text,
    }),
  ),
  async run({ account, query, request }, box) {
    const { forms } = await listForms(box, account.handle, () => {})
    const page = pageOf(forms, query, { key: ({ id }) => id, texts: ({ id, name }) => [id, name] })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'id', cell: ({ id }) => id },
      { header: 'name', cell: ({ name }) => name },
      { header: 'version', cell: ({ version }) => String(version) },
      { header: 'registered', cell: ({ registered }) => String(registered) },
      { header: 'honeypot', cell: ({ honeypot }) => honeypot ?? '' },
      { header: 'consentTextId', cell: ({ consentTextId }) => consentTextId ?? '' },
      { header: 'redirectUrl', cell: ({ redirectUrl }) => redirectUrl ?? '' },
      { header: 'botCheck.required', cell: ({ botCheck }) => String(botCheck.required) },
      { header: 'botCheck.provider', cell: ({ botCheck }) => botCheck.provider },
      { header: 'reply', cell: ({ reply }) => String(reply) },
      { header: 'origins', cell: ({ origins }) => origins.join(' ') },
      { header: 'lastSubmissionAt', cell: ({ lastSubmissionAt }) => lastSubmissionAt ?? '' },
    ])
  },
})
