import type { Language } from '../language/language.ts'
import type { MailAddress } from '../lib/mail-address.ts'
import type { Destination } from './destination.ts'
import type { Form } from './form.ts'
import type { Funnel, Goal } from './goal.ts'
import type { Redirect } from './redirect.ts'
import type { Split } from './split.ts'

export const botCheckProviders = ['altcha', 'turnstile', 'hcaptcha', 'recaptcha'] as const
export type BotCheckProvider = (typeof botCheckProviders)[number]

/** How long a browser works on a self-hosted bot check. */
export const botCheckDifficulties = ['low', 'normal', 'high'] as const
export type BotCheckDifficulty = (typeof botCheckDifficulties)[number]

/** How much of a caller's address is kept with a record. `truncated`: /24 of IPv4, /48 of IPv6. */
export const storeIpChoices = ['full', 'truncated', 'none'] as const
type StoreIp = (typeof storeIpChoices)[number]

/** An account's handle on this box. */
export const handlePattern = /^[a-z0-9-]{1,40}$/

/** What an operator configures for an account in its `site.toml`, without forms, keys and assets. */
export interface AccountSettings {
  name: string
  /** Connected domains, lower-case, without port or trailing dot. */
  domains: string[]
  /** The origin allowlist, as written: `https://www.acme.example`, `https://*.acme.example`. */
  origins: string[]
  /** `X-Robots-Tag` on landing pages; `null`: no header. */
  robots: string | null
  /** The slug served at `/`; `null`: none. */
  home: string | null
  /** Contact for visitors: an e-mail address, or an `https:` or `tel:` URL; `null`: none. */
  contact: string | null
  /** Whom the account's mail comes from; `null`: the box's own address, under the account's name. */
  mailFrom: MailAddress | null
  brand: BrandSettings
  /** 1024 to 16384. */
  payloadBytesMax: number
  /** IANA name. Reports use the days of this zone. */
  timezone: string
  /** For how long it may be without a lead before that needs attention; `null`: for ever. */
  noLeadsForHours: number | null
  /** Of all that visitors and customers read; `null`: English, and the visitor's own on small pages. */
  language: Language | null
  storeIp: StoreIp
  /** Addresses and CIDRs: no view, event or click is recorded from there, and forms are stored as tests. */
  ignore: string[]
  tracking: TrackingSettings
  botCheck: BotCheckSettings
  retention: RetentionSettings
  /** In the order of the file, as reports show them. */
  goals: Goal[]
  funnels: Funnel[]
  splits: Split[]
  redirects: Redirect[]
}

/** Colours of the service's own small pages, as `#rrggbb`; `null`: the service's colours. */
export interface BrandColours {
  colour: string | null
  background: string | null
}

interface BrandSettings extends BrandColours {
  /** Whether mails may say what sent them. */
  credit: boolean
}

interface TrackingSettings {
  enabled: boolean
  autoPageview: boolean
  /** "No tracking before opt-in". */
  requireOptIn: boolean
  /** Name of the global the script reads consent from. */
  consentSignal: string
}

export interface BotCheckSettings {
  provider: BotCheckProvider
  sitekey: string
  /** Never printed, never logged. */
  secret: string
  /** The account's default for its forms. */
  required: boolean
  /** Overrides the provider's verification address; `null`: the provider's own. */
  verifyUrl: string | null
  /** A command on the box has named `verifyUrl`, which leads to this machine; absent: the guard of addresses refuses such. */
  verifiesHere?: true
  /** Only for `altcha`; other providers have their own setting. */
  difficulty: BotCheckDifficulty
}

/** How long records are kept, in days; `null`: for ever. */
export interface RetentionSettings {
  submissionsDays: number | null
  eventsDays: number | null
  refusedDays: number
}

/** A tracking key as stored: never the key itself. */
export interface TrackingKeyRecord {
  /** Lower-case hex SHA-256 of the key; `null` once revoked. */
  fingerprint: string | null
  /** When an overlapping old key ends, epoch milliseconds; `null`: never. */
  validUntil: number | null
}

/** An account as stored: its settings, forms, goals and keys. */
export interface StoredAccount {
  /** UUIDv7. Device cookies and click tokens are bound to it, so a recreated account does not inherit them. */
  id: string
  /** `handlePattern`. */
  handle: string
  settings: AccountSettings
  /** The latest version of every form. */
  forms: Form[]
  /** Ordered by name. */
  destinations: Destination[]
  trackingKeys: TrackingKeyRecord[]
}
