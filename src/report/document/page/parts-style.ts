import { chartStyle } from '../chart/bar-chart.ts'

const figures = `
.report section{margin-top:2.5rem}
.report h3{margin:0 0 .75rem;font-size:.9375rem;font-weight:600}
.report h2{margin:0 0 .75rem;font-size:1.125rem;line-height:1.3}
.figures{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.75rem;margin:2rem 0 0;padding:0}
.figures>div{padding:1rem 1.125rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);break-inside:avoid}
.figures dt{color:var(--muted);font-size:.9375rem}
.figures dd{margin:0}
.figures .value{font-size:2rem;line-height:1.25;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.figures .change{font-size:.875rem;color:var(--muted)}
.figures .change b{color:var(--text);font-weight:600}
.charts{display:grid;gap:2rem}
.key{color:var(--muted);font-size:.8125rem}
.key svg{width:1rem;height:.75rem;margin-right:.375rem;vertical-align:-.05rem}
`

const lists = `
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);column-gap:2.5rem}
.pair>section{min-width:0}
.funnels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:2rem 2.5rem}
.names small{display:block;font-size:.8125rem}
table+.quiet{margin-top:.75rem}.quiet{color:var(--muted);font-size:.9375rem}
.names,.days{width:100%;border-collapse:collapse;font-size:.9375rem}
:is(.names,.days) :is(th,td){padding:.4rem 0 .4rem .75rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;font-variant-numeric:tabular-nums;white-space:nowrap;overflow-wrap:normal}
:is(.names,.days) :is(th,td):first-child{padding-left:0;text-align:left}
.wide{overflow-x:auto}
.names :is(th,td):first-child{width:99%;white-space:normal;overflow-wrap:anywhere}
:is(.names,.days) thead th{color:var(--muted);font-size:.8125rem;font-weight:500;vertical-align:bottom;white-space:normal}
:is(.names,.days) tbody th{color:inherit;font-size:inherit;font-weight:400}
:is(.names,.days) tfoot :is(th,td){border-bottom:0;color:var(--muted);font-size:inherit;font-weight:400}
ul.plain{margin:0;padding:0;list-style:none}
ul.plain li{padding:.5rem 0;border-bottom:1px solid var(--line)}
ul.plain b{font-weight:600}
`

const narrow = `
@media screen and (max-width:40rem){
.figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem}.figures>div{padding:.75rem}.figures .value{font-size:1.5rem}
.pair{grid-template-columns:minmax(0,1fr)}
.days{font-size:.8125rem}.days :is(th,td){padding-left:.375rem}
}
`

/**
 * Style of what `reportBody` makes, on whichever page: it uses the custom properties `--bar`, `--pale`, `--line`, `--muted`,
 * `--card` and `--text` of the page around it.
 */
export const reportPartsStyle: string = `${figures}${chartStyle}${lists}${narrow}`
