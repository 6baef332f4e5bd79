import type { RecordExport } from '../../operations/export/export-records.ts'
import { writeOutFile } from '../../storage/filesystem/out-file.ts'
import type { ResultStream } from '../output/streams.ts'
import { printable } from '../output/text.ts'

/** Writes an export to its target, at the reader's pace. */
export const writeExport = (
  { chunks }: Pick<RecordExport, 'chunks'>,
  /** `file`: absolute; `null`: to standard output. */
  { file, dataDir, out }: { file: string | null; dataDir: string; out: ResultStream },
): Promise<void> => (file === null ? toResult(chunks, out) : writeOutFile(file, dataDir, chunks))

/** CSV cannot escape control characters, so on a terminal they are made visible. */
async function toResult(chunks: AsyncIterable<string>, out: ResultStream): Promise<void> {
  for await (const chunk of chunks) {
    await out.write(out.isTerminal ? printable(chunk.replaceAll('\r\n', '\n'), 'lines') : chunk)
  }
}
