import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A form as `site.toml` writes it (docs/site-folder.md). */
export interface AForm {
  id: string
  name: string
  registered?: boolean
  honeypot?: string | false
  bot_check?: 'inherit' | 'on' | 'off'
  consent_text_id?: string
  redirect_url?: string
  schema?: object
  confirm?: { subject: string; text: string }
  reply?: { subject: string; text: string }
  files?: Record<string, { types: string[]; max: string; count?: number }>
}

/** A site folder: the keys of its `site.toml`, and its files. */
export interface ASite {
  account: string
  name: string
  domains: string[]
  origins: string[]
  payload_limit?: number
  store_ip?: 'full' | 'truncated' | 'none'
  ignore?: string[]
  timezone?: string
  language?: string
  robots?: string
  home?: string
  contact?: string
  mail_from?: string
  no_leads_for?: string
  brand?: { colour?: string; background?: string; credit?: boolean }
  tracking: {
    key: string
    enabled?: boolean
    require_opt_in?: boolean
    auto_pageview?: boolean
    consent_signal?: string
  }
  bot_check?: {
    provider: string
    sitekey: string
    secret: string
    required?: boolean
    verify_url?: string
    difficulty?: string
  }
  retention?: { submissions?: string; events?: string; refused?: string }
  forms: AForm[]
  goals?: { name: string; form?: string; event?: string; page?: string }[]
  funnels?: { name: string; steps: { form?: string; event?: string; page?: string }[] }[]
  splits?: { page: string; variants: { name: string; page: string; share: number }[] }[]
  /** Entries of `[[pages]]`, before those of `previews`. */
  pages?: { slug: string; live_from?: string; live_until?: string }[]
  redirects?: { from: string; to: string; status?: 301 | 302 | 307 | 308 }[]
  deliveries?: { name: string; kind: string; [key: string]: unknown }[]
  /** Contents by path, such as `pages/launch.html`. */
  files: Record<string, string | Uint8Array>
  /** The paths among `files` that are in the state `preview`. */
  previews?: string[]
}

/** A valid site: account `acme` at `go.acme.test` with the form `contact1`; what a test is about, it overrides. */
export function aSite(overrides: Partial<ASite> = {}): ASite {
  const account = overrides.account ?? 'acme'
  return {
    account,
    name: `The ${account} studio`,
    domains: [`go.${account}.test`],
    origins: [`https://www.${account}.test`],
    forms: [aForm()],
    files: {},
    ...overrides,
    tracking: { key: trackingKeyOf(account), ...overrides.tracking },
  }
}

export const aForm = (overrides: Partial<AForm> = {}): AForm => ({
  id: 'contact1',
  name: `Form ${overrides.id ?? 'contact1'}`,
  ...overrides,
})

/** Every test account's own key: in the form of a tracking key, and told from the handle. */
export const trackingKeyOf = (account: string): string =>
  `svc_tk_${new Bun.CryptoHasher('sha256').update(account).digest('hex').slice(0, 32)}`

/** Writes the folder that `capture apply` reads. */
export function writeSite(dir: string, { files, previews = [], pages = [], ...siteToml }: ASite): void {
  const entries = previewEntries(previews)
  write(join(dir, 'site.toml'), Bun.TOML.stringify({ ...siteToml, ...entries, pages: [...pages, ...entries.pages] }))
  for (const [path, content] of Object.entries(files)) write(join(dir, path), content)
}

/** The `[[pages]]`, `[[images]]`, `[[files]]` and `[[assets]]` of `site.toml` that put assets into the state `preview`. */
function previewEntries(paths: string[]) {
  const below = (prefix: string) =>
    paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  const state = 'preview'
  return {
    pages: below('pages/').map((file) => ({ slug: file.replace(/\.html$/, ''), file: `pages/${file}`, state })),
    images: below('img/').map((path) => ({ path, state })),
    files: below('files/').map((path) => ({ path, state })),
    assets: below('assets/').map((path) => ({ path, state })),
  }
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
