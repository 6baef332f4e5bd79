import { Type } from '@sinclair/typebox'
import { count, text, textOrNull, texts } from '../../lib/schema.ts'
import { listForms } from '../../operations/form/forms.ts'
import { accountList, pageOf } from './list.ts'

export const listFormsEndpoint = accountList({
  path: '/accounts/:account/forms',
  summary: 'List forms, ordered by id',
  scope: 'read',
  item: Type.Object({
    id: text,
    name: text,
    version: count,
    registered: Type.Boolean(),
    honeypot: textOrNull,
    consentTextId: textOrNull,
    redirectUrl: textOrNull,
    botCheck: Type.Object({ required: Type.Boolean(), provider: text }),
    confirm: Type.Boolean(),
    reply: Type.Boolean(),
    origins: texts,
    lastSubmissionAt: textOrNull,
  }),
  columns: [
    'id',
    'name',
    'version',
    'registered',
    'honeypot',
    'consentTextId',
    'redirectUrl',
    { header: 'botCheck.required', cell: ({ botCheck }) => String(botCheck.required) },
    { header: 'botCheck.provider', cell: ({ botCheck }) => botCheck.provider },
    'confirm',
    'reply',
    { header: 'origins', cell: ({ origins }) => origins.join(' ') },
    'lastSubmissionAt',
  ],
  async read({ account, query }, box, onNotice) {
    const { forms } = await listForms(box, account.handle, onNotice)
    return pageOf(forms, query, { key: ({ id }) => id, texts: ({ id, name }) => [id, name] })
  },
})
