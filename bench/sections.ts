import type { BenchRun } from './bench-run.ts'
import type { pathNames, SectionName } from './options.ts'
import { clickPath } from './paths/click.ts'
import { batchPath, eventPath } from './paths/event.ts'
import { formPath } from './paths/form.ts'
import { pagePath } from './paths/page.ts'
import { type BackupsResult, measureBackups } from './section-backups.ts'
import { type ClusterResult, measureCluster } from './section-cluster.ts'
import { type ConsoleResult, measureConsole } from './section-console.ts'
import { type DeliveriesResult, measureDeliveries } from './section-deliveries.ts'
import { type GrowthResult, measureGrowth } from './section-growth.ts'
import { type HttpsResult, measureHttps } from './section-https.ts'
import { type MemoryResult, measureMemory } from './section-memory.ts'
import { measurePath, type PathResult } from './section-paths.ts'
import { measureProcessing, type ProcessingResult } from './section-processing.ts'
import { measureReport, type ReportResult } from './section-report.ts'
import { measureRestore, type RestoreResult } from './section-restore.ts'
import { measureSplit, type SplitResult } from './section-split.ts'
import { measureStart, type StartResult } from './section-start.ts'

/** What each section measures. */
export interface Figures extends Record<(typeof pathNames)[number], PathResult> {
  split: SplitResult
  cluster: ClusterResult
  https: HttpsResult
  start: StartResult
  memory: MemoryResult
  growth: GrowthResult[]
  processing: ProcessingResult
  deliveries: DeliveriesResult
  backups: BackupsResult
  restore: RestoreResult
  report: ReportResult
  console: ConsoleResult
}

export const measurements: { [Name in SectionName]: (run: BenchRun) => Promise<Figures[Name]> } = {
  form: (run) => measurePath(formPath, run),
  event: (run) => measurePath(eventPath, run),
  batch: (run) => measurePath(batchPath, run),
  page: (run) => measurePath(pagePath, run),
  click: (run) => measurePath(clickPath, run),
  split: measureSplit,
  cluster: measureCluster,
  https: measureHttps,
  start: measureStart,
  memory: measureMemory,
  growth: measureGrowth,
  processing: measureProcessing,
  deliveries: measureDeliveries,
  backups: measureBackups,
  restore: measureRestore,
  report: measureReport,
  console: measureConsole,
}
