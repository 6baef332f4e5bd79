import type { Language } from '../../language/language.ts'
import { type HtmlPart, html, type Markup, trustedMarkup } from '../../lib/html.ts'
import { readableColour, usualColour } from '../../lib/readable-colour.ts'

/** One mail as a document: a headline on the page's ground, cards below it, a closing word. */
interface MailDocument {
  language: Language
  title: string
  /** What an inbox shows beside the subject. */
  preview: string
  /** Above the headline: whose mail this is. */
  kicker: string
  /** The account's, `#rrggbb`; `null`: it has none. */
  colour: string | null
  cards: readonly Markup[]
  footer: Markup
}

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
/** Outlook only knows `word-break`. */
const wrap = 'overflow-wrap:anywhere;word-break:break-word;'
const light = {
  ground: '#f3f3ef',
  card: '#fffffe',
  ink: '#1c1c1b',
  muted: '#63635d',
  rule: '#e2e2dc',
  warning: '#fdf3d7',
}
const dark = {
  ground: '#141413',
  card: '#1f1f1e',
  ink: '#ededea',
  muted: '#a6a69f',
  rule: '#3a3a37',
  warning: '#3d3416',
}

/** Inline styles, since Gmail on some phones drops the style sheet. Light colours; the sheet has the dark ones. */
export const mailStyles = {
  kicker: `${font}margin:0 0 8px;padding-left:9px;font-size:14px;line-height:18px;color:${light.muted};${wrap}`,
  label: `${font}margin:0 0 2px;font-size:13px;line-height:18px;color:${light.muted};${wrap}`,
  value: `${font}margin:0 0 18px;font-size:16px;line-height:24px;color:${light.ink};${wrap}`,
  warning: `${font}margin:0 0 18px;padding:10px 12px;font-size:14px;line-height:20px;color:${light.ink};background-color:${light.warning};border-radius:6px;`,
  cardTitle: `${font}margin:0 0 16px;font-size:18px;line-height:24px;font-weight:600;color:${light.ink};${wrap}`,
  note: `${font}margin:0 0 18px;font-size:14px;line-height:20px;color:${light.muted};${wrap}`,
  small: `${font}margin:0;font-size:12px;line-height:18px;color:${light.muted};`,
  facts: `margin-top:4px;border-top:1px solid ${light.rule};`,
  factLabel: `${font}padding:6px 12px 0 0;font-size:13px;line-height:18px;color:${light.muted};white-space:nowrap;`,
  factValue: `${font}padding:6px 0 0;font-size:13px;line-height:18px;color:${light.muted};${wrap}`,
  open: 'margin:16px 0 4px;',
  openLink: `${font}font-size:14px;line-height:20px;font-weight:600;color:${light.ink};text-decoration:underline;`,
  button: `${font}display:inline-block;margin:4px 0 18px;padding:10px 22px;font-size:16px;line-height:22px;font-weight:600;color:${light.ink};border:1px solid;border-radius:6px;text-decoration:none;`,
  link: `color:${light.muted};text-decoration:underline;`,
} as const

const darkRules = (at: string, accent: string): string =>
  `${at}.ground{background-color:${dark.ground}!important}${at}.card{background-color:${dark.card}!important;border-color:${dark.rule}!important}` +
  `${at}.ink{color:${dark.ink}!important}${at}.muted{color:${dark.muted}!important}` +
  `${at}.facts{border-color:${dark.rule}!important}${at}.warning{background-color:${dark.warning}!important}${at}.accent{border-color:${accent}!important}`

/** The last two rules are for Outlook on the web, which marks what it darkened. */
const sheet = (accent: string): string =>
  ':root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0;padding:0;-webkit-text-size-adjust:100%}' +
  '@media(max-width:480px){.page{padding:20px 10px!important}.card{padding:20px 16px 18px!important}}' +
  `@media(prefers-color-scheme:dark){${darkRules('', accent)}}${darkRules('[data-ogsc] ', accent)}`

/** Fills an inbox's preview, so that the mail's text does not follow in it. */
const filler = '&#8199;&#65279;&#847; '.repeat(40)

/** The whole mail. `bgcolor` and `width` are for Outlook's Word engine, which needs attributes. */
export function mailDocument({ language, title, preview, kicker, colour, cards, footer }: MailDocument): string {
  const accents = { light: accentOn(light.ground, colour), dark: accentOn(dark.ground, colour) }
  const body = cards.map(
    (card) =>
      html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="card" bgcolor="${light.card}" style="padding:24px 24px 20px;background-color:${light.card};border:1px solid ${light.rule};border-radius:10px;">${card}</td></tr><tr><td height="14" style="font-size:0;line-height:14px;">&nbsp;</td></tr></table>`,
  )
  const document = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no, date=no, address=no"><title>${title}</title><style>${trustedMarkup(sheet(accents.dark))}</style></head><body class="ground" bgcolor="${light.ground}" style="margin:0;padding:0;background-color:${light.ground};"><div style="display:none;max-height:0;overflow:hidden;">${preview}${trustedMarkup(filler)}</div><table role="presentation" class="ground" bgcolor="${light.ground}" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${light.ground};"><tr><td class="page" align="center" style="padding:32px 16px;">${forOutlook('<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td>')}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;text-align:left;"><tr><td style="padding:0 4px 20px;"><p class="muted accent" style="${mailStyles.kicker}border-left:3px solid ${accents.light};">${kicker}</p><h1 class="ink" style="${font}margin:0;font-size:22px;line-height:28px;font-weight:600;color:${light.ink};${wrap}">${title}</h1></td></tr><tr><td>${body}</td></tr><tr><td style="padding:4px;">${footer}</td></tr></table>${forOutlook('</td></tr></table>')}</td></tr></table></body></html>\n`
  return document.text
}

const accentOn = (ground: string, colour: string | null): string => readableColour(colour ?? usualColour, ground)

const forOutlook = (markup: string): Markup => trustedMarkup(`<!--[if mso]>${markup}<![endif]-->`)

/** Text with its line breaks: Outlook does not know `white-space`. */
export const withBreaks = (text: string): HtmlPart[] =>
  text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))
