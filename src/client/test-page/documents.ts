import { html, type Markup, trustedMarkup } from '../../lib/html.ts'
import { dataElementId, type TestPageData, websiteMark } from './data.ts'

/** The built parts of the test page. */
export interface TestPageParts {
  script: string
  style: string
  /** For the empty website in the page's frames. */
  websiteStyle: string
}

/** Makes the documents of the test page, each with the minimal policy that it needs: the preview host has no other addresses. */
export function testPageDocuments({ script, style, websiteStyle }: TestPageParts) {
  const [scriptHash = '', styleHash = '', websiteStyleHash = ''] = [script, style, websiteStyle].map(hashSource)
  return {
    page: (data: TestPageData) => ({
      html: pageHtml(data, { script, style }),
      policy: policyText({
        'script-src': [scriptHash],
        'style-src': [styleHash],
        'frame-src': ["'self'"],
        'connect-src': data.thirdPartyUrl === null ? [] : [new URL(data.thirdPartyUrl).origin],
        'frame-ancestors': [],
      }),
    }),
    website({ origin, botCheckProvider }: { origin: string; botCheckProvider: string }) {
      const provider = providerSources[botCheckProvider] ?? []
      const policy = policyText({
        'script-src': [origin, ...provider],
        'style-src': [websiteStyleHash, origin, ...provider],
        'connect-src': [origin, ...provider],
        'img-src': [origin, 'data:'],
        'frame-src': provider,
        'frame-ancestors': ["'self'"],
      })
      return { html: websiteHtml(websiteStyle), policy }
    },
  }
}

/** What a policy must allow according to the providers of hosted bot checks. */
const providerSources: Partial<Record<string, string[]>> = {
  turnstile: ['https://challenges.cloudflare.com'],
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  recaptcha: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
}

function policyText(directives: Record<string, string[]>): string {
  const closed = { 'default-src': [], 'base-uri': [], 'form-action': [] }
  return Object.entries({ ...closed, ...directives })
    .map(([name, sources]) => `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`)
    .join('; ')
}

const hashSource = (text: string): string => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`

const pageHtml = (data: TestPageData, { script, style }: Pick<TestPageParts, 'script' | 'style'>): string =>
  html`${head(
    `Test page of ${data.account.name}`,
    style,
    html`<meta name="robots" content="noindex, nofollow">
`,
  )}
<body>
<main>
<header>
<p class="brand">Capture <span>test page</span></p>
<h1>${data.account.name}</h1>
<p class="lede">This page plays a website. It does, in your browser, what visitors of a website do: loads the script, fills in the forms, says yes to being counted. You see what was sent, what came back, and what to do where something is missing.</p>
<noscript><p class="todo">This page tries things out in your browser and needs JavaScript for that. Please switch it on and load the page again.</p></noscript>
</header>
</main>
<script type="application/json" id="${dataElementId}">${trustedMarkup(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>
<script>${trustedMarkup(script)}</script>
</body>
</html>
`.text

/** A mark distinguishes it from the answer that the address has expired. */
const websiteHtml = (style: string): string =>
  html`${head('A website', style)}
<body><main id="${websiteMark}"><h1>A website</h1></main></body>
</html>
`.text

const head = (title: string, style: string, more: Markup | null = null): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${more}<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trustedMarkup(style)}</style>
</head>`
