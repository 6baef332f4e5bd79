import type { AccountSettings, StoredAccount } from '../../../account/account.ts'
import { type Destination, isChat } from '../../../account/destination.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { parseToml } from '../../../lib/toml/parse.ts'
import type { TomlTable } from '../../../lib/toml/value.ts'
import { accountColour } from '../../look/shell.ts'
import { lineOf } from '../site-toml-line.ts'
import { factsTable } from '../values.ts'

/** @param key as `lineOf` has it; absent: nothing that the text would say */
type Value = readonly [value: Markup | string, key?: string]
type Setting = readonly [name: string, ...values: Value[]]

/** What is set, by subject, each with the way to its line or to where it belongs. @param siteToml `null`: it cannot be edited here */
export function summaryPart(account: StoredAccount, siteToml: string | null): Markup {
  const table = siteToml === null ? null : parseToml(siteToml).table
  const shown = (name: string) => (each: Value) => html`<div>${linked(each, name, table)}</div>`
  return html`<div class="fact-groups">${Object.entries(settingsOf(account)).map(
    ([subject, settings]) =>
      html`<section class="card"><h2>${subject}</h2>${factsTable(settings.map(([name, ...values]) => [name, html`${values.map(shown(name))}`]))}</section>`,
  )}</div>`
}

function linked([value, key]: Value, name: string, table: TomlTable | null): Markup | string {
  if (table === null || key === undefined) return value
  const line = lineOf(table, key)
  return line === null
    ? html`<a href="?key=${key}#site-toml">${value}<span class="unseen">, ${name}: add it to site.toml</span></a> <span class="hint">default</span>`
    : html`<a href="?line=${line}#site-toml">${value}<span class="unseen">, ${name}: line ${line} of site.toml</span></a>`
}

const settingsOf = (account: StoredAccount): Record<string, Setting[]> => ({
  Account: accountSettings(account),
  'Who gets leads and reports': receivers(account),
  Website: [
    ['Domains', [list(account.settings.domains, 'none'), 'domains']],
    ['Other sites that may send', [list(account.settings.origins, 'none, only its own pages'), 'origins']],
    ['Home page', [account.settings.home === null ? 'none' : `/${account.settings.home}`, 'home']],
  ],
  'Visitors and forms': visitorSettings(account.settings),
  'What is kept': keptSettings(account.settings),
})

function accountSettings(account: StoredAccount): Setting[] {
  const { name, brand, language, timezone, contact } = account.settings
  const colour = html`<svg class="swatch" width="14" height="14" aria-hidden="true"><rect width="14" height="14" rx="3" fill="${brand.colour ?? accountColour(account)}"/></svg> ${brand.colour ?? 'chosen by the box'}`
  return [
    ['Name', [name, 'name']],
    ['Colour', [colour, 'brand.colour']],
    ['Language', [language === null ? 'English' : (languageNames.of(language) ?? language), 'language']],
    ['Time zone', [timezone, 'timezone']],
    ['Contact for visitors', [contact ?? 'none', 'contact']],
  ]
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

function receivers({ settings, destinations }: StoredAccount): Setting[] {
  const those = (isShown: (destination: Destination) => boolean, none: string): readonly Value[] => {
    const shown = destinations.filter(isShown)
    return shown.length === 0 ? [[none]] : shown.map((each) => [receiverOf(each), `deliveries.${each.name}`])
  }
  return [
    ['Leads by mail to', ...those(({ kind }) => kind === 'mail', 'nobody')],
    ['Reports by mail to', ...those(({ kind }) => kind === 'report', 'nobody')],
    ['Webhooks and chats', ...those(({ kind }) => kind === 'webhook' || isChat(kind), 'none')],
    ['Mail comes from', [settings.mailFrom?.address ?? 'the address of this box', 'mail_from']],
  ]
}

const receiverOf = (destination: Destination): Markup | string =>
  destination.kind === 'mail' || destination.kind === 'report' ? list(destination.to, 'nobody') : destination.name

const visitorSettings = ({ tracking, botCheck, ignore }: AccountSettings): Setting[] => [
  ['Visits and events', [tracking.enabled ? 'recorded' : 'not recorded', 'tracking.enabled']],
  ['Consent before recording', [tracking.requireOptIn ? 'required' : 'not required', 'tracking.require_opt_in']],
  [
    'Bot check',
    [
      `${botCheck.required ? 'in every form' : 'only in forms that turn it on'} (${providerNames[botCheck.provider]})`,
      'bot_check',
    ],
  ],
  ['IP addresses not counted', [list(ignore, 'none'), 'ignore']],
]

const providerNames: Record<AccountSettings['botCheck']['provider'], string> = {
  altcha: 'ALTCHA',
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
}

const keptSettings = ({ retention, storeIp }: AccountSettings): Setting[] => [
  ['Leads', [keptFor(retention.submissionsDays), 'retention.submissions']],
  ['Visits and events', [keptFor(retention.eventsDays), 'retention.events']],
  ['Quarantine', [keptFor(retention.refusedDays), 'retention.refused']],
  ['IP addresses of visitors', [storedIp[storeIp], 'store_ip']],
]

const storedIp = { full: 'stored in full', truncated: 'stored without their last part', none: 'not stored' }

const keptFor = (days: number | null): string => (days === null ? 'for ever' : plural(days, 'day'))

const list = (names: readonly string[], none: string): Markup | string =>
  names.length === 0 ? none : html`${names.map((name, at) => html`${at === 0 ? null : html`<br>`}${name}`)}`
