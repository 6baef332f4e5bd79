import { resolve } from 'node:path'
import { readReportDocument } from '../../operations/report/report-document.ts'
import type { ReportPeriod } from '../../operations/report/report-period.ts'
import { reportPage } from '../../report/document/page/page.ts'
import { type ReportView, reportView } from '../../report/document/report-view.ts'
import { beginOutFile } from '../../storage/filesystem/out-file.ts'
import { type ExitStatus, usageError } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { standardOutputName } from '../output/streams.ts'
import { RecordNotices } from '../record/record-notices.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { inOptions } from './typed-period.ts'

interface PageWanted {
  account: string
  period: ReportPeriod
  /** A file, or `-` for standard output. */
  html: string
  json: boolean
}

/** `capture report --html`: writes the report as one HTML file, and says where it is. */
export async function writeReportPage({ html, json, ...wanted }: PageWanted, session: Session): Promise<ExitStatus> {
  const out = html === standardOutputName ? null : resolve(session.cwd, html)
  if (json && out === null) throw usageError('--json and --html - exclude each other: both go to standard output.')
  const { onNotice } = new RecordNotices(session.err)
  const { handle, view } = await withBox(session, async (box) => {
    const { handle, document } = await readReportDocument(box, wanted, onNotice).catch(inOptions)
    const view = reportView(document)
    if (out !== null) await writeFile(reportPage(view), { path: out, dataDir: box.dataDir })
    return { handle, view }
  })
  if (out === null) await writeOut(view, session)
  else if (json) await session.out.write(toJson({ account: handle, title: view.title, out }))
  if (out !== null) session.err.write(`${printable(`Wrote the report of ${handle}, ${view.title}, to ${out}.`)}\n`)
  return 0
}

async function writeFile(page: string, { path, dataDir }: { path: string; dataDir: string }): Promise<void> {
  const file = await beginOutFile(path, dataDir)
  try {
    await file.write(page)
    await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function writeOut(view: ReportView, { out }: Session): Promise<void> {
  const page = reportPage(view)
  await out.write(out.isTerminal ? printable(page, 'lines') : page)
}
