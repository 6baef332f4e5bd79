import { Type } from '@sinclair/typebox'
import type { AccountStore } from '../../account/account-store.ts'
import { type Scope, scopes } from '../../account/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { instant } from '../../lib/instant.ts'
import { NotAllowed, NotThere, UnfitInput } from '../../lib/operator-error.ts'
import { text } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineAct } from '../../operations/act.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'
import { makerGone, mayHandOn } from '../access/permission.ts'
import {
  type ApiToken,
  newToken,
  shownPrefix,
  type TokenStore,
  tokenHash,
  tokenLifeMsMax,
  tokenNameCharactersMax,
} from './api-token.ts'
import { endedJson, endedSchema } from './token-json.ts'

const dayMs = 86_400_000

interface TokenBox {
  accounts: Pick<AccountStore, 'find' | 'list'>
  tokens: TokenStore
  clock: Pick<Clock, 'now'>
}

/** Only this answer contains the token's text. A token that makes another gives it no more than it has, for no longer than itself. */
export const createToken = defineAct({
  name: 'token.create',
  text: 'Make a token and show it once',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({
    name: text,
    account: Type.Optional(Type.String({ description: 'absent: valid for every account and for the box' })),
    scopes: Type.Array(text, { minItems: 1 }),
    // A command may name a part of a day.
    expiresInDays: Type.Integer({ minimum: 1, maximum: tokenLifeMsMax / dayMs }),
  }),
  answer: Type.Object({ id: text, token: text, expiresAt: text }),
  subject: () => '',
  async run({ accounts, tokens, clock }: TokenBox, asked, { caller }: { caller: Caller | null }) {
    const { name, account, scopes: written, expiresInDays } = asked
    const accountId = account === undefined ? null : (await accountNamed(accounts, account)).id
    const createdAt = clock.now()
    assertNamed(name)
    const lifeMs = lifeMsOf(expiresInDays)
    const wanted = { scopes: scopesIn(written), accountId, expiresAt: createdAt + lifeMs }
    mayHandOn(caller, wanted)
    const token = newToken()
    const stored: ApiToken = {
      id: newId(),
      name: name.trim(),
      ...wanted,
      expiresAt: Math.min(wanted.expiresAt, lastsUntil(caller)),
      prefix: shownPrefix(token),
      createdAt,
      revokedAt: null,
      lastUsedAt: null,
      ...makerOf(caller),
    }
    if (!(await tokens.create(tokenHash(token) ?? '', stored))) throw new NotAllowed(makerGone)
    const expiresAt = instant(stored.expiresAt)
    return {
      answer: { id: stored.id, token, expiresAt },
      subject: stored.id,
      change: { before: null, after: { name: stored.name, scopes: [...stored.scopes], expiresAt } },
    }
  },
})

function assertNamed(name: string): void {
  if (name.trim() !== '' && name.length <= tokenNameCharactersMax) return
  throw new UnfitInput(
    `Give the token a name of 1 to ${tokenNameCharactersMax} characters, so that you recognise it later.`,
  )
}

function lifeMsOf(days: number): number {
  const ms = Math.round(days * dayMs)
  if (ms > 0 && ms <= tokenLifeMsMax) return ms
  throw new UnfitInput('A token must expire within ten years: write an age such as 90d.')
}

function scopesIn(written: readonly string[]): Scope[] {
  const known = scopes.filter((scope) => written.includes(scope))
  if (known.length > 0 && known.length === new Set(written).size) return known
  throw new UnfitInput(`A token needs one or more of these scopes: ${scopes.join(', ')}.`)
}

/** Revoking it again changes nothing. */
export const revokeToken = defineAct({
  name: 'token.revoke',
  text: 'Revoke a token at once, and what was made with it',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({ token: text }),
  answer: Type.Object({ id: text, revokedAt: text, ended: endedSchema }),
  subject: ({ token }) => token,
  async run({ tokens, clock }: Pick<TokenBox, 'tokens' | 'clock'>, { token: id }) {
    const revoked = await tokens.revoke(id, clock.now())
    if (revoked === null) throw new NotThere('There is no such token. `capture token list` shows their ids.')
    const { token } = revoked
    const ended = endedJson(revoked.ended)
    return {
      answer: { id: token.id, revokedAt: instant(token.revokedAt ?? 0), ended },
      change: { before: ended, after: null },
      name: token.name,
    }
  },
})
