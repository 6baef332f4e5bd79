import { expect, test } from 'bun:test'
import { type Right, type Scope, scopeOf, scopes } from '../../src/account/scope.ts'
import type { AccountRole, Caller, TokenCaller, UserCaller } from '../../src/console/access/caller.ts'
import { permissionOn, permissionOnBox } from '../../src/console/access/permission.ts'

const acme = '01890000-0000-7000-8000-000000000001'
const other = '01890000-0000-7000-8000-000000000002'

const user = (parts: Partial<UserCaller>): UserCaller => ({
  kind: 'user',
  userId: 'u',
  email: 'u@agency.example',
  isOwner: false,
  roles: new Map(),
  sessionId: 's',
  provedAt: 0,
  provedBy: 'password',
  ...parts,
})
const inRole = (role: AccountRole, seesPersonalFields = false) =>
  user({ roles: new Map([[acme, { role, seesPersonalFields }]]) })
const token = (accountId: string | null, granted: Scope[]): TokenCaller => ({
  kind: 'token',
  tokenId: 't',
  name: 'n',
  accountId,
  scopes: new Set(granted),
  expiresAt: 0,
})

const rights: readonly Right[] = [...scopes, 'remove']
const allowed = (caller: Caller) =>
  rights.filter((right) => permissionOn(acme, caller, { scope: scopeOf(right), right, clients: 'whole' }) === 'whole')

test.each<[string, Caller, Right[]]>([
  ['an owner', user({ isOwner: true }), ['read', 'publish', 'release', 'erase', 'admin', 'remove']],
  ['an admin of the account', inRole('admin'), ['read', 'publish', 'release', 'erase', 'admin', 'remove']],
  ['an editor', inRole('editor'), ['read', 'publish', 'release']],
  ['a colleague in sales', inRole('sales'), ['read', 'release', 'remove']],
  ['a viewer', inRole('viewer'), ['read']],
  ['a client', inRole('client'), ['read']],
  ['a token that may release', token(acme, ['release']), ['release']],
  ['a token that may erase', token(acme, ['erase']), ['erase', 'remove']],
  ['a token of the box with every scope', token(null, [...scopes]), [...rights]],
])('%s may do what the role says, and no more', (_, caller, expected) => {
  expect(allowed(caller)).toEqual(expected)
})

test.each<[string, Caller]>([
  ['a user without a part in it', user({ roles: new Map([[other, { role: 'admin', seesPersonalFields: false }]]) })],
  ['a token of another account', token(other, [...scopes])],
])('to %s the account does not exist, whatever is asked', (_, caller) => {
  for (const scope of scopes) expect(permissionOn(acme, caller, { scope, clients: 'whole' })).toBe('unknown')
})

test('a client gets nothing, a masked or a whole answer, as the operation says', () => {
  const client = inRole('client')
  expect(permissionOn(acme, client, { scope: 'read' })).toBe('lacking')
  expect(permissionOn(acme, client, { scope: 'read', clients: 'masked' })).toBe('masked')
  expect(permissionOn(acme, inRole('client', true), { scope: 'read', clients: 'masked' })).toBe('whole')
  expect(permissionOn(acme, client, { scope: 'read', clients: 'whole' })).toBe('whole')
})

test('the box is the owners’ and that of its own tokens alone', () => {
  expect(permissionOnBox(user({ isOwner: true }), 'admin')).toBe('whole')
  expect(permissionOnBox(inRole('admin'), 'read')).toBe('lacking')
  expect(permissionOnBox(token(acme, [...scopes]), 'read')).toBe('lacking')
  expect(permissionOnBox(token(null, ['read']), 'admin')).toBe('lacking')
  expect(permissionOnBox(token(null, ['read']), 'read')).toBe('whole')
})
