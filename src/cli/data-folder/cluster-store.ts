import { BaseStore } from '../../cluster/base-store.ts'
import { ClusterSeal, storeSealing } from '../../cluster/cluster-seal.ts'
import { ContentStore } from '../../cluster/content-store.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { openTarget } from './open-target.ts'

export interface OpenedStore {
  bases: BaseStore
  contents: ContentStore
  /** Makes its place when a cluster begins. */
  create(): Promise<void>
}

/** `[cluster] store`. */
export function openStore(cluster: ClusterConfig): OpenedStore {
  const { target, create } = openTarget(cluster.store, cluster)
  const sealing = storeSealing(new ClusterSeal(Buffer.from(cluster.secret, 'base64')))
  const bases = new BaseStore(target, sealing)
  return { bases, contents: new ContentStore(target, sealing), create }
}
