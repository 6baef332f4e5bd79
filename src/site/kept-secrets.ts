import type { StoredAccount } from '../account/account.ts'
import { type Destination, isChat } from '../account/destination.ts'
import { decodeToml } from '../lib/toml/decode.ts'
import type { SiteFolder } from './folder.ts'
import { type KeptFolder, keptInTheBox } from './kept-folder.ts'
import { sourceOf } from './secret.ts'
import { type KeptSecret, type SiteFault, SiteFaults, siteToml } from './site-faults.ts'
import { siteSchema } from './site-schema.ts'

interface Before {
  account: StoredAccount
  kept: KeptFolder | null
}

/**
 * The folder with the secrets of the box where it keeps them. @param before `null`: there is no account yet
 *
 * @throws SiteFaults where there is none to keep
 */
export function withKeptSecrets(folder: SiteFolder, before: Before | null, dir: string): SiteFolder {
  if (folder.keptSecrets.length === 0) return folder
  const known = before?.kept ? sourcesIn(before.kept.siteToml) : new Set<string>()
  const faults = folder.keptSecrets.flatMap((secret): SiteFault[] => {
    const message = faultOf(secret, { folder, account: before?.account ?? null, known })
    return message === null ? [] : [{ file: siteToml, ...secret.place, message }]
  })
  if (before === null || faults.length > 0) throw new SiteFaults(dir, faults)
  const { botCheck, ...settings } = folder.settings
  const { destinations } = before.account
  const stored = before.account.settings.botCheck.secret
  return {
    ...folder,
    settings: {
      ...settings,
      botCheck: { ...botCheck, secret: botCheck.secret === keptInTheBox ? stored : botCheck.secret },
    },
    destinations: folder.destinations.map((written) => withKept(written, destinations)),
  }
}

type Written = SiteFolder['destinations'][number]

function withKept(written: Written, stored: readonly Destination[]): Written {
  const { destination, secret } = written
  const before = stored.find(({ name }) => name === destination.name)
  if (destination.kind === 'webhook' && secret === keptInTheBox && before?.kind === 'webhook')
    return { ...written, destination: { ...destination, givenSecret: before.givenSecret }, secret: null }
  if ('url' in destination && destination.url === keptInTheBox && before !== undefined && 'url' in before)
    return { ...written, destination: { ...destination, url: before.url } }
  return written
}

/** `null`: the box has the secret. */
function faultOf(
  { owner, source }: KeptSecret,
  { folder, account, known }: { folder: SiteFolder; account: StoredAccount | null; known: ReadonlySet<string> },
): string | null {
  if (!hasSecret(owner, folder, account))
    return source === null ? 'the box keeps no secret here: write it' : notKnown(source)
  if (source !== null && !known.has(`${owner} ${source}`)) return notKnown(source)
  if (owner !== 'bot_check' || account === null) return null
  const { provider, verifyUrl } = account.settings.botCheck
  const { botCheck } = folder.settings
  // Whoever may publish could have it sent to themselves.
  const goesElsewhere = provider !== botCheck.provider || verifyUrl !== botCheck.verifyUrl
  return goesElsewhere ? 'write the secret anew: a kept one is sent nowhere but to the provider it was given for' : null
}

function hasSecret(owner: string, { destinations }: SiteFolder, account: StoredAccount | null): boolean {
  if (owner === 'bot_check') return (account?.settings.botCheck.secret ?? '') !== ''
  const named = ({ name }: Destination): boolean => `deliveries.${name}` === owner
  const written = destinations.find(({ destination }) => named(destination))
  const kept = account?.destinations.find(named)
  // The address of a chat; a damaged one reads as none.
  const isDamaged = kept !== undefined && isChat(kept.kind) && 'url' in kept && kept.url === ''
  return !isDamaged && kept?.kind === written?.destination.kind
}

const notKnown = (source: string): string =>
  `the box does not know what ${source} holds: publish with \`capture apply\` where it is known, or write the secret`

/** Where the secrets of a folder came from: `deliveries.crm secret_env ACME_CRM_SECRET`. */
function sourcesIn(text: string): ReadonlySet<string> {
  const { partial } = decodeToml(text, siteSchema)
  const written = [
    ...(partial.bot_check ? [{ owner: 'bot_check', value: partial.bot_check.value }] : []),
    ...(partial.deliveries ?? []).map(({ value }) => ({ owner: `deliveries.${value.name}`, value })),
  ]
  return new Set(written.map(({ owner, value }) => `${owner} ${sourceOf(value) ?? ''}`))
}
