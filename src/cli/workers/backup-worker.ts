import { TargetRunner } from '../../backup/target-runner.ts'
import { TargetReport, type TargetState } from '../../backup/target-state.ts'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { removeAbandoned } from '../../storage/filesystem/scratch-folder.ts'
import { FileTargetStates } from '../../storage/filesystem/target-states.ts'
import { backupScratch } from '../backup/targets.ts'
import { openAssets } from '../data-folder/open-assets.ts'
import { openTarget } from '../data-folder/open-target.ts'
import { boxDatabases } from '../open.ts'
import { copyInThread, PressThread } from '../threads/backup-threads.ts'
import { workInThread } from '../threads/service-thread.ts'
import { programVersion } from '../version.ts'
import { takeModestPriority } from './thread-priority.ts'

// The thread that backs up: it keeps each target up to date, until it is told to close.
workInThread<Config, { state: TargetState }>(async (config, { post, log }) => {
  takeModestPriority()
  const { dataDir, backup } = config
  removeAbandoned(dataDir)
  const { openBackupSource } = await boxDatabases()
  const source = openBackupSource(databaseFile(dataDir), copyInThread)
  const { assets } = await openAssets(config)
  const states = new FileTargetStates(dataDir)
  const press = new PressThread()
  const { recipients, baseEvery: baseEveryMs, incrementEvery: incrementEveryMs, keep: keepMs } = backup
  const shared = {
    ...{ source, assets, states, log, clock: systemClock, run: newId(), program: programVersion },
    terms: { recipients, baseEveryMs, incrementEveryMs, keepMs },
    compress: press.compress,
    scratch: () => {
      // A process that handed over in the middle of a base may not have ended when this one began.
      removeAbandoned(dataDir)
      return backupScratch(dataDir)
    },
  }
  const runners = backup.to.map((url) => {
    const report = new TargetReport({ url, states, clock: systemClock, log, onState: (state) => post({ state }) })
    return new TargetRunner({ ...shared, ...openTarget(url, backup), report })
  })
  for (const runner of runners) runner.start()
  return {
    async close() {
      await Promise.all(runners.map((runner) => runner.stop()))
      press.close()
      source.close()
    },
  }
})
