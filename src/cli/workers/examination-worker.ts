import { systemClock } from '../../lib/clock.ts'
import type { CheckResult } from '../../operations/check-result.ts'
import { examineBox } from '../../operations/doctor/examine-box.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { inspectionOf } from '../open.ts'
import { quietSession } from '../session.ts'
import type { ToExaminer } from '../threads/console-work.ts'
import { answerInThread } from '../threads/one-answer.ts'

answerInThread<ToExaminer, CheckResult[]>(async ({ loaded, deep }) => {
  const inspection = await inspectionOf(loaded, quietSession(loaded, systemClock))
  return examineBox(inspection, { databaseFile: databaseFile(loaded.config.dataDir), deep })
})
