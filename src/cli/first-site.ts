import { mintTrackingKey } from '../account/tracking-key.ts'
import type { ExampleFile } from '../client/examples.ts'
import { newShortId } from '../lib/id.ts'

interface FirstSite {
  /** The handle. */
  account: string
  /** Stands in texts of TOML and HTML as it is. */
  name: string
  domain: string
}

/** The first folder of an account: a page with a form, a thank-you page, a stylesheet. */
export async function firstSite({
  account,
  name,
  domain,
}: FirstSite): Promise<{ formId: string; files: ExampleFile[] }> {
  const formId = newShortId()
  const { exampleFiles } = await import('../client/examples.ts')
  const files = await exampleFiles('first-site', [
    ['contact1', formId],
    ['svc_tk_FirstSiteFirstSiteFirstSiteFirst', mintTrackingKey()],
    ['Acme Studio', name],
    ['account = "acme"', `account = "${account}"`],
    ['go.acme.example', domain],
  ])
  return { formId, files }
}

/** `Über uns` → `uber-uns`. */
export const handleFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '') || 'site'
