import type { ClusterNodes } from '../../operations/box.ts'
import { lackingNodes, membershipOf } from '../serve/control-socket.ts'

/** The other nodes, as the service that runs on this machine knows them. */
export const clusterNodes = (dataDir: string): ClusterNodes => ({
  status: async () => (await membershipOf(dataDir))?.status ?? null,
  lacking: () => lackingNodes(dataDir),
})
