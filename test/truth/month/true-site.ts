import { type AForm, type ASite, aForm, aSite } from '../../harness/a-site.ts'

/** One of the three accounts, as those who visit it know it. */
export interface TrueSite {
  account: string
  timezone: string
  /** The connected domain. */
  host: string
  /** The account's own website. */
  origin: string
  /** Whether the website shares no registrable domain with the connected one, so that no cookie comes along from it. */
  isThirdParty: boolean
  requiresOptIn: boolean
  seed: number
}

/**
 * All three have the same forms, pages, messages and visitors' addresses: what of one were counted for another would
 * show. One sees its midnight with the box, one four or five hours later, one five and a half earlier.
 */
export const trueSites: readonly TrueSite[] = [
  {
    account: 'aurora',
    timezone: 'UTC',
    host: 'go.aurora.example',
    origin: 'https://www.aurora.example',
    isThirdParty: false,
    requiresOptIn: false,
    seed: 11,
  },
  {
    account: 'brook',
    timezone: 'America/New_York',
    host: 'go.brook.example',
    origin: 'https://www.brook.example',
    isThirdParty: false,
    requiresOptIn: true,
    seed: 22,
  },
  {
    account: 'cedar',
    timezone: 'Asia/Kolkata',
    host: 'go.cedar.example',
    origin: 'https://shop.elsewhere.example',
    isThirdParty: true,
    requiresOptIn: true,
    seed: 33,
  },
]

export const formIds = { contact: 'contact1', signup: 'signup01', feedback: 'feedback' } as const

const forms: AForm[] = [
  aForm({ id: formIds.contact, name: 'Contact' }),
  aForm({ id: formIds.signup, name: 'Sign-up', honeypot: 'website_url' }),
  aForm({ id: formIds.feedback, name: 'Feedback', honeypot: false }),
]

export const slugs = ['launch', 'offer', 'terms'] as const
/** The page whose views are a goal. */
export const goalPage = slugs[0]
export const brochure = '/_svc/file/brochure.pdf'

/** The account's folder. Its website is allowed, and no other. */
export const siteFolder = ({ account, timezone, host, origin, requiresOptIn }: TrueSite): ASite =>
  aSite({
    account,
    domains: [host, `second-${host}`],
    origins: [origin, `https://${previewHost}`],
    timezone,
    forms,
    goals: [
      { name: 'Page', page: `/${goalPage}` },
      { name: 'Form', form: formIds.contact },
    ],
    funnels: [{ name: 'Funnel', steps: [{ page: `/${goalPage}` }, { form: formIds.contact }] }],
    tracking: { key: trackingKey(account), require_opt_in: requiresOptIn },
    files: {
      ...Object.fromEntries(slugs.map((slug) => [`pages/${slug}.html`, `<!doctype html><title>${slug}</title>`])),
      'files/brochure.pdf': '%PDF-1.4 a brochure',
    },
  })

export const previewHost = 'preview.localhost'

export const trackingKey = (account: string): string => `svc_tk_${account.padEnd(32, '0')}`
