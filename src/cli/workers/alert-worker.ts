import type { Config } from '../../config/config.ts'
import { boxAddress } from '../../config/own-hosts.ts'
import { systemClock } from '../../lib/clock.ts'
import { everyInterval } from '../../lib/interval.ts'
import { alertSenders } from '../../operations/alert/alert-channels.ts'
import { identityOf } from '../../operations/alert/alert-news.ts'
import { Alerter, type Attended } from '../../operations/alert/alerter.ts'
import { clusterFindings, saidByFollowers } from '../../operations/cluster/cluster-findings.ts'
import { attention } from '../../operations/overview/attention.ts'
import { alertNote } from '../../storage/filesystem/folder-notes.ts'
import { type CommandBox, openBox } from '../open.ts'
import { quietSession } from '../session.ts'
import { workInThread } from '../threads/service-thread.ts'
import { takeModestPriority } from './thread-priority.ts'

/** News wait for a minute before they are sent, so a closer look would tell nobody sooner. */
const lookMs = 10_000

/** On a node that does not lead, only that nobody does: the leader says the rest. */
async function attended(box: CommandBox): Promise<Attended | null> {
  const { cluster } = box
  if (cluster !== null) {
    const status = await cluster.status()
    if (status === null) return null
    if (status.leader !== box.config.cluster?.node) {
      const covers = (identity: string) => saidByFollowers.has(identity)
      return { found: clusterFindings(status).filter((result) => covers(identityOf(result))), covers }
    }
  }
  return { found: await attention(box, { accounts: await box.overview.accounts(), ofBox: true }), covers: () => true }
}

// The thread that sends alerts: it opens the box as a command does, and looks at what the console's first page shows.
workInThread<Config>(async (config, { log }) => {
  takeModestPriority()
  const session = quietSession({ config, file: null, warnings: [] }, systemClock)
  const box = await openBox(config, session, { mustExist: true })
  const alerter = new Alerter({
    senders: alertSenders(config, systemClock),
    speaker: boxAddress(config),
    problems: () => attended(box),
    note: alertNote(config.dataDir),
    clock: systemClock,
    log,
  })
  const looking = everyInterval(lookMs, () => alerter.turn(), log)
  return {
    async close() {
      await looking.stop()
      await box.close()
    },
  }
})
