import { readableColour, usualColour } from '../../lib/readable-colour.ts'
import { chartStyle } from './charts.ts'

/** Colours of a report, light and dark. */
interface Palette {
  paper: string
  card: string
  text: string
  muted: string
  line: string
}

export const light: Palette = {
  paper: '#ffffff',
  card: '#f7f7f5',
  text: '#1b1c1e',
  muted: '#5c6068',
  line: '#dcdde0',
}
const dark: Palette = {
  paper: '#15171a',
  card: '#1e2125',
  text: '#eceded',
  muted: '#a9adb5',
  line: '#3a3e45',
}

/** The style sheet of a report page: on a screen in light and dark, on paper always light. */
export function reportStyle(colour: string | null): string {
  const wanted = colour ?? usualColour
  return `:root{color-scheme:light dark;${variables(light, wanted)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark, wanted)}}}
${layout}${reportPartsStyle}${narrow}${paper}`
}

function variables({ paper, card, text, muted, line }: Palette, wanted: string): string {
  // Nearer to either text than the paper is.
  const accent = readableColour(wanted, card)
  return `--paper:${paper};--card:${card};--text:${text};--muted:${muted};--line:${line};--accent:${accent}`
}

const layout = `
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:62rem;margin:0 auto;padding:0 1.5rem 3rem}
header{margin-bottom:1rem;border-top:.5rem solid var(--accent);padding-top:2rem}
h1{margin:.1rem 0 .25rem;text-wrap:balance;font-size:2.25rem;line-height:1.15;letter-spacing:-.02em}
p{margin:0 0 .75rem}
.dates{color:var(--muted)}.dates b{color:var(--text)}
.example{margin:1rem 0 0;padding:.5rem 1rem;border:.125rem dashed var(--accent);font-weight:600}
footer{margin-top:.5rem;color:var(--muted);font-size:.875rem}
`

const narrow = `
@media screen and (max-width:40rem){
main{padding:0 1rem 2rem}header{padding-top:1.25rem}h1{font-size:1.75rem}
}
`

/** For A4 and Letter: related parts stay on one page, and no colour is a background, because printers leave those out. */
const paper = `
@page{margin:14mm 15mm}
@media print{
.wide{overflow:visible}
.fold::details-content{content-visibility:visible;block-size:auto}
.figures{grid-template:none/repeat(3,minmax(0,1fr));grid-auto-flow:row;gap:.625rem}
html{font-size:10.5pt}main{max-width:none;padding:0}
header,.chart svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
header{padding-top:1.25rem}h1{font-size:1.9rem}
.report{--card:var(--paper)}
h2,h3,thead{break-after:avoid}.chart-block,.pair,tr,li,.example,.figure-notes,.summary{break-inside:avoid}
.chart{--height:7rem}.report section{margin-top:1.75rem}
.daily{break-before:page}.days{font-size:.8125rem}.days td,.days th{padding-top:.15rem;padding-bottom:.15rem}footer{margin-top:1.5rem;break-inside:avoid}
}
`

const figures = `
.report section{margin-top:1.5rem}
.report h3{margin:0 0 .75rem;font-size:.9375rem;font-weight:600}
.report h2{margin:0 0 .75rem;font-size:1.125rem;line-height:1.3}
.report :is(.chart-block,.daily,.pair) h2{font-size:.9375rem}
.report .summary{margin:0;max-width:46rem;font-size:1.0625rem}
.figure-notes{margin:0 0 1rem;color:var(--muted);font-size:.875rem}.figure-notes:last-child{max-width:46rem;margin:2rem 0 0}
.report{container-type:inline-size}
.figures{display:grid;grid-template-rows:repeat(3,auto);grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);column-gap:.625rem;margin:0;padding:0}
.figures>div{display:grid;grid-template-rows:subgrid;grid-row:span 3;row-gap:0;padding:.75rem .875rem;break-inside:avoid}
:is(.figures>div,.chart-block,.pair>section,.channels>.fold,.daily){border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
:is(.chart-block,.pair>section){margin:0;padding:1rem 1.125rem}
:is(.channels>.fold,.daily){padding:.5rem 1.125rem}
:is(.channels>.fold[open],.daily:has([open])){padding-bottom:1rem}
.figures dt{color:var(--muted);font-size:.9375rem}
.figures dd{margin:0}
.figures .value{font-size:1.625rem;line-height:1.25;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures.long .value{font-size:1.3125rem}
.figures .change{font-size:.8125rem;line-height:1.35;color:var(--muted)}
.figures a{color:var(--accent);text-decoration:none}
.figures .change b{color:var(--text);font-weight:600}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:.625rem}
.key{display:inline-block;margin:.5rem 1.5rem 0 0;color:var(--muted);font-size:.8125rem}
.key svg{width:1.5rem;height:.375rem;margin-right:.5rem;vertical-align:.125rem}
`

const lists = `
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.625rem}
.channels{display:flex;flex-wrap:wrap;align-items:start;gap:.625rem}
.channels>.fold{flex:1 1 14rem}.channels>.fold[open]{flex-basis:calc(50% - .3125rem);align-self:stretch}
.pair,.report .daily{margin-top:.625rem}
.pair>section{min-width:0}.pair>section>:last-child{margin-bottom:0}
.fold>summary{margin:0;padding:.25rem 0;color:var(--accent);cursor:pointer}
.fold>summary :is(h2,h3){display:inline;margin:0}
.funnels>div>:first-child{margin-top:0}
.funnels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:2rem 2.5rem}
.names small{display:block;font-size:.8125rem}
.report table+.quiet{margin-top:.75rem}.report .quiet{color:var(--muted);font-size:.9375rem}
.names,.days{width:100%;border-collapse:collapse;font-size:.9375rem}
:is(.names,.days) :is(th,td){padding:.25rem 0 .25rem .75rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;font-variant-numeric:tabular-nums;white-space:nowrap;overflow-wrap:normal}
:is(.names,.days) :is(th,td):first-child{padding-left:0;text-align:left}
.names tbody :not(.rest)>th+td{font-weight:600}.names .rest{color:var(--muted)}
.wide{overflow-x:auto}
.names :is(th,td):first-child{width:99%;white-space:normal;overflow-wrap:anywhere}
:is(.names,.days) thead th{color:var(--muted);font-size:.8125rem;font-weight:500;vertical-align:bottom;white-space:normal}
:is(.names,.days)>:last-child>:last-child>*{border:0}
:is(.names,.days) tbody th{color:inherit;font-size:inherit;font-weight:400}
:is(.names,.days) tfoot :is(th,td){color:var(--muted);font-size:inherit;font-weight:400}
ul.plain{margin:0;padding:0;list-style:none}
ul.plain li{padding:.5rem 0}ul.plain li+li{border-top:1px solid var(--line)}
ul.plain b{font-weight:600}
`

const narrowParts = `
@container (max-width:50rem){.figures{grid-template:none/repeat(3,minmax(0,1fr));grid-auto-flow:row;gap:.625rem}}
@media screen and (max-width:40rem){
.figures{grid-template:none/repeat(2,minmax(0,1fr))}.figures>div{padding:.75rem}.figures>:last-child:nth-child(odd){grid-column:span 2}.figures .value{font-size:1.5rem}
.channels>.fold[open]{flex-basis:100%}
.days{font-size:.8125rem}.days :is(th,td){padding-left:.375rem}
}
`

/**
 * Style of what `reportBody` makes, on whichever page: it uses the custom properties `--accent`, `--line`, `--muted`,
 * `--card`, `--paper` and `--text` of the page around it.
 */
export const reportPartsStyle: string = `${figures}${chartStyle}${lists}${narrowParts}`
