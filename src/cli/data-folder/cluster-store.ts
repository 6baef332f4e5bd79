import { ClusterSeal, storeSealing } from '../../cluster/cluster-seal.ts'
import { ContentStore } from '../../cluster/content-store.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { openTarget } from './open-target.ts'

/** `[cluster] store`. */
export function openStore(cluster: ClusterConfig): { contents: ContentStore } {
  const { target } = openTarget(cluster.store, cluster)
  return { contents: new ContentStore(target, storeSealing(new ClusterSeal(Buffer.from(cluster.secret, 'base64')))) }
}
