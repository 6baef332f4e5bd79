import { resolve } from 'node:path'
import { readReportDocument } from '../../operations/report/report-document.ts'
import { reportPage } from '../../report/document/page.ts'
import { type ReportView, reportView } from '../../report/document/report-view.ts'
import type { ReportPeriod } from '../../report/report-period.ts'
import { writeOutFile } from '../../storage/filesystem/out-file.ts'
import { type CommandResult, type CommandSession, usageError } from '../command.ts'
import { type ResultStream, standardOutputName } from '../output/streams.ts'
import { printable } from '../output/text.ts'
import { noticesTo } from '../record/record-notices.ts'
import { inOptions } from './typed-period.ts'

interface PageWanted {
  account: string
  period: ReportPeriod
  /** A file, or `-` for standard output. */
  html: string
  json: boolean
}

/** `capture report --html`: writes the report as one HTML file, and says where it is. */
export async function writeReportPage(
  { html, json, ...wanted }: PageWanted,
  session: CommandSession,
): Promise<CommandResult> {
  const out = html === standardOutputName ? null : resolve(session.cwd, html)
  if (json && out === null) throw usageError('--json and --html - exclude each other: both go to standard output.')
  const onNotice = noticesTo(session.err)
  const { handle, view } = await session.withBox(async (box) => {
    const { handle, document } = await readReportDocument(box, wanted, onNotice).catch(inOptions)
    const view = reportView(document)
    if (out !== null) await writeOutFile(out, box.dataDir, [reportPage(view)])
    return { handle, view }
  })
  if (out === null) return { text: () => onStandardOutput(view, session) }
  return {
    json: { account: handle, title: view.title, out },
    text: [],
    notes: [`Wrote the report of ${handle}, ${view.title}, to ${out}.`],
  }
}

function onStandardOutput(view: ReportView, { out }: { out: ResultStream }): string {
  const page = reportPage(view)
  return out.isTerminal ? printable(page, 'lines') : page
}
