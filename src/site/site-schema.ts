import type { Static } from '@sinclair/typebox'
import { botCheckDifficulties, botCheckProviders, handlePattern, storeIpChoices } from '../account/account.ts'
import { destinationKinds, reportIntervals } from '../account/destination.ts'
import { fileTypeNames } from '../account/file-type.ts'
import { redirectStatuses } from '../account/redirect.ts'
import { trackingKeyPattern } from '../account/tracking-key.ts'
import { languages } from '../language/languages.ts'
import { readHostname } from '../lib/hostname.ts'
import { parseMailbox } from '../lib/mail-address.ts'
import { jsonTable } from '../lib/toml/decode.ts'
import {
  boolean,
  integer,
  type Located,
  listOf,
  located,
  mapOf,
  oneOf,
  optional,
  optionalText,
  parsed,
  string,
  table,
  text,
  withDefault,
} from '../lib/toml/shape.ts'
import { honeypot } from './honeypot.ts'
import {
  aimCharactersMax,
  assetsPerKindMax,
  conditionCharactersMax,
  conditionValuesMax,
  contactCharactersMax,
  deliveriesMax,
  deliveryUrlCharactersMax,
  domainsMax,
  fileFieldsMax,
  filesPerFieldMax,
  formsMax,
  funnelStepsMax,
  funnelStepsMin,
  funnelsMax,
  goalNameCharactersMax,
  goalsMax,
  ignoredMax,
  mailSubjectCharactersMax,
  mailTextCharactersMax,
  originsMax,
  recipientsMax,
  redirectCharactersMax,
  redirectsMax,
  redirectUrlCharactersMax,
  secretCharactersMax,
  splitsMax,
  variantsMax,
} from './limits.ts'
import { parseRedirectFrom, parseRedirectTo } from './redirect-values.ts'
import {
  liveTimeExpected,
  parseBrandColour,
  parseContact,
  parseDeliveryUrl,
  parseFileSize,
  parseLiveTime,
  parseNetwork,
  parseOrigin,
  parsePagePath,
  parseQuietHours,
  parseRecipient,
  parseRetentionDays,
  parseSlug,
  parseTimezone,
  parseVerifyUrl,
} from './values.ts'

const tracking = table({
  enabled: withDefault(boolean(), true),
  auto_pageview: withDefault(boolean(), true),
  require_opt_in: withDefault(boolean(), true),
  consent_signal: withDefault(
    string({
      pattern: /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/,
      expected: 'the name of a global variable, such as "svcConsent"',
    }),
    'svcConsent',
  ),
  key: optionalText(
    string({
      pattern: trackingKeyPattern,
      expected: 'svc_tk_ and 32 of [A-Za-z0-9]; `capture key new` prints one',
      secret: true,
    }),
  ),
})

/** The keys for a secret, at most one of which may be set. */
const secretKeys = {
  secret: optionalText(string({ charactersMax: secretCharactersMax, secret: true })),
  secret_env: optionalText(
    string({ pattern: /^[A-Za-z_][A-Za-z0-9_]{0,199}$/, expected: 'the name of an environment variable' }),
  ),
  secret_file: optionalText(string()),
}

const botCheck = table({
  provider: withDefault(oneOf(botCheckProviders), 'altcha'),
  sitekey: withDefault(string({ charactersMax: 200 }), ''),
  ...secretKeys,
  required: withDefault(boolean(), false),
  verify_url: optionalText(parsed(string(), parseVerifyUrl)),
  difficulty: withDefault(oneOf(botCheckDifficulties), 'normal'),
})

const brand = table({
  colour: optional(parsed(string(), parseBrandColour)),
  background: optional(parsed(string(), parseBrandColour)),
  credit: withDefault(boolean(), false),
})

const retention = table({
  submissions: optional(parsed(string(), parseRetentionDays)),
  events: optional(parsed(string(), parseRetentionDays)),
  refused: withDefault(parsed(string(), parseRetentionDays), 30),
})

const visitorMail = table({
  subject: string({ pattern: /\S/, expected: 'the subject of a mail', charactersMax: mailSubjectCharactersMax }),
  text: text({ expected: 'the text of a mail', charactersMax: mailTextCharactersMax }),
})

const fileField = table({
  types: listOf(oneOf(fileTypeNames), { itemsMin: 1, itemsMax: fileTypeNames.length, unique: true }),
  max: parsed(string(), parseFileSize),
  count: withDefault(integer({ min: 1, max: filesPerFieldMax }), 1),
})

const form = table({
  id: optionalText(string({ pattern: /^[a-z0-9]{8}$/, expected: 'eight of [a-z0-9], such as "contact1"' })),
  name: optionalText(string({ charactersMax: 200 })),
  registered: withDefault(boolean(), true),
  honeypot: honeypot(),
  bot_check: withDefault(oneOf(['inherit', 'on', 'off']), 'inherit'),
  consent_text_id: optionalText(string({ charactersMax: 200 })),
  redirect_url: optionalText(string({ charactersMax: redirectUrlCharactersMax })),
  schema: withDefault(jsonTable(), {}),
  confirm: optional(visitorMail),
  reply: optional(visitorMail),
  files: withDefault(mapOf(fileField, { itemsMax: fileFieldsMax }), {}),
})

const deliveryUrl = parsed(string({ charactersMax: deliveryUrlCharactersMax, secret: true }), parseDeliveryUrl)

const fieldValues = optional(
  listOf(string({ charactersMax: conditionCharactersMax }), {
    itemsMin: 1,
    itemsMax: conditionValuesMax,
    unique: true,
  }),
)
const condition = table({
  field: string({ pattern: /\S/, expected: 'the name of a field', charactersMax: conditionCharactersMax }),
  is: fieldValues,
  is_not: fieldValues,
})

const delivery = table({
  name: string({ pattern: /^[a-z0-9-]{1,40}$/, expected: 'a name, 1 to 40 of [a-z0-9-]' }),
  kind: oneOf(destinationKinds),
  to: optional(listOf(parsed(string(), parseRecipient), { itemsMin: 1, itemsMax: recipientsMax, unique: true })),
  forms: optional(listOf(string({ charactersMax: 200 }), { itemsMin: 1, itemsMax: formsMax, unique: true })),
  when: optional(condition),
  url: optional(deliveryUrl),
  ...secretKeys,
  confirmed: optional(boolean()),
  every: optional(oneOf(reportIntervals)),
})

const aim = {
  form: optional(string({ charactersMax: aimCharactersMax })),
  event: optional(string({ pattern: /\S/, expected: 'the name of an event', charactersMax: aimCharactersMax })),
  page: optional(parsed(string({ charactersMax: aimCharactersMax }), parsePagePath)),
}
const goalName = string({
  pattern: /\S/,
  expected: 'a name to be shown in reports',
  charactersMax: goalNameCharactersMax,
})
const step = table(aim)
const goal = table({ name: goalName, ...aim })
const funnel = table({
  name: goalName,
  steps: listOf(located(step), { itemsMin: funnelStepsMin, itemsMax: funnelStepsMax }),
})

const variant = table({
  name: string({ pattern: /^[a-z0-9-]{1,20}$/, expected: 'a name, 1 to 20 of [a-z0-9-], such as "b"' }),
  page: parsed(string(), parseSlug),
  share: integer({ min: 1, max: 100 }),
})
const split = table({
  page: parsed(string(), parseSlug),
  variants: listOf(located(variant), { itemsMin: 1, itemsMax: variantsMax }),
})

const redirectText = string({ charactersMax: redirectCharactersMax })
const redirect = table({
  from: parsed(redirectText, parseRedirectFrom),
  to: parsed(redirectText, parseRedirectTo),
  status: withDefault(oneOf(redirectStatuses), 302),
})

const state = oneOf(['live', 'preview'])
const liveTime = optional(parsed(string({ expected: liveTimeExpected }), parseLiveTime))
const page = table({
  slug: optional(parsed(string(), parseSlug)),
  file: optional(string()),
  state: withDefault(state, 'live'),
  live_from: liveTime,
  live_until: liveTime,
})
const asset = table({ path: string(), state: withDefault(state, 'live') })

const entries = { itemsMax: assetsPerKindMax }

/** Every key of `site.toml` (docs/site-folder.md). */
export const siteSchema = table({
  account: string({ pattern: handlePattern, expected: 'a handle, 1 to 40 of [a-z0-9-]' }),
  name: string({ pattern: /\S/, expected: "the account's name", charactersMax: 200 }),
  domains: listOf(parsed(string(), readHostname), { itemsMin: 1, itemsMax: domainsMax, unique: true }),
  origins: withDefault(listOf(parsed(string(), parseOrigin), { itemsMax: originsMax, unique: true }), []),
  robots: optionalText(
    string({
      pattern: /^[\x20-\x7e]+$/,
      expected: 'robots rules in ASCII, such as "noindex, nofollow"',
      charactersMax: 500,
    }),
  ),
  home: optionalText(parsed(string(), parseSlug)),
  contact: optionalText(parsed(string({ charactersMax: contactCharactersMax }), parseContact)),
  mail_from: optional(parsed(string(), parseMailbox)),
  brand,
  payload_limit: withDefault(integer({ min: 1024, max: 16_384 }), 8192),
  timezone: withDefault(parsed(string(), parseTimezone), 'UTC'),
  no_leads_for: optional(parsed(string(), parseQuietHours)),
  language: optional(oneOf(languages)),
  store_ip: withDefault(oneOf(storeIpChoices), 'full'),
  ignore: withDefault(listOf(parsed(string(), parseNetwork), { itemsMax: ignoredMax, unique: true }), []),
  tracking,
  bot_check: located(botCheck),
  retention,
  forms: withDefault(listOf(located(form), { itemsMax: formsMax }), []),
  deliveries: withDefault(listOf(located(delivery), { itemsMax: deliveriesMax }), []),
  goals: withDefault(listOf(located(goal), { itemsMax: goalsMax }), []),
  funnels: withDefault(listOf(located(funnel), { itemsMax: funnelsMax }), []),
  splits: withDefault(listOf(located(split), { itemsMax: splitsMax }), []),
  redirects: withDefault(listOf(located(redirect), { itemsMax: redirectsMax }), []),
  pages: withDefault(listOf(located(page), entries), []),
  images: withDefault(listOf(located(asset), entries), []),
  files: withDefault(listOf(located(asset), entries), []),
  assets: withDefault(listOf(located(asset), entries), []),
})

export type WrittenSite = Static<typeof siteSchema>
export type WrittenBotCheck = Located<Static<typeof botCheck>>
export type WrittenForm = Located<Static<typeof form>>
export type WrittenDelivery = Located<Static<typeof delivery>>
export type WrittenAim = Static<typeof step>
export type WrittenGoal = Located<Static<typeof goal>>
export type WrittenFunnel = Located<Static<typeof funnel>>
export type WrittenSplit = Located<Static<typeof split>>
export type WrittenRedirect = Located<Static<typeof redirect>>
export type PageEntry = Located<Static<typeof page>>
export type AssetEntry = Located<Static<typeof asset>>
