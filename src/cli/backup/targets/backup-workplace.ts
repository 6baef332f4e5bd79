import { join } from 'node:path'
import { TargetReport } from '../../../backup/target-report.ts'
import { TargetRunner } from '../../../backup/target-runner.ts'
import type { FromBackup, ToBackup } from '../../../backup/thread-messages.ts'
import type { Config } from '../../../config/config.ts'
import { systemClock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import { handedOnLog } from '../../../lib/log.ts'
import { openAssetStore } from '../../../storage/filesystem/asset-store.ts'
import { databaseFile } from '../../../storage/filesystem/data-folder.ts'
import { removeAbandoned } from '../../../storage/filesystem/scratch-folder.ts'
import { FileTargetStates } from '../../../storage/filesystem/target-states.ts'
import { boxDatabases } from '../../open.ts'
import { programVersion } from '../../version.ts'
import { backupScratch } from './backup-scratch.ts'
import { copyInThread } from './copy-in-thread.ts'
import { openTarget } from './open-target.ts'
import { PressThread } from './press-thread.ts'
import { takeModestPriority } from './thread-priority.ts'

interface Work {
  runners: TargetRunner[]
  press: PressThread
  source: { close(): void }
}

/** What the thread that backs up does: it keeps each target up to date, until it is told to close. */
export class BackupWorkplace {
  private work: Promise<Work> | null = null

  constructor(private readonly post: (message: FromBackup) => void) {}

  receive(message: ToBackup<Config>): void {
    if ('begin' in message) this.work = this.begin(message.begin)
    else void this.close()
  }

  private async begin({ dataDir, backup }: Config): Promise<Work> {
    takeModestPriority()
    removeAbandoned(dataDir)
    const { openBackupSource } = await boxDatabases()
    const source = openBackupSource(databaseFile(dataDir), copyInThread)
    const assets = await openAssetStore(join(dataDir, 'assets'))
    const states = new FileTargetStates(dataDir)
    const press = new PressThread()
    const log = handedOnLog((line) => this.post({ log: line }))
    const { recipients, baseEvery: baseEveryMs, incrementEvery: incrementEveryMs, keep: keepMs } = backup
    const shared = {
      ...{ source, assets, states, log, clock: systemClock, run: newId(), program: programVersion },
      terms: { recipients, baseEveryMs, incrementEveryMs, keepMs },
      compress: press.compress,
      scratch: () => backupScratch(dataDir),
    }
    const runners = backup.to.map((url) => {
      const onState = (state: Extract<FromBackup, { state: unknown }>['state']) => this.post({ state })
      const report = new TargetReport({ url, states, clock: systemClock, log, onState })
      return new TargetRunner({ ...shared, ...openTarget(url, backup), report })
    })
    for (const runner of runners) runner.start()
    return { runners, press, source }
  }

  private async close(): Promise<void> {
    try {
      const work = await this.work
      await Promise.all(work?.runners.map((runner) => runner.stop()) ?? [])
      work?.press.close()
      work?.source.close()
    } finally {
      this.post({ closed: true })
    }
  }
}
