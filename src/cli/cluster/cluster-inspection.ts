import { faultWords } from '../../backup/target/backup-target.ts'
import { askNode, type NodePlace } from '../../cluster/between-nodes.ts'
import { ClusterLogAway, silentMsMax } from '../../cluster/cluster-log.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { clusterStatus } from '../../operations/cluster/cluster-status.ts'
import type { ClusterInspection } from '../../operations/doctor/inspection.ts'
import { databaseTraits } from '../../storage/postgres/database-traits.ts'
import { wayOf } from '../../storage/postgres/patient-pool.ts'
import { spooledIn } from '../../storage/spool/spool-folder.ts'
import { budgetsOf } from '../data-folder/cluster-budgets.ts'
import { openStore } from '../data-folder/cluster-store.ts'
import { openNodeLog } from './node-log.ts'

/** What `doctor` asks of a cluster: its database and its store, not a node. */
export function inspectCluster(config: ClusterConfig, dataDir: string, clock: Clock): ClusterInspection {
  const { bases, contents } = openStore(config)
  return {
    connection: wayOf(config),
    storeUrl: config.store,
    async status(boxId) {
      const { log, close } = openNodeLog(config, boxId, clock)
      try {
        return await clusterStatus(log)
      } catch (error) {
        if (error instanceof OperatorError) return error.message
        throw error
      } finally {
        close()
      }
    },
    async unreached(boxId) {
      const { log, close } = openNodeLog(config, boxId, clock)
      try {
        const { nodes } = await log.overview()
        const others = nodes.filter(({ name, silentMs }) => name !== config.node && silentMs <= silentMsMax)
        const answers = await Promise.all(others.map((node) => doesAnswer(node, config.secret)))
        return others.filter((_, at) => !answers[at])
      } catch (error) {
        return whatStatusSays(error, [])
      } finally {
        close()
      }
    },
    database: () => databaseTraits({ ...config, clock }).catch((error: unknown) => whatStatusSays(error, null)),
    async budgets() {
      const budgets = budgetsOf(config)
      try {
        await budgets?.reach()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      } finally {
        budgets?.close()
      }
    },
    spooled: () => spooledIn(dataDir),
    async store() {
      try {
        return { words: null, baseAt: await bases.newestAt() }
      } catch (error) {
        return { words: wordsOf(error), baseAt: null }
      }
    },
    async storedContents() {
      try {
        return await contents.hashes()
      } catch (error) {
        wordsOf(error)
        return null
      }
    },
  }
}

function whatStatusSays<T>(error: unknown, nothing: T): T {
  if (error instanceof ClusterLogAway || error instanceof OperatorError) return nothing
  throw error
}

const answerMsMax = 3000

const doesAnswer = (node: NodePlace, secret: string): Promise<boolean> =>
  askNode(node, Buffer.from(secret, 'base64'), '/', { signal: AbortSignal.timeout(answerMsMax) }).then(
    () => true,
    () => false,
  )

/** @throws what is no fault of the store */
function wordsOf(error: unknown): string {
  const words = faultWords(error)
  if (words === null) throw error
  return words
}
