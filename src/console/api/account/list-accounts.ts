import { Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { boxEndpoint } from '../endpoint.ts'

/** The accounts in which the caller has a part. */
export const listAccounts = boxEndpoint({
  method: 'GET',
  path: '/accounts',
  summary: 'List the accounts that you have a part in',
  scope: 'signed_in',
  answer: Type.Object({
    items: Type.Array(Type.Object({ account: Type.String(), name: Type.String(), domains: Type.Array(Type.String()) })),
    next: Type.Null(),
  }),
  async run({ caller }, { accounts }) {
    const parts = (await accounts.list()).filter(({ id }) => hasPart(caller, id))
    const found = await Promise.all(parts.map(({ handle }) => accounts.find(handle)))
    const items = found.flatMap((account) =>
      account === null
        ? []
        : [{ account: account.handle, name: account.settings.name, domains: account.settings.domains }],
    )
    return { value: { items, next: null } }
  },
})

function hasPart(caller: Caller, accountId: string): boolean {
  if (caller.kind === 'token') return caller.accountId === null || caller.accountId === accountId
  return caller.isOwner || caller.roles.has(accountId)
}
