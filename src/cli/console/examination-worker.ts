import { systemClock } from '../../lib/clock.ts'
import { examineBox } from '../../operations/doctor/examine-box.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { inspectionOf } from '../open.ts'
import type { FromExaminer, ToExaminer } from './examination-thread.ts'
import { quietSession } from './quiet-session.ts'

// The entry point of a thread that examines the box once.
declare const self: Worker

self.onmessage = async ({ data: { loaded, deep } }: MessageEvent<ToExaminer>) =>
  self.postMessage(await examined(loaded, deep))

async function examined(loaded: ToExaminer['loaded'], deep: boolean): Promise<FromExaminer> {
  try {
    const inspection = await inspectionOf(loaded, quietSession(loaded, systemClock))
    return { checks: await examineBox(inspection, { databaseFile: databaseFile(loaded.config.dataDir), deep }) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : 'unknown' }
  }
}
