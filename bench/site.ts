import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The account that is put under load, as its requests name it. */
export const benchSite = {
  account: 'bench',
  host: 'bench.example',
  origin: 'https://www.bench.example',
  formId: 'benchfrm',
  trackingKey: 'svc_tk_BenchBenchBenchBenchBenchBench00',
  slug: 'launch',
}

const pageBytes = 7 * 1024
const sentence =
  '<p>Plans change; a page that loads at once is read before they do. Leave your address and we write once.</p>\n'

/** A landing page of 7 KB. */
export const pageHtml = filled('<!doctype html>\n<html lang="en"><title>Launch</title>\n<body>\n', '</body></html>\n')

function filled(head: string, foot: string): string {
  const room = pageBytes - head.length - foot.length
  return head + sentence.repeat(Math.ceil(room / sentence.length)).slice(0, room - 1) + '\n' + foot
}

/** Writes the site folder that `capture apply` publishes: every check that needs no outside service is on. */
export async function writeBenchSite(folder: string): Promise<void> {
  await mkdir(join(folder, 'pages'), { recursive: true })
  await Bun.write(join(folder, 'pages', `${benchSite.slug}.html`), pageHtml)
  await Bun.write(
    join(folder, 'site.toml'),
    `account = "${benchSite.account}"
name = "Bench"
domains = ["${benchSite.host}"]
origins = ["https://*.other.example", "${benchSite.origin}"]
robots = "noindex"

[tracking]
enabled = true
require_opt_in = true
key = "${benchSite.trackingKey}"

[[forms]]
id = "${benchSite.formId}"
name = "Contact"
consent_text_id = "privacy-2026-01"
[forms.schema]
type = "object"
required = ["email"]
properties = { email = { type = "string", format = "email" }, message = { type = "string" } }
`,
  )
}

/** A small account among many, for how long a start takes. */
export async function writeSmallSite(folder: string, number: number, pages: number): Promise<void> {
  await mkdir(join(folder, 'pages'), { recursive: true })
  await Bun.write(
    join(folder, 'site.toml'),
    `account = "site-${number}"\nname = "Site ${number}"\ndomains = ["site-${number}.example"]\n`,
  )
  for (let page = 0; page < pages; page++) {
    await Bun.write(join(folder, 'pages', `page-${page}.html`), `<!doctype html><title>${number}/${page}</title>`)
  }
}
